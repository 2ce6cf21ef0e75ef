#include "ops/layer_normalization.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Node exact(const char* type, int64_t axis, int inputs, int outputs = 1) {
  return test_node(type, 17, attribute_list(Attribute::of("epsilon", 0.0f), Attribute::of("axis", axis)), inputs,
                   outputs);
}

const Tensor kX = Tensor::of<float>({2, 2}, {1, 3, 10, 14});
const Tensor kScale = Tensor::of<float>({2}, {1, 2});

TEST(LayerNormalization, last_axis_with_scale_and_bias) {
  const Tensor bias = Tensor::of<float>({2}, {5, 6});
  EXPECT_THAT(values_of<float>(run_node(exact("LayerNormalization", -1, 3), {kX, kScale, bias})),
              ElementsAre(4, 8, 4, 8));
  EXPECT_THAT(values_of<float>(run_node(exact("LayerNormalization", -1, 2), {kX, kScale})),
              ElementsAre(-1, 2, -1, 2));
}

TEST(LayerNormalization, mean_and_inverse_deviation) {
  const std::vector<Tensor> y = evaluate_node(exact("LayerNormalization", 1, 2, 3), std::vector{kX, kScale});
  EXPECT_EQ(y[1].shape(), (Shape{2, 1}));
  EXPECT_THAT(values_of<float>(y[1]), ElementsAre(2, 12));
  EXPECT_THAT(values_of<float>(y[2]), ElementsAre(1, 0.5f));
}

TEST(LayerNormalization, axis_zero_takes_all_elements_and_scale_broadcasts) {
  const Tensor x = Tensor::of<float>({2, 2}, {-1, 1, -1, 1}), two = Tensor::of<float>({}, {2});
  const std::vector<Tensor> y = evaluate_node(exact("LayerNormalization", 0, 2, 2), std::vector{x, two});
  EXPECT_THAT(values_of<float>(y[0]), ElementsAre(-2, 2, -2, 2));
  EXPECT_EQ(y[1].shape(), (Shape{1, 1}));
}

TEST(LayerNormalization, stash_type_is_the_type_of_the_statistics) {
  const Tensor x = Tensor::of<Float16>({1, 2}, {Float16(1.0f), Float16(3.0f)});
  const Tensor scale = Tensor::of<Float16>({2}, {Float16(1.0f), Float16(1.0f)});
  const std::vector<Tensor> y = evaluate_node(exact("LayerNormalization", -1, 2, 2), std::vector{x, scale});
  EXPECT_THAT(floats_of<Float16>(y[0]), ElementsAre(-1, 1));
  EXPECT_THAT(values_of<float>(y[1]), ElementsAre(2));
}

TEST(RMSNormalization, divides_by_the_root_of_the_mean_square) {
  const Tensor x = Tensor::of<float>({1, 2}, {1, 7});
  EXPECT_THAT(values_of<float>(run_node(exact("RMSNormalization", -1, 2), {x, kScale})),
              ElementsAre(::testing::FloatNear(0.2f, 1e-6f), ::testing::FloatNear(2.8f, 1e-6f)));
}

TEST(LayerNormalization, shapes) {
  const ValueInfo x = ValueInfo::tensor(DataType::bfloat16, {Dim::symbol("B"), Dim::symbol("T"), 8});
  const std::vector<ValueInfo> y =
      infer(exact("LayerNormalization", 2, 2, 3), {x, ValueInfo::tensor(DataType::bfloat16, {8})});
  EXPECT_EQ(y[0].to_string(), "bfloat16 [B, T, 8]");
  EXPECT_EQ(y[2].to_string(), "float32 [B, T, 1]");
}

TEST(LayerNormalization, bad_attributes_and_shapes_are_rejected) {
  EXPECT_THAT(message_of([] {
                run_node(exact("LayerNormalization", 2, 2), {kX, kScale});
              }),
              HasSubstr("axis 2 is out of range"));
  EXPECT_THAT(message_of([] {
                run_node(exact("LayerNormalization", -1, 2), {kX, Tensor(DataType::float32, {3})});
              }),
              HasSubstr("[3] does not broadcast to [2, 2]"));
  Node node = exact("LayerNormalization", -1, 2);
  node.attributes.push_back(Attribute::of("stash_type", int64_t{7}));
  EXPECT_THAT(message_of([&] { infer(node, {kX, kScale}); }), HasSubstr("stash_type is 7"));
}

}  // namespace
}  // namespace overt
