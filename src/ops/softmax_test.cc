#include "ops/softmax.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::IsNan;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Node softmax(int since_version, std::vector<Attribute> attributes = {}) {
  return test_node("Softmax", since_version, std::move(attributes));
}

Node softmax_of_axis(int64_t axis, int since_version) {
  return softmax(since_version, attribute_list(Attribute::of("axis", axis)));
}

// exp(0), exp(ln 2) and exp(ln 5) have the sum 8.
const std::initializer_list<float> kLogarithms = {0.0f, std::log(2.0f), std::log(5.0f)};

TEST(Softmax, row_sums_to_one) {
  const Tensor y = run_node(softmax(13), {Tensor::of<float>({1, 3}, kLogarithms)});
  EXPECT_THAT(values_of<float>(y),
              ElementsAre(FloatNear(0.125f, 1e-6f), FloatNear(0.25f, 1e-6f), FloatNear(0.625f, 1e-6f)));
}

TEST(Softmax, default_axis_is_the_last_one_since_opset_13_and_flattens_from_axis_1_before) {
  const Tensor zeros(DataType::float32, {2, 3, 4});
  EXPECT_THAT(values_of<float>(run_node(softmax(13), {zeros})), Each(0.25f));
  EXPECT_THAT(values_of<float>(run_node(softmax(11), {zeros})), Each(FloatNear(1.0f / 12, 1e-7f)));
}

TEST(Softmax, axis_zero_of_rank_three_opset_12) {
  const Tensor y = run_node(softmax_of_axis(0, 11), {Tensor(DataType::float32, {2, 2, 2})});
  EXPECT_THAT(values_of<float>(y), Each(0.125f));
}

TEST(Softmax, negative_axis_in_the_middle_walks_with_a_stride) {
  const Tensor x = Tensor::of<float>({1, 2, 2}, {0.0f, 5.0f, std::log(3.0f), 5.0f});
  const Tensor y = run_node(softmax_of_axis(-2, 13), {x});
  EXPECT_THAT(values_of<float>(y), ElementsAre(FloatNear(0.25f, 1e-6f), 0.5f, FloatNear(0.75f, 1e-6f), 0.5f));
}

TEST(Softmax, large_numbers_do_not_overflow) {
  EXPECT_THAT(values_of<float>(run_node(softmax(13), {Tensor::of<float>({2}, {1e30f, 1e30f})})), Each(0.5f));
}

TEST(Softmax, nan_and_infinity_spoil_their_row_alone) {
  const Tensor x = Tensor::of<float>({4, 2}, {NAN, 1.0f, kInfinity, 1.0f, -kInfinity, -kInfinity, -kInfinity, 1.0f});
  const std::vector<float> y = values_of<float>(run_node(softmax(13), {x}));
  EXPECT_THAT(std::span(y).first(2), Each(IsNan()));
  EXPECT_THAT(y[2], IsNan());
  EXPECT_THAT(std::span(y).subspan(4, 2), Each(IsNan()));
  EXPECT_THAT(std::span(y).last(2), ElementsAre(0.0f, 1.0f));
}

TEST(Softmax, empty_dims_and_one_element) {
  EXPECT_EQ(run_node(softmax(13), {Tensor(DataType::float32, {0, 3})}).shape(), (Shape{0, 3}));
  EXPECT_EQ(run_node(softmax(13), {Tensor(DataType::float32, {3, 0})}).shape(), (Shape{3, 0}));
  EXPECT_THAT(values_of<float>(run_node(softmax(13), {Tensor::of<float>({1}, {7.0f})})), ElementsAre(1.0f));
}

TEST(Softmax, sixteen_bit_floats_are_computed_in_float) {
  const Tensor x = Tensor::of<BFloat16>({2}, {BFloat16(1.0f), BFloat16(1.0f)});
  EXPECT_THAT(floats_of<BFloat16>(run_node(softmax(13), {x})), Each(0.5f));
  EXPECT_THAT(message_of([] { run_node(softmax(13), {Tensor(DataType::int32, {2})}); }),
              "Softmax has no kernel for int32 elements");
}

TEST(LogSoftmax, is_the_logarithm) {
  const Tensor y = run_node(test_node("LogSoftmax", 13), {Tensor::of<double>({2}, {1000.0, 1000.0})});
  EXPECT_THAT(values_of<double>(y), Each(std::log(0.5)));
}

TEST(Softmax, shape_goes_through_with_its_names) {
  const ValueInfo x = ValueInfo::tensor(DataType::float16, {Dim::symbol("N"), Dim(3)});
  EXPECT_EQ(infer(softmax(13), {x})[0].to_string(), "float16 [N, 3]");
}

TEST(Softmax, axis_out_of_range_names_the_node_and_the_range) {
  Node node = softmax_of_axis(7, 13);
  node.name = "attn";
  const std::string expected = "Softmax 'attn': axis 7 is out of range for an input of rank 2, expected -2 to 1";
  EXPECT_EQ(message_of([&] { infer(node, {ValueInfo::tensor(DataType::float32, {2, 3})}); }), expected);
  EXPECT_EQ(message_of([&] { run_node(node, {Tensor(DataType::float32, {2, 3})}); }), expected);
}

}  // namespace
}  // namespace overt
