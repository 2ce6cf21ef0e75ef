#include "ops/roi_align.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Tensor kImage = Tensor::of<float>({1, 1, 3, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8});

template <typename... Attributes>
Node roi_align(Attributes... attributes) {
  return test_node("RoiAlign", 16, attribute_list(std::move(attributes)...), 3);
}

std::vector<float> align(const Node& node, std::initializer_list<float> region, int64_t image = 0) {
  return values_of<float>(
      run_node(node, {kImage, Tensor::of<float>({1, 4}, region), Tensor::of<int64_t>({1}, {image})}));
}

TEST(RoiAlign, mean_of_the_samples_in_each_bin) {
  const auto mode = [] { return Attribute::of("coordinate_transformation_mode", std::string("output_half_pixel")); };
  EXPECT_THAT(align(roi_align(mode()), {0, 0, 2, 2}), ElementsAre(4));
  EXPECT_THAT(align(roi_align(mode(), Attribute::of("output_width", int64_t{2})), {0, 0, 2, 2}),
              ElementsAre(3.5f, 4.5f));
  EXPECT_THAT(align(roi_align(), {0.5f, 0.5f, 2.5f, 2.5f}), ElementsAre(4));
}

TEST(RoiAlign, samples_outside_the_image_count_as_zero) {
  EXPECT_THAT(align(roi_align(Attribute::of("sampling_ratio", int64_t{1})), {-9, -9, -8, -8}), ElementsAre(0));
  EXPECT_THAT(align(roi_align(), {-1e30f, -1e30f, 1e30f, 1e30f}), Each(0));
  EXPECT_THAT(align(roi_align(), {NAN, 0, 1, 1}), Each(0));
}

TEST(RoiAlign, maximum_of_the_weighted_corners) {
  const Node node = roi_align(Attribute::of("mode", std::string("max")), Attribute::of("sampling_ratio", int64_t{1}));
  EXPECT_THAT(align(node, {1, 1, 3, 3}), ElementsAre(8 * 0.25f));
}

TEST(RoiAlign, shape_and_rejections) {
  const ValueInfo n = ValueInfo::tensor(DataType::float32, {Dim::symbol("R"), 4}),
                  b = ValueInfo::tensor(DataType::int64, {Dim::symbol("R")});
  EXPECT_EQ(infer(roi_align(Attribute::of("output_height", int64_t{7})), {kImage, n, b})[0].to_string(),
            "float32 [R, 1, 7, 1]");
  EXPECT_THAT(message_of([] {
                align(roi_align(), {0, 0, 1, 1}, 1);
              }),
              HasSubstr("batch index 1 is out of range, expected 0 to 0"));
  EXPECT_THAT(message_of([] { align(roi_align(), {0, 0, 1, 1}, -1); }), HasSubstr("batch index -1"));
  EXPECT_THAT(message_of([] {
                align(roi_align(Attribute::of("sampling_ratio", int64_t{1} << 40)), {0, 0, 1, 1});
              }),
              HasSubstr("sampling_ratio is 1099511627776"));
  EXPECT_THAT(message_of([] {
                align(roi_align(Attribute::of("output_height", int64_t{0})), {0, 0, 1, 1});
              }),
              HasSubstr("output_height is 0"));
  EXPECT_THAT(message_of([] {
                align(roi_align(Attribute::of("mode", std::string("sum"))), {0, 0, 1, 1});
              }),
              HasSubstr("mode is \"sum\""));
}

}  // namespace
}  // namespace overt
