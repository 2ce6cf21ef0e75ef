#include "ops/top_k.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Node top_k(int64_t axis, int64_t largest = 1) {
  return test_node("TopK", 11, attribute_list(Attribute::of("axis", axis), Attribute::of("largest", largest)), 2, 2);
}

Tensor k_of(int64_t k) {
  return Tensor::of<int64_t>({1}, {k});
}

TEST(TopK, largest_and_smallest_in_order) {
  const Tensor x = Tensor::of<float>({2, 4}, {0, 3, 2, 1, 7, 4, 6, 5});
  const std::vector<Tensor> largest = evaluate_node(top_k(-1), std::vector{x, k_of(3)});
  EXPECT_EQ(largest[0].shape(), (Shape{2, 3}));
  EXPECT_THAT(values_of<float>(largest[0]), ElementsAre(3, 2, 1, 7, 6, 5));
  EXPECT_THAT(values_of<int64_t>(largest[1]), ElementsAre(1, 2, 3, 0, 2, 3));
  const std::vector<Tensor> smallest = evaluate_node(top_k(0, 0), std::vector{x, k_of(1)});
  EXPECT_THAT(values_of<float>(smallest[0]), ElementsAre(0, 3, 2, 1));
  EXPECT_THAT(values_of<int64_t>(smallest[1]), ElementsAre(0, 0, 0, 0));
}

TEST(TopK, equal_elements_keep_their_order) {
  const Tensor x = Tensor::of<int64_t>({4}, {1, 2, 2, 1});
  EXPECT_THAT(values_of<int64_t>(evaluate_node(top_k(0), std::vector{x, k_of(4)})[1]), ElementsAre(1, 2, 0, 3));
  EXPECT_THAT(values_of<int64_t>(evaluate_node(top_k(0, 0), std::vector{x, k_of(4)})[1]), ElementsAre(0, 3, 1, 2));
}

TEST(TopK, nan_is_larger_than_any_number) {
  const Tensor x = Tensor::of<float>({3}, {1, kNan, std::numeric_limits<float>::infinity()});
  EXPECT_THAT(values_of<int64_t>(evaluate_node(top_k(0), std::vector{x, k_of(3)})[1]), ElementsAre(1, 2, 0));
  EXPECT_THAT(values_of<int64_t>(evaluate_node(top_k(0, 0), std::vector{x, k_of(3)})[1]), ElementsAre(0, 2, 1));
}

TEST(TopK, sixteen_bit_floats_and_bytes) {
  const Tensor half = Tensor::of<Float16>({2}, {Float16(-2.0f), Float16(1.0f)});
  EXPECT_THAT(floats_of<Float16>(run_node(top_k(0), {half, k_of(1)})), ElementsAre(1));
  EXPECT_THAT(values_of<uint8_t>(run_node(top_k(0), {Tensor::of<uint8_t>({3}, {1, 255, 7}), k_of(2)})),
              ElementsAre(255, 7));
}

TEST(TopK, k_of_zero_and_empty_input_give_nothing) {
  const Tensor x = Tensor::of<float>({2}, {1, 2});
  EXPECT_EQ(run_node(top_k(0), {x, k_of(0)}).shape(), Shape{0});
  EXPECT_EQ(run_node(top_k(1), {Tensor(DataType::float32, {0, 3}), k_of(2)}).shape(), (Shape{0, 2}));
}

TEST(TopK, k_is_an_attribute_in_opset_one) {
  const Node node = test_node("TopK", 1, attribute_list(Attribute::of("k", int64_t{2})), 1, 2);
  const Tensor x = Tensor::of<float>({3}, {1, 3, 2});
  EXPECT_THAT(values_of<float>(run_node(node, {x})), ElementsAre(3, 2));
  EXPECT_EQ(*infer(node, {x})[1].shape, Dims{Dim(2)});
  EXPECT_THAT(message_of([&] { infer(test_node("TopK", 1, {}, 1, 2), {x}); }),
              HasSubstr("the attribute k is missing"));
}

TEST(TopK, k_out_of_range_is_an_error) {
  const Tensor x = Tensor::of<float>({2}, {1, 2});
  EXPECT_THAT(message_of([&] {
                infer(top_k(0), {x, k_of(3)});
              }),
              HasSubstr("k is 3, expected 0 to 2, the length of the axis"));
  EXPECT_THAT(message_of([&] { run_node(top_k(0), {x, k_of(-1)}); }), HasSubstr("k is -1, expected 0 to 2"));
  EXPECT_THAT(message_of([&] { run_node(top_k(0), {x, k_of(INT64_MAX)}); }), HasSubstr("expected 0 to 2"));
  EXPECT_THAT(message_of([&] {
                infer(top_k(2), {x, k_of(1)});
              }),
              HasSubstr("axis 2 is out of range for an input of rank 1"));
  EXPECT_THAT(message_of([&] {
                run_node(top_k(0), {x, Tensor::of<int64_t>({2}, {1, 1})});
              }),
              HasSubstr("k has shape [2], expected [1]"));
}

TEST(TopK, inference_follows_k) {
  const Dim n = Dim::symbol("N");
  const ValueInfo x = ValueInfo::tensor(DataType::float32, {Dim(2), n});
  EXPECT_EQ(*infer(top_k(-1), {x, known_vector({n})})[0].shape, (Dims{Dim(2), n}));
  const std::vector<ValueInfo> unknown = infer(top_k(-1), {x, ValueInfo::tensor(DataType::int64, {Dim(1)})});
  EXPECT_EQ(unknown[0].rank(), 2);
  EXPECT_EQ(*unknown[0].shape, *unknown[1].shape);
  EXPECT_EQ(unknown[1].type, DataType::int64);
}

}  // namespace
}  // namespace overt
