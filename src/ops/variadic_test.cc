#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsNan;

TEST(Variadic, inputs_are_broadcast_together) {
  const Tensor a = Tensor::of<float>({2, 1}, {1, 2});
  const Tensor b = Tensor::of<float>({3}, {10, 20, 30});
  const Tensor c = Tensor::of<float>({}, {100});
  const Tensor sum = run_node(test_node("Sum", 13, {}, 3), {a, b, c});
  EXPECT_EQ(sum.shape(), (Shape{2, 3}));
  EXPECT_THAT(values_of<float>(sum), ElementsAre(111, 121, 131, 112, 122, 132));
  EXPECT_THAT(values_of<float>(run_node(test_node("Mean", 13, {}, 3), {a, b, c})),
              ElementsAre(37, 121.0f / 3, 131.0f / 3, 112.0f / 3, 122.0f / 3, 44));
  EXPECT_EQ(*infer(test_node("Sum", 13, {}, 3), {a, b, c})[0].shape, (Dims{Dim(2), Dim(3)}));
}

TEST(Variadic, one_input_is_copied) {
  EXPECT_THAT(values_of<int64_t>(run_node(test_node("Max", 13), {Tensor::of<int64_t>({2}, {-4, 5})})),
              ElementsAre(-4, 5));
}

TEST(Variadic, nan_of_any_input_wins) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor a = Tensor::of<float>({3}, {nan, 1, 3});
  const Tensor b = Tensor::of<float>({3}, {1, nan, 2});
  EXPECT_THAT(values_of<float>(run_node(test_node("Max", 13, {}, 2), {a, b})), ElementsAre(IsNan(), IsNan(), 3));
  EXPECT_THAT(values_of<float>(run_node(test_node("Min", 13, {}, 2), {a, b})), ElementsAre(IsNan(), IsNan(), 2));
}

TEST(Variadic, contents_of_min_and_max) {
  const Dim n = Dim::symbol("N");
  const Tensor one = Tensor::of<int64_t>({1}, {1});
  EXPECT_EQ(*infer(test_node("Max", 13, {}, 2), {known_vector({n, Dim(-1)}), one})[0].elements, (Dims{n, Dim(1)}));
  EXPECT_EQ(*infer(test_node("Min", 13, {}, 2), {known_vector({n, Dim(-1)}), one})[0].elements,
            (Dims{Dim(1), Dim(-1)}));
}

TEST(Variadic, shape_that_does_not_fit_is_named) {
  const Tensor a = Tensor::of<float>({2}, {1, 2});
  const Tensor b = Tensor::of<float>({3}, {1, 2, 3});
  EXPECT_THAT(message_of([&] {
                infer(test_node("Sum", 13, {}, 3), {a, a, b});
              }),
              HasSubstr("shape [3] of input 2 does not broadcast with [2]"));
}

}  // namespace
}  // namespace overt
