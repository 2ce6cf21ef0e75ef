#include "ops/grid_sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;

/// Samples the line 1 2 3 4 at normalised coordinates, with align_corners: -1 is the 1, 1 is the 4.
std::vector<float> sample(const char* mode, const char* padding, std::vector<float> coordinates) {
  const Node node =
      test_node("GridSample", 20,
                attribute_list(Attribute::of("mode", std::string(mode)), Attribute::of("align_corners", int64_t{1}),
                               Attribute::of("padding_mode", std::string(padding))),
                2);
  const Tensor grid = Tensor::of<float>({1, std::ssize(coordinates), 1}, std::span<const float>(coordinates));
  return values_of<float>(run_node(node, {Tensor::of<float>({1, 1, 4}, {1, 2, 3, 4}), grid}));
}

TEST(GridSample, linear_nearest_and_cubic) {
  EXPECT_THAT(sample("linear", "zeros", {-1, 0, 1}), ElementsAre(1, 2.5f, 4));
  EXPECT_THAT(sample("nearest", "zeros", {-1, -0.5f, 1}), ElementsAre(1, 2, 4));
  EXPECT_THAT(sample("cubic", "border", {0}), ElementsAre(FloatNear(2.5f, 1e-6f)));
}

TEST(GridSample, paddings) {
  const float step = 2.0f / 3;  // one element
  EXPECT_THAT(sample("nearest", "zeros", {1 + step}), ElementsAre(0));
  EXPECT_THAT(sample("nearest", "border", {1 + step}), ElementsAre(4));
  EXPECT_THAT(sample("nearest", "reflection", {1 + step, -1 - 2 * step}), ElementsAre(3, 3));
  EXPECT_THAT(sample("linear", "zeros", {1 + step / 2}), ElementsAre(FloatNear(2, 1e-5f)));
}

TEST(GridSample, nan_and_infinity_read_outside) {
  EXPECT_THAT(sample("linear", "zeros", {NAN, INFINITY, -INFINITY}), ElementsAre(0, 0, 0));
  EXPECT_THAT(sample("linear", "border", {NAN, INFINITY, -INFINITY}), ElementsAre(1, 4, 1));
}

TEST(GridSample, two_axes_have_the_last_coordinate_first) {
  const Tensor x = Tensor::of<float>({1, 1, 2, 2}, {1, 2, 3, 4});
  const Node node = test_node("GridSample", 16, attribute_list(Attribute::of("align_corners", int64_t{1})), 2);
  EXPECT_THAT(values_of<float>(run_node(node, {x, Tensor::of<float>({1, 1, 2, 2}, {1, -1, -1, 1})})),
              ElementsAre(2, 3));
}

TEST(GridSample, rejections) {
  EXPECT_THAT(message_of([] { sample("spline", "zeros", {0}); }), HasSubstr("mode is \"spline\""));
  EXPECT_THAT(message_of([] { sample("linear", "wrap", {0}); }), HasSubstr("padding_mode is \"wrap\""));
  EXPECT_THAT(message_of([] {
                run_node(test_node("GridSample", 20, {}, 2),
                         {Tensor(DataType::float32, {1, 1, 4}), Tensor(DataType::float32, {1, 2, 2})});
              }),
              HasSubstr("x [1, 1, 4] and grid [1, 2, 2] do not fit"));
  EXPECT_THAT(message_of([] {
                run_node(test_node("GridSample", 20, {}, 2),
                         {Tensor(DataType::float32, {1, 1, 0}), Tensor(DataType::float32, {1, 2, 1})});
              }),
              HasSubstr("an empty image"));
}

}  // namespace
}  // namespace overt
