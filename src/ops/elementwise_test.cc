#include "ops/elementwise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace overt {
namespace {

using ::testing::ElementsAre;

BroadcastLoop loop_of(Shape target, Shape a, Shape b) {
  const std::span<const int64_t> operands[] = {a.dims(), b.dims()};
  return broadcast_loop(target.dims(), operands);
}

TEST(BroadcastLoop, equal_shapes_are_one_run) {
  const BroadcastLoop loop = loop_of({2, 3, 4}, {2, 3, 4}, {2, 3, 4});
  EXPECT_THAT(loop.dims, ElementsAre(24));
  EXPECT_THAT(loop.strides, ElementsAre(ElementsAre(1), ElementsAre(1)));
}

TEST(BroadcastLoop, scalar_stands_still) {
  const BroadcastLoop loop = loop_of({2, 3}, {2, 3}, {});
  EXPECT_THAT(loop.dims, ElementsAre(6));
  EXPECT_THAT(loop.strides, ElementsAre(ElementsAre(1), ElementsAre(0)));
}

TEST(BroadcastLoop, channels_give_three_axes) {
  const BroadcastLoop loop = loop_of({2, 3, 4, 5}, {2, 3, 4, 5}, {3, 1, 1});
  EXPECT_THAT(loop.dims, ElementsAre(2, 3, 20));
  EXPECT_THAT(loop.strides, ElementsAre(ElementsAre(60, 20, 1), ElementsAre(0, 1, 0)));
}

TEST(BroadcastLoop, axes_of_length_one_are_left_out) {
  const BroadcastLoop loop = loop_of({2, 1, 3}, {2, 1, 3}, {1, 1, 3});
  EXPECT_THAT(loop.dims, ElementsAre(2, 3));
  EXPECT_THAT(loop_of({1, 1}, {1, 1}, {}).dims, ElementsAre(1));
  EXPECT_THAT(loop_of({}, {}, {}).dims, ElementsAre(1));
}

TEST(BroadcastLoop, empty_shape_has_no_step) {
  const BroadcastLoop loop = loop_of({0, 3}, {1, 3}, {0, 3});
  int64_t elements = 0;
  for (StridedWalk walk = loop.runs(); !walk.done(); walk.next()) elements += loop.run();
  EXPECT_EQ(elements, 0);
}

TEST(Saturate, out_of_range_is_clamped_and_nan_is_zero) {
  EXPECT_EQ(saturate<int32_t>(-2.9), -2);
  EXPECT_EQ(saturate<int32_t>(1e20), INT32_MAX);
  EXPECT_EQ(saturate<int64_t>(-1e20), INT64_MIN);
  EXPECT_EQ(saturate<int64_t>(9223372036854775807.0), INT64_MAX);
  EXPECT_EQ(saturate<uint64_t>(1e30), UINT64_MAX);
  EXPECT_EQ(saturate<uint8_t>(-1.0), 0);
  EXPECT_EQ(saturate<int32_t>(std::numeric_limits<double>::quiet_NaN()), 0);
}

}  // namespace
}  // namespace overt
