#include "ops/schema.h"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <tuple>

namespace overt {
namespace {

using testing::ElementsAre;

std::vector<std::string> names(std::span<const ParameterSchema> parameters) {
  std::vector<std::string> all;
  for (const ParameterSchema& parameter : parameters) all.emplace_back(parameter.name);
  return all;
}

TEST(Schema, version_is_the_newest_that_is_not_newer_than_the_opset) {
  EXPECT_EQ(find_schema("", "Conv", 10)->since_version, 1);
  EXPECT_EQ(find_schema("", "Conv", 11)->since_version, 11);
  EXPECT_EQ(find_schema("", "Conv", 21)->since_version, 11);
  EXPECT_EQ(find_schema("", "Conv", 22)->since_version, 22);
  EXPECT_EQ(find_schema("", "Conv", 1000)->since_version, 22);
}

TEST(Schema, ai_onnx_is_the_empty_domain) {
  EXPECT_EQ(find_schema("ai.onnx", "Relu", 14), find_schema("", "Relu", 14));
  EXPECT_EQ(latest_opset("ai.onnx"), 28);
}

TEST(Schema, null_for_what_the_standard_does_not_have) {
  EXPECT_EQ(find_schema("", "Conv", 0), nullptr);
  EXPECT_EQ(find_schema("", "LayerNormalization", 16), nullptr);
  EXPECT_EQ(find_schema("", "Convolution", 20), nullptr);
  EXPECT_EQ(find_schema("", "", 20), nullptr);
  EXPECT_EQ(find_schema("", "Abs", -1), nullptr);
  EXPECT_EQ(find_schema("com.microsoft", "Conv", 20), nullptr);
  EXPECT_EQ(find_schema("ai.onnx.ml", "Conv", 20), nullptr);
}

TEST(Schema, latest_opset_of_each_domain) {
  EXPECT_EQ(latest_opset(""), 28);
  EXPECT_EQ(latest_opset("ai.onnx.ml"), 5);
  EXPECT_EQ(latest_opset("ai.onnx.preview"), 1);
  EXPECT_EQ(latest_opset("ai.onnx.preview.training"), 1);
  EXPECT_EQ(latest_opset("com.microsoft"), 0);
}

TEST(Schema, table_has_every_version_once_and_in_order) {
  const auto schemas = all_schemas();
  EXPECT_EQ(schemas.size(), 659u);
  std::set<std::string_view> operators;
  for (size_t i = 0; i < schemas.size(); ++i) {
    const OpSchema& schema = schemas[i];
    if (schema.domain.empty()) operators.insert(schema.name);
    if (i == 0) continue;
    const OpSchema& before = schemas[i - 1];
    EXPECT_LT(std::tuple(before.domain, before.name, before.since_version),
              std::tuple(schema.domain, schema.name, schema.since_version));
  }
  EXPECT_EQ(operators.size(), 203u);
}

TEST(Schema, every_entry_is_found_under_its_own_version) {
  for (const OpSchema& schema : all_schemas()) {
    EXPECT_EQ(find_schema(schema.domain, schema.name, schema.since_version), &schema) << schema.name;
  }
}

TEST(Schema, conv_11_parameters_and_attributes) {
  const OpSchema& conv = *find_schema("", "Conv", 11);
  EXPECT_FALSE(conv.deprecated);
  EXPECT_THAT(names(conv.inputs), ElementsAre("X", "W", "B"));
  EXPECT_THAT(names(conv.outputs), ElementsAre("Y"));
  EXPECT_EQ(std::tuple(conv.min_inputs, conv.max_inputs, conv.min_outputs, conv.max_outputs), std::tuple(2, 3, 1, 1));
  EXPECT_EQ(conv.inputs[1].option, ParameterOption::single);
  EXPECT_EQ(conv.inputs[2].option, ParameterOption::optional);
  EXPECT_EQ(conv.inputs[2].type, "T");
  EXPECT_EQ(conv.inputs[0].types->tensors,
            TypeSet::bit(DataType::float32) | TypeSet::bit(DataType::float64) | TypeSet::bit(DataType::float16));
  ASSERT_EQ(conv.attributes.size(), 6u);
  const AttributeSchema& group = *conv.find_attribute("group");
  EXPECT_EQ(group.type, AttributeType::integer);
  EXPECT_FALSE(group.required);
  EXPECT_EQ(std::get<int64_t>(group.default_value), 1);
  EXPECT_EQ(std::get<std::string_view>(conv.find_attribute("auto_pad")->default_value), "NOTSET");
  EXPECT_EQ(conv.find_attribute("pads")->type, AttributeType::integers);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(conv.find_attribute("pads")->default_value));
  EXPECT_EQ(conv.find_attribute("padding"), nullptr);
}

TEST(Schema, defaults_of_reals_and_lists_are_exact) {
  const OpSchema& clip = *find_schema("", "Clip", 6);
  EXPECT_EQ(std::get<float>(clip.find_attribute("max")->default_value), std::numeric_limits<float>::max());
  EXPECT_EQ(std::get<float>(clip.find_attribute("min")->default_value), std::numeric_limits<float>::lowest());
  EXPECT_EQ(std::get<float>(find_schema("", "Selu", 6)->find_attribute("alpha")->default_value),
            1.67326319217681884765625f);
  const AttributeSchema& axes = *find_schema("", "MeanVarianceNormalization", 13)->find_attribute("axes");
  EXPECT_THAT(std::get<std::span<const int64_t>>(axes.default_value), ElementsAre(0, 2, 3));
  const AttributeSchema& activations = *find_schema("", "RNN", 14)->find_attribute("activations");
  EXPECT_THAT(std::get<std::span<const std::string_view>>(activations.default_value), ElementsAre("Tanh", "Tanh"));
}

TEST(Schema, required_attributes_say_so) {
  EXPECT_TRUE(find_schema("", "Concat", 13)->find_attribute("axis")->required);
  EXPECT_EQ(find_schema("", "Loop", 25)->find_attribute("body")->type, AttributeType::graph);
  EXPECT_TRUE(find_schema("", "Loop", 25)->find_attribute("body")->required);
}

TEST(Schema, variadic_parameters_have_no_upper_count) {
  const OpSchema& concat = *find_schema("", "Concat", 13);
  EXPECT_EQ(concat.max_inputs, OpSchema::kUnlimited);
  EXPECT_EQ(concat.inputs[0].option, ParameterOption::variadic);
  EXPECT_TRUE(concat.inputs[0].homogeneous);
  EXPECT_EQ(concat.inputs[0].min_count, 1);
  const OpSchema& loop = *find_schema("", "Loop", 25);
  EXPECT_FALSE(loop.inputs[2].homogeneous);
  EXPECT_EQ(loop.inputs[2].min_count, 0);
  EXPECT_EQ(loop.max_outputs, OpSchema::kUnlimited);
}

TEST(Schema, deprecated_versions_are_found_and_say_so) {
  EXPECT_TRUE(find_schema("", "Upsample", 13)->deprecated);
  EXPECT_FALSE(find_schema("", "Upsample", 9)->deprecated);
  EXPECT_TRUE(find_schema("", "GroupNormalization", 18)->deprecated);
  EXPECT_FALSE(find_schema("", "GroupNormalization", 21)->deprecated);
  EXPECT_TRUE(find_schema("ai.onnx.ml", "TreeEnsembleRegressor", 5)->deprecated);
}

TEST(Schema, type_sets_tell_tensors_sequences_optionals_and_maps_apart) {
  const TypeSet& identity = *find_schema("", "Identity", 16)->inputs[0].types;
  EXPECT_TRUE(identity.has_tensor(DataType::string));
  EXPECT_TRUE(identity.has_sequence(DataType::float32));
  EXPECT_TRUE(identity.has_optional_tensor(DataType::complex64));
  EXPECT_TRUE(identity.has_optional_sequence(DataType::int64));
  EXPECT_FALSE(identity.has_sequence(DataType::bfloat16));
  EXPECT_FALSE(identity.has_tensor(DataType::int4));

  const TypeSet& at = *find_schema("", "SequenceAt", 11)->inputs[0].types;
  EXPECT_EQ(at.tensors, 0u);
  EXPECT_TRUE(at.has_sequence(DataType::float64));

  const TypeSet& zip = *find_schema("ai.onnx.ml", "ZipMap", 1)->outputs[0].types;
  EXPECT_EQ(zip.tensors | zip.sequences, 0u);
  EXPECT_EQ(zip.map_sequences, TypeSet::map_bit(DataType::string, DataType::float32) |
                                   TypeSet::map_bit(DataType::int64, DataType::float32));
  EXPECT_EQ(TypeSet::map_bit(DataType::float32, DataType::float32), 0);
}

TEST(Schema, a_parameter_of_one_type_names_it) {
  const ParameterSchema& shape = find_schema("", "Reshape", 14)->inputs[1];
  EXPECT_EQ(shape.type, "tensor(int64)");
  EXPECT_EQ(shape.types->tensors, TypeSet::bit(DataType::int64));
}

}  // namespace
}  // namespace overt
