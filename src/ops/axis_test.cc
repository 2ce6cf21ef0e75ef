#include "ops/axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::HasSubstr;

TEST(Axis, negative_counts_from_the_end) {
  const Node node = test_node("Any", 1);
  EXPECT_EQ(checked_axis(node, -1, 3), 2);
  EXPECT_EQ(checked_axis(node, -3, 3), 0);
  EXPECT_EQ(checked_axis(node, 2, 3), 2);
  EXPECT_THAT(message_of([&] { checked_axis(node, 3, 3); }),
              HasSubstr("axis 3 is out of range for rank 3, expected -3 to 2"));
  EXPECT_THAT(message_of([&] { checked_axis(node, INT64_MIN, 3); }), HasSubstr("is out of range for rank 3"));
  EXPECT_THAT(message_of([&] { checked_axis(node, 0, 0); }), HasSubstr("a scalar has no axis 0"));
}

TEST(Axis, tensor_is_split_around_an_axis) {
  constexpr int64_t kDims[] = {2, 3, 4, 5};
  const AxisSplit at = split_at(kDims, 1);
  EXPECT_EQ(at.outer, 2);
  EXPECT_EQ(at.length, 3);
  EXPECT_EQ(at.inner, 20);
  const AxisSplit from = split_from(kDims, 2);
  EXPECT_EQ(from.outer, 6);
  EXPECT_EQ(from.length, 20);
  EXPECT_EQ(from.inner, 1);
}

}  // namespace
}  // namespace overt
