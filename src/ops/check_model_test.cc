#include "ops/check_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "overt/error.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ValueInfo float_info() {
  return ValueInfo::tensor(DataType::float32, {2, 3});
}

/// A model of one node whose opset version is `opset`; inputs and outputs are named by their info.
struct OneNode {
  Model model;
  std::vector<ValueId> inputs;

  OneNode(std::string type, int opset, std::vector<ValueInfo> input_infos, size_t outputs,
          std::vector<Attribute> attributes = {}, std::string domain = "") {
    model.opsets = {{"", 17}};
    Node node;
    node.op = {std::move(domain), std::move(type), opset};
    node.name = "n";
    for (ValueInfo& info : input_infos) {
      inputs.push_back(model.graph.add_value("x" + std::to_string(inputs.size()), std::move(info)));
      model.graph.add_input(inputs.back());
    }
    node.inputs = inputs;
    for (size_t i = 0; i < outputs; ++i) node.outputs.push_back(model.graph.add_value("y" + std::to_string(i)));
    node.attributes = std::move(attributes);
    model.graph.add_node(std::move(node));
  }

  Node& node() { return model.graph.edit_node(model.graph.order()[0]); }
  ValueInfo& output_info(size_t i) { return model.graph.info(node().outputs[i]); }
};

std::vector<Attribute> one(Attribute attribute) {
  std::vector<Attribute> attributes;
  attributes.push_back(std::move(attribute));
  return attributes;
}

/// "code: message" of what check_model throws, or "accepted".
std::string check(Model& model) {
  try {
    check_model(model);
    return "accepted";
  } catch (const Error& error) {
    return std::string(error_code_name(error.code())) + ": " + error.message();
  }
}
std::string check(OneNode one_node) {
  return check(one_node.model);
}

TEST(CheckModel, sets_the_version_that_the_opset_selects) {
  OneNode softmax("Softmax", 12, {float_info()}, 1);
  EXPECT_EQ(check(softmax.model), "accepted");
  EXPECT_EQ(softmax.node().op.since_version, 11);
  EXPECT_EQ(check(softmax.model), "accepted");
  EXPECT_EQ(softmax.node().op.since_version, 11);
}

TEST(CheckModel, refuses_a_wrong_number_of_inputs_and_outputs) {
  EXPECT_EQ(check(OneNode("Add", 17, {float_info()}, 1)), "invalid_model: Add 'n' has 1 inputs, Add-14 takes 2");
  EXPECT_EQ(check(OneNode("Clip", 17, std::vector<ValueInfo>(4), 1)),
            "invalid_model: Clip 'n' has 4 inputs, Clip-13 takes 1 to 3");
  EXPECT_EQ(check(OneNode("Concat", 17, {}, 1, one(Attribute::of("axis", int64_t{0})))),
            "invalid_model: Concat 'n' has 0 inputs, Concat-13 takes 1 or more");
  EXPECT_EQ(check(OneNode("Relu", 17, {float_info()}, 2)), "invalid_model: Relu 'n' has 2 outputs, Relu-14 takes 1");
}

TEST(CheckModel, refuses_required_inputs_and_outputs_that_are_left_out) {
  OneNode add("Add", 17, {float_info(), float_info()}, 1);
  add.model.graph.set_node_input(add.node().id, 1, ValueId::none);
  EXPECT_EQ(check(add.model), "invalid_model: Add 'n': input 1 (B) is left out, Add-14 requires it");

  OneNode concat("Concat", 17, {float_info(), float_info()}, 1, one(Attribute::of("axis", int64_t{0})));
  concat.model.graph.set_node_input(concat.node().id, 1, ValueId::none);
  EXPECT_EQ(check(concat.model), "invalid_model: Concat 'n': input 1 (inputs) is left out, Concat-13 requires it");

  OneNode clip("Clip", 17, {float_info(), float_info(), float_info()}, 1);
  clip.model.graph.set_node_input(clip.node().id, 1, ValueId::none);
  EXPECT_EQ(check(clip.model), "accepted");
}

TEST(CheckModel, refuses_attributes_that_the_schema_does_not_have) {
  EXPECT_EQ(
      check(OneNode("Softmax", 17, {float_info()}, 1, one(Attribute::of("axes", int64_t{0})))),
      "invalid_model: Softmax 'n' has the attribute 'axes', which Softmax-13 does not have; did you mean 'axis'?");
  EXPECT_EQ(check(OneNode("Softmax", 17, {float_info()}, 1, one(Attribute::of("axis", 1.0f)))),
            "invalid_model: Softmax 'n': attribute axis is float, Softmax-13 takes int");
  EXPECT_EQ(check(OneNode("Softmax", 17, {float_info()}, 1, one(Attribute::of("__note", 1.0f)))), "accepted");
  EXPECT_EQ(check(OneNode("Relu", 17, {float_info()}, 1, one(Attribute::of("body", std::make_unique<Graph>())))),
            "invalid_model: Relu 'n' has the attribute 'body', which Relu-14 does not have");
}

TEST(CheckModel, refuses_a_missing_required_attribute) {
  EXPECT_EQ(check(OneNode("Concat", 17, {float_info()}, 1)),
            "invalid_model: Concat 'n' lacks the attribute axis, which Concat-13 requires");
}

TEST(CheckModel, refuses_types_outside_the_schema) {
  EXPECT_THAT(check(OneNode("Sqrt", 17, {ValueInfo::tensor(DataType::int64, {2})}, 1)),
              HasSubstr("invalid_model: Sqrt 'n': input 0 (X) is int64, Sqrt-13 takes float32, float16, float64"));
  OneNode shape("Shape", 17, {float_info()}, 1);
  shape.output_info(0) = float_info();
  EXPECT_THAT(check(shape.model), HasSubstr("output 0 (shape) is float32, Shape-15 takes int64"));
  ValueInfo sequence = float_info();
  sequence.kind = ValueKind::sequence;
  EXPECT_THAT(check(OneNode("Sqrt", 17, {sequence}, 1)), HasSubstr("input 0 (X) is a sequence of float32"));
}

TEST(CheckModel, refuses_two_types_for_one_letter) {
  EXPECT_EQ(check(OneNode("Add", 17, {float_info(), ValueInfo::tensor(DataType::int64, {3})}, 1)),
            "invalid_model: Add 'n': input 0 is float32 and input 1 is int64, Add-14 takes the same type (T)");
  OneNode relu("Relu", 17, {float_info()}, 1);
  relu.output_info(0) = ValueInfo::tensor(DataType::float16, {2, 3});
  EXPECT_THAT(check(relu.model), HasSubstr("input 0 is float32 and output 0 is float16"));
}

TEST(CheckModel, names_all_unknown_operators_at_once) {
  OneNode model("FusedConv", 1, {float_info()}, 1, {}, "com.microsoft");
  for (const char* type : {"SimplifiedLayerNormalization", "Gelu", "SimplifiedLayerNormalization"}) {
    Node node;
    node.op = {"", type, 17};
    node.name = "late";
    node.inputs = model.inputs;
    node.outputs = {model.model.graph.add_value("z")};
    model.model.graph.add_node(std::move(node));
  }
  EXPECT_EQ(
      check(model.model),
      "unsupported: 3 operators are not known here: FusedConv of domain 'com.microsoft' (opset 1), 1 node, first "
      "com.microsoft.FusedConv 'n'; Gelu of domain 'ai.onnx' (opset 17, where it does not exist yet), 1 node, "
      "first Gelu 'late'; SimplifiedLayerNormalization of domain 'ai.onnx' (opset 17), 2 nodes, first "
      "SimplifiedLayerNormalization 'late'");
}

TEST(CheckModel, refuses_an_opset_from_the_future) {
  OneNode model("Relu", 999, {float_info()}, 1);
  model.model.opsets = {{"", 999}};
  EXPECT_THAT(check(model.model),
              HasSubstr("unsupported: the model imports opset 999 of ai.onnx, and 28 is the newest"));
  EXPECT_THAT(
      check(OneNode("Scaler", 9, {float_info()}, 1, {}, "ai.onnx.ml")),
      HasSubstr("unsupported: ai.onnx.ml.Scaler 'n' is of opset 9 of domain 'ai.onnx.ml', and 5 is the newest"));
}

TEST(CheckModel, ignores_unknown_domains_that_no_node_uses) {
  OneNode model("Relu", 17, {float_info()}, 1);
  model.model.opsets = {{"", 17}, {"com.example", 999}};
  EXPECT_EQ(check(model.model), "accepted");
}

TEST(CheckModel, accepts_deprecated_operators_with_a_warning) {
  OneNode model("Scatter", 17, {float_info(), ValueInfo::tensor(DataType::int64, {2, 3}), float_info()}, 1);
  EXPECT_EQ(check(model.model), "accepted");
  EXPECT_THAT(model.model.warnings, ElementsAre("Scatter 'n': Scatter-11 is deprecated by the standard"));
}

TEST(CheckModel, looks_into_subgraphs) {
  auto branch = std::make_unique<Graph>();
  const ValueId captured = branch->add_value("x", float_info());
  branch->add_input(captured);
  branch->captures = {{1, captured}};
  Node inner;
  inner.op = {"", "Nonsense", 17};
  inner.name = "deep";
  inner.inputs = {captured};
  inner.outputs = {branch->add_value("z")};
  branch->add_output(inner.outputs[0]);
  branch->add_node(std::move(inner));
  std::vector<Attribute> branches;
  branches.push_back(Attribute::of("then_branch", std::make_unique<Graph>(branch->clone())));
  branches.push_back(Attribute::of("else_branch", std::move(branch)));

  OneNode model("If", 17, {ValueInfo::tensor(DataType::boolean, {}), float_info()}, 1, std::move(branches));
  model.node().explicit_inputs = 1;
  EXPECT_THAT(check(model.model),
              HasSubstr("Nonsense of domain 'ai.onnx' (opset 17), 2 nodes, first Nonsense 'deep'"));
}

TEST(CheckTypes, sees_types_that_were_found_later) {
  OneNode model("Add", 17, {float_info(), ValueInfo{}}, 1);
  check_model(model.model);
  model.model.graph.info(model.inputs[1]) = ValueInfo::tensor(DataType::int32, {3});
  EXPECT_THROW(check_types(model.model.graph), Error);
}

}  // namespace
}  // namespace overt
