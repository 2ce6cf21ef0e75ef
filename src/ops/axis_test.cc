#include "ops/axis.h"

#include <gtest/gtest.h>

namespace overt {
namespace {

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
