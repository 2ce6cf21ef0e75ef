#include "onnx/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "onnx/test_writer.h"

namespace overt {
namespace {

using test::attribute;
using test::load_outcome;
using test::Message;
using test::node;
using test::TestGraph;
using test::value;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Message add_model() {
  return test::model(TestGraph{.inputs = {value("x", {"N", 3})},
                               .outputs = {value("y", {"N", 3})},
                               .nodes = {node("Add", {"x", "w"}, {"y"})},
                               .initializers = {test::raw_tensor("w", 1, {3}, test::raw<float>({1, 2, 3}))}});
}

TEST(LoadOnnx, small_model_becomes_a_graph) {
  const Model model = test::load(add_model());
  verify(model.graph, "load");
  EXPECT_THAT(model.input_names, ElementsAre("x"));
  EXPECT_THAT(model.output_names, ElementsAre("y"));
  ASSERT_EQ(model.graph.order().size(), 1u);
  const Node& add = model.graph.node(model.graph.order()[0]);
  EXPECT_TRUE(add.op.is("Add"));
  EXPECT_EQ(add.op.since_version, 17);
  EXPECT_EQ(add.name, "y");
  EXPECT_EQ(add.explicit_inputs, 2);
  EXPECT_THAT(add.sources, ElementsAre(0));
  EXPECT_EQ(model.graph.value(model.graph.inputs()[0]).info.to_string(), "float32 [N, 3]");
  EXPECT_EQ(model.graph.value(model.graph.outputs()[0]).info.to_string(), "float32 [N, 3]");
  EXPECT_THAT(model.graph.value(add.inputs[1]).constant.values<float>(), ElementsAre(1, 2, 3));
  EXPECT_EQ(model.source_nodes[0].op_type, "Add");
  EXPECT_THAT(model.warnings, IsEmpty());
}

TEST(LoadOnnx, what_the_file_says_of_itself_is_kept) {
  Message message = add_model();
  message.text(2, "exporter").text(3, "1.5").text(4, "org").number(5, 42).text(6, "doc");
  message.add(14, test::entry("key", "a value"));
  const Model model = test::load(message);
  EXPECT_EQ(model.producer_name + model.producer_version + model.domain + model.description, "exporter1.5orgdoc");
  EXPECT_EQ(model.model_version, 42);
  EXPECT_EQ(model.ir_version, 8);
  EXPECT_EQ(model.graph_name, "g");
  EXPECT_EQ(model.file_bytes, static_cast<int64_t>(message.bytes().size()));
  EXPECT_THAT(model.metadata, ElementsAre(std::pair<std::string, std::string>("key", "a value")));
}

TEST(LoadOnnx, weights_are_views_where_aligned_and_copies_where_not) {
  // Padding in front of the graph moves the raw data byte by byte: some place is aligned for float, most are not.
  int views = 0;
  for (size_t padding = 0; padding < 4; ++padding) {
    Message message = Message().text(6, std::string(padding, 'p'));
    const std::string bytes = message.bytes() + add_model().bytes();
    const auto owner = std::make_shared<std::string>(bytes);
    const Model model = load_onnx(std::as_bytes(std::span(owner->data(), owner->size())), owner, std::nullopt);
    const Tensor& weight = model.graph.value(model.graph.find_value("w")).constant;
    const auto* data = static_cast<const char*>(weight.data());
    views += data >= owner->data() && data < owner->data() + owner->size();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % alignof(float), 0u);
    EXPECT_THAT(weight.values<float>(), ElementsAre(1, 2, 3));
  }
  EXPECT_EQ(views, 1);
}

TEST(LoadOnnx, large_weights_are_views_at_any_place) {
  std::string data(80'000, '\0');
  data[4] = '\0', data[6] = static_cast<char>(0x80), data[7] = 0x3f;  // element 1 is 1.0f
  int aligned = 0;
  for (size_t padding = 0; padding < 4; ++padding) {
    const Message graph = TestGraph{.inputs = {value("x", {20'000})},
                                    .outputs = {value("y", {20'000})},
                                    .nodes = {node("Add", {"x", "w"}, {"y"})},
                                    .initializers = {test::raw_tensor("w", 1, {20'000}, data)}};
    const auto owner = std::make_shared<std::string>(Message().text(6, std::string(padding, 'p')).bytes() +
                                                     test::model(graph).bytes());
    const Model model = load_onnx(std::as_bytes(std::span(owner->data(), owner->size())), owner, std::nullopt);
    const Tensor& weight = model.graph.value(model.graph.find_value("w")).constant;
    const auto* place = static_cast<const char*>(weight.data());
    EXPECT_TRUE(place >= owner->data() && place < owner->data() + owner->size());
    EXPECT_EQ(weight.aligned().values<float>()[1], 1.0f);
    aligned += weight.is_aligned() ? 1 : 0;
    if (!weight.is_aligned()) {
      EXPECT_THAT(test::outcome([&] { weight.values<float>(); }), HasSubstr("take aligned() first"));
    }
  }
  EXPECT_EQ(aligned, 1);
}

TEST(LoadOnnx, weights_outlive_model_and_caller) {
  Tensor weight;
  {
    const Message message = add_model();
    const Model model = test::load(message);
    weight = model.graph.value(model.graph.find_value("w")).constant;
  }
  EXPECT_THAT(weight.values<float>(), ElementsAre(1, 2, 3));
}

TEST(LoadOnnx, files_are_read_from_their_path) {
  const auto path = std::filesystem::temp_directory_path() / ("overt_load_" + std::to_string(::getpid()) + ".onnx");
  std::ofstream(path) << add_model().bytes();
  EXPECT_EQ(load_onnx(path).graph.order().size(), 1u);
  std::ofstream(path) << "x";
  EXPECT_THAT(test::outcome([&] { load_onnx(path); }),
              HasSubstr("invalid_model: " + path.filename().string() + ": truncated"));
  std::filesystem::remove(path);
  EXPECT_THAT(test::outcome([&] { load_onnx(path); }), HasSubstr("invalid_argument: '" + path.string()));
  EXPECT_THAT(test::outcome([&] { load_onnx(path.parent_path()); }), HasSubstr("is a directory, expected a file"));
}

TEST(LoadOnnx, a_model_needs_graph_ir_and_opset) {
  const Message graph = TestGraph{.inputs = {value("x")}, .outputs = {value("x")}};
  EXPECT_THAT(load_outcome(Message().number(1, 8).add(8, test::opset("", 17))), HasSubstr("the model has no graph"));
  EXPECT_THAT(load_outcome(Message().number(1, 0).add(7, graph).add(8, test::opset("", 17))),
              HasSubstr("invalid_model: the IR version is 0, expected 1 or more"));
  EXPECT_THAT(load_outcome(Message().add(7, graph).add(8, test::opset("", 17))), HasSubstr("IR version is 0"));
  EXPECT_THAT(load_outcome(Message().number(1, 8).add(7, graph)), HasSubstr("imports no operator set"));
  EXPECT_THAT(load_outcome(add_model().add(7, graph)), HasSubstr("the model has a second graph"));
}

TEST(LoadOnnx, a_newer_ir_is_tried_with_a_warning) {
  Message message = Message().add(7, TestGraph{.inputs = {value("x")}, .outputs = {value("x")}}).number(1, 99);
  const Model model = test::load(message.add(8, test::opset("", 17)));
  EXPECT_THAT(model.warnings, ElementsAre("the IR version is 99, newer than 14, the newest one known here"));
}

TEST(LoadOnnx, domains_may_be_imported_twice_with_one_version) {
  EXPECT_EQ(load_outcome(add_model().add(8, test::opset("", 17))), "loaded");
  EXPECT_EQ(load_outcome(add_model().add(8, test::opset("ai.onnx", 17))), "loaded");
  EXPECT_EQ(load_outcome(add_model().add(8, test::opset("com.example.unused", 999))), "loaded");
  EXPECT_EQ(load_outcome(add_model().add(8, test::opset("ai.onnx", 18))),
            "invalid_model: the model imports domain 'ai.onnx' twice, with versions 17 and 18");
  EXPECT_THAT(load_outcome(add_model().add(8, test::opset("z", 0))), HasSubstr("imports version 0 of domain 'z'"));
}

TEST(LoadOnnx, a_node_of_a_domain_that_is_not_imported_is_refused) {
  EXPECT_EQ(load_outcome(test::x_to_y({node("Gelu", {"x"}, {"y"}, {}, "com.microsoft")})),
            "invalid_model: Gelu 'y' is of domain 'com.microsoft', which the model does not import");
}

TEST(LoadOnnx, initialized_inputs_are_defaults_from_ir_4_and_constants_before) {
  const Message graph = TestGraph{.inputs = {value("w"), value("x")},
                                  .outputs = {value("y")},
                                  .nodes = {node("Add", {"x", "w"}, {"y"})},
                                  .initializers = {test::scalar("w", 5)}};
  const Model newer = test::load(Message().number(1, 4).add(7, graph).add(8, test::opset("", 9)));
  EXPECT_THAT(newer.input_names, ElementsAre("w", "x"));
  ASSERT_EQ(newer.input_defaults.size(), 1u);
  EXPECT_EQ(newer.input_defaults[0].first, 0u);
  EXPECT_THAT(newer.input_defaults[0].second.values<float>(), ElementsAre(5));
  EXPECT_FALSE(newer.graph.value(newer.graph.find_value("w")).is_constant());

  const Model older = test::load(Message().number(1, 3).add(7, graph).add(8, test::opset("", 9)));
  EXPECT_THAT(older.input_names, ElementsAre("x"));
  EXPECT_THAT(older.input_defaults, IsEmpty());
  EXPECT_TRUE(older.graph.value(older.graph.find_value("w")).is_constant());
}

TEST(LoadOnnx, a_default_that_does_not_fit_its_input_is_refused) {
  EXPECT_THAT(load_outcome(test::model(TestGraph{
                  .inputs = {value("w", {2})}, .outputs = {value("w")}, .initializers = {test::scalar("w")}})),
              HasSubstr("input 'w' is declared as float32 [2] and its initializer is float32 [1]"));
}

TEST(LoadOnnx, unknown_lengths_get_symbols_of_their_own) {
  Message nameless;
  nameless.text(1, "z").add(2, Message().add(1, Message().number(1, 1).add(2, Message().add(1, Message()))));
  const Model model = test::load(
      test::model(TestGraph{.inputs = {value("x", {-1, "N", 0}), nameless, value("s")}, .outputs = {value("s")}}));
  const auto info = [&](size_t i) { return model.graph.value(model.graph.inputs()[i]).info.to_string(); };
  EXPECT_EQ(info(0), "float32 [?x.0, N, 0]");
  EXPECT_EQ(info(1), "float32 [?z.0]");
}

TEST(LoadOnnx, kinds_of_values_are_told_apart) {
  const auto typed = [](uint32_t field, const Message& type) {
    return Message().text(1, "x").add(2, Message().add(field, type));
  };
  const Message floats = Message().add(1, Message().number(1, 1));
  const auto info_of = [&](const Message& input) {
    const Model model = test::load(test::model(TestGraph{.inputs = {input}, .outputs = {value("x")}}));
    return model.graph.value(model.graph.inputs()[0]).info.to_string();
  };
  EXPECT_EQ(info_of(typed(4, Message().add(1, floats))), "sequence of float32 of unknown rank");
  EXPECT_EQ(info_of(typed(9, Message().add(1, Message().add(4, Message().add(1, floats))))),
            "optional float32 of unknown rank");
  EXPECT_EQ(info_of(typed(5, Message().number(1, 7).add(2, floats))), "map to float32 of unknown rank");
  const auto refused = [&](const Message& input) {
    return load_outcome(test::model(TestGraph{.inputs = {input}, .outputs = {value("x")}}));
  };
  EXPECT_THAT(refused(typed(8, Message().number(1, 1))), HasSubstr("unsupported: value 'x' is a sparse value"));
  Message nested = floats;
  for (int i = 0; i < 20; ++i) nested = Message().add(4, Message().add(1, nested));
  EXPECT_THAT(refused(Message().text(1, "x").add(2, nested)), HasSubstr("has a type nested more than 16 deep"));
  EXPECT_THAT(refused(value("x", {1}, 99)), HasSubstr("value 'x' has data type 99"));
  EXPECT_THAT(refused(Message().text(1, "x")), HasSubstr("graph input 'x' has no element type"));
  EXPECT_THAT(refused(value("x", {-5})), HasSubstr("value 'x' has the length -5 on axis 0, expected 0 or more"));
  EXPECT_THAT(refused(value("x", std::vector<test::TestDim>(65, 1))), HasSubstr("has more than 64 dims"));
}

TEST(LoadOnnx, names_are_bytes_and_are_escaped_in_messages) {
  const std::string odd("a\0%n\n\x1b[31m\xff", 11);
  EXPECT_EQ(load_outcome(test::model(TestGraph{.inputs = {value(odd)}, .outputs = {value(odd)}})), "loaded");
  EXPECT_THAT(load_outcome(test::x_to_y({node("Relu", {odd}, {"y"})})),
              HasSubstr("Relu 'y' reads 'a\\x00%n\\n\\x1b[31m\\xff' as input 0, which nothing gives"));
}

// Attributes.

std::string attribute_outcome(const std::vector<Message>& attributes) {
  return load_outcome(test::x_to_y({node("Relu", {"x"}, {"y"}, attributes)}));
}

TEST(LoadOnnx, attributes_of_each_type_are_read) {
  const Message type = Message().add(4, Message().add(1, Message().add(1, Message().number(1, 7))));
  const Model model = test::load(test::x_to_y(
      {node("Relu", {"x"}, {"y"},
            {attribute("f", 1).real(2, 0.5f), test::int_attribute("i", -3), attribute("s", 3).text(4, "text"),
             test::tensor_attribute("t", test::scalar("", 9)), attribute("floats", 6).real(7, 1).real(7, 2),
             attribute("ints", 7).packed(8, {1, -2}).number(8, 3), attribute("strings", 8).text(9, "a").text(9, "b"),
             attribute("empty", 7), attribute("zero", 2), Message().text(1, "old").number(3, 4),
             attribute("type", 13).add(14, type),
             attribute("sparse", 11)
                 .add(22, test::sparse_tensor(test::scalar("", 8), test::tensor_header("", 7, {1}).packed(7, {1}),
                                              {3}))})}));
  const Node& relu = model.graph.node(model.graph.order()[0]);
  EXPECT_EQ(relu.real("f", 0), 0.5f);
  EXPECT_EQ(relu.integer("i", 0), -3);
  EXPECT_EQ(relu.string("s", ""), "text");
  EXPECT_THAT(relu.tensor("t")->values<float>(), ElementsAre(9));
  EXPECT_THAT(relu.reals("floats"), ElementsAre(1, 2));
  EXPECT_THAT(relu.integers("ints"), ElementsAre(1, -2, 3));
  EXPECT_THAT(relu.strings("strings"), ElementsAre("a", "b"));
  EXPECT_TRUE(relu.has_attribute("empty"));
  EXPECT_THAT(relu.integers("empty"), IsEmpty());
  EXPECT_EQ(relu.integer("zero", 7), 0);
  EXPECT_EQ(relu.integer("old", 0), 4);
  const auto& type_attribute = std::get<TypeAttribute>(relu.find_attribute("type")->payload);
  EXPECT_EQ(type_attribute.kind, static_cast<uint8_t>(ValueKind::sequence));
  EXPECT_EQ(type_attribute.element, DataType::int64);
  EXPECT_THAT(std::get<Tensor>(relu.find_attribute("sparse")->payload).values<float>(), ElementsAre(0, 8, 0));
}

TEST(LoadOnnx, attributes_with_a_wrong_or_second_value_are_refused) {
  EXPECT_THAT(attribute_outcome({attribute("a", 2).number(3, 1).real(2, 1)}),
              HasSubstr("invalid_model: attribute 'a' has values in fields 3 and 2, expected one kind of value"));
  EXPECT_THAT(attribute_outcome({attribute("a", 1).number(3, 1)}), HasSubstr("Relu 'y': attribute 'a' at byte "));
  EXPECT_THAT(attribute_outcome({attribute("a", 1).number(3, 1)}), HasSubstr("is declared as float and holds int"));
  EXPECT_THAT(attribute_outcome({attribute("a", 2).number(3, 1).number(3, 2)}), HasSubstr("has its value twice"));
  EXPECT_THAT(attribute_outcome({attribute("a", 4)}), HasSubstr("is declared as tensor and holds nothing"));
  EXPECT_THAT(attribute_outcome({Message().text(1, "a")}), HasSubstr("has neither a type nor a value"));
  EXPECT_THAT(attribute_outcome({attribute("a", 99)}), HasSubstr("has type 99, expected a code from 1 to 14"));
  EXPECT_THAT(attribute_outcome({Message().number(3, 1)}), HasSubstr("has no name"));
  EXPECT_EQ(
      attribute_outcome({test::int_attribute("a", 1), test::int_attribute("b", 1), test::int_attribute("a", 2)}),
      "invalid_model: Relu 'y' has the attribute 'a' twice");
  EXPECT_THAT(attribute_outcome({attribute("a", 14).add(15, Message())}), HasSubstr("is a list of types"));
}

TEST(LoadOnnx, references_outside_functions_are_refused) {
  EXPECT_THAT(attribute_outcome({test::reference("a", 2, "alpha")}),
              HasSubstr("attribute 'a' refers to the function attribute 'alpha', and the node is in no function"));
}

TEST(LoadOnnx, nodes_without_a_type_are_refused) {
  EXPECT_THAT(load_outcome(test::x_to_y({node("", {"x"}, {"y"})})), HasSubstr("node 'y' at byte "));
}

}  // namespace
}  // namespace overt
