#include <limits>

#include "vision/resize.h"
#include "vision/test_pictures.h"

namespace overt::vision {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using testing::flat;
using ::testing::HasSubstr;

/// A grey picture of the given rows.
Image grey(int width, const std::vector<uint8_t>& levels) {
  Image image{width, static_cast<int>(levels.size()) / width, {}};
  for (const uint8_t level : levels) image.pixels.insert(image.pixels.end(), {level, level, level});
  return image;
}

/// The red channel of the resized picture.
std::vector<int> resized(const Image& image, int width, int height) {
  RowResizer resizer(image, width, height);
  std::vector<float> planes(static_cast<size_t>(width) * 3);
  std::vector<int> red;
  for (int y = 0; y < height; ++y) {
    resizer.resize_row(y, planes);
    for (int x = 0; x < width; ++x) red.push_back(static_cast<int>(planes[static_cast<size_t>(x)]));
  }
  return red;
}

TEST(Resize, same_size_is_exact) {
  EXPECT_THAT(resized(grey(2, {0, 1, 254, 255}), 2, 2), ElementsAre(0, 1, 254, 255));
}

TEST(Resize, half_pixel_centres_when_enlarged) {
  EXPECT_THAT(resized(grey(2, {0, 100}), 4, 1), ElementsAre(0, 25, 75, 100));
  EXPECT_THAT(resized(grey(1, {0, 100}), 1, 4), ElementsAre(0, 25, 75, 100));
}

TEST(Resize, half_pixel_centres_when_halved) {
  EXPECT_THAT(resized(grey(4, {0, 100, 200, 50}), 2, 1), ElementsAre(50, 125));
  EXPECT_THAT(resized(grey(2, {0, 40, 80, 120}), 1, 1), ElementsAre(60));
}

// Positions -1/6 + 2/3 * i less than 0 take the border; 0.5 and 1.1667 mix.
TEST(Resize, by_three_halves) {
  EXPECT_THAT(resized(grey(2, {0, 120}), 3, 1), ElementsAre(0, 60, 120));
}

TEST(Resize, one_pixel_fills_any_size) {
  EXPECT_THAT(resized(grey(1, {200}), 2, 2), ElementsAre(200, 200, 200, 200));
}

TEST(Resize, rows_may_be_asked_for_in_any_order) {
  const Image image = grey(1, {0, 100, 200, 50});
  RowResizer resizer(image, 1, 8);
  std::vector<float> planes(3);
  const std::vector<int> expected = resized(image, 1, 8);
  for (const int y : {7, 0, 4, 3, 7, 1}) {
    resizer.resize_row(y, planes);
    EXPECT_EQ(planes[0], expected[static_cast<size_t>(y)]) << y;
  }
}

TEST(Letterbox, wide_picture_lies_at_the_top) {
  const Letterbox box = place_letterbox(768, 576, 416, 416, LetterboxAlign::top_left);
  EXPECT_DOUBLE_EQ(box.scale, 416.0 / 768.0);
  EXPECT_EQ(box.width, 416);
  EXPECT_EQ(box.height, 312);
  EXPECT_EQ(box.left, 0);
  EXPECT_EQ(box.top, 0);
}

TEST(Letterbox, centred_picture_has_equal_margins_the_smaller_first) {
  const Letterbox box = place_letterbox(10, 5, 7, 8, LetterboxAlign::centre);
  EXPECT_EQ(box.width, 7);
  EXPECT_EQ(box.height, 3);
  EXPECT_EQ(box.left, 0);
  EXPECT_EQ(box.top, 2);
}

TEST(Letterbox, extreme_proportions_keep_one_pixel) {
  EXPECT_EQ(place_letterbox(65535, 1, 416, 416, LetterboxAlign::top_left).height, 1);
}

TEST(Letterbox, sides_must_be_positive) {
  EXPECT_THAT(error_of([] { place_letterbox(5, 5, 0, 8, LetterboxAlign::centre); }).message(),
              HasSubstr("a picture of 5 x 5 into an input of 0 x 8: sides must be positive"));
}

TEST(Preprocess, default_is_bgr_planes_with_114_below) {
  const Image image{2, 1, {10, 20, 30, 40, 50, 60}};
  std::vector<float> out(12);
  preprocess(image, 2, 2, {}, out);
  EXPECT_THAT(out, ElementsAre(30, 60, 114, 114, 20, 50, 114, 114, 10, 40, 114, 114));
}

TEST(Preprocess, rgb_with_scale_mean_and_std_normalises_the_fill_too) {
  const Image image{1, 2, {10, 20, 30, 40, 50, 60}};
  const PreprocessOptions options{
      .order = ChannelOrder::rgb, .fill = 100, .scale = 0.5F, .mean = {1.0F, 2.0F, 3.0F}, .std = {2.0F, 4.0F, 8.0F}};
  std::vector<float> out(12);
  preprocess(image, 2, 2, options, out);
  EXPECT_THAT(out, ElementsAre(2, 24.5, 9.5, 24.5, 2, 12, 5.75, 12, 1.5, 5.875, 3.375, 5.875));
}

TEST(Preprocess, centred_picture_has_fill_on_both_sides) {
  const Image image{1, 3, flat(1, 3, {7, 7, 7})};
  std::vector<float> out(27);
  const Letterbox box = preprocess(image, 3, 3, {.align = LetterboxAlign::centre}, out);
  EXPECT_EQ(box.left, 1);
  out.resize(9);
  EXPECT_THAT(out, ElementsAre(114, 7, 114, 114, 7, 114, 114, 7, 114));
}

TEST(Preprocess, refuses_what_does_not_fit) {
  std::vector<float> out(11);
  const Image image{1, 1, {1, 2, 3}};
  EXPECT_THAT(error_of([&] { preprocess(image, 2, 2, {}, out); }).message(),
              HasSubstr("an input of 2 x 2 pixels needs 12 numbers, but the buffer holds 11"));
  out.resize(12);
  EXPECT_THAT(error_of([&] { preprocess({1, 1, {}}, 2, 2, {}, out); }).message(), HasSubstr("but it holds 0"));
  EXPECT_THAT(error_of([&] {
                preprocess(image, 2, 2, {.std = {1.0F, 0.0F, 1.0F}}, out);
              }).message(),
              HasSubstr("std 0 of channel 1 give no finite numbers"));
}

}  // namespace
}  // namespace overt::vision
