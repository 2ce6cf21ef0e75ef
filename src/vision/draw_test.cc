#include <algorithm>
#include <limits>
#include <set>

#include "vision/canvas.h"
#include "vision/test_pictures.h"

namespace overt::vision {
namespace {

using testing::error_of;
using testing::expect_pixel;
using testing::flat;
using ::testing::HasSubstr;
using testing::pixel;

constexpr std::array<int, 3> kGrey = {90, 90, 90};

Image grey(int width, int height) {
  return {width, height, flat(width, height, {90, 90, 90})};
}

/// Pixels in a rectangle that are not the grey of the background.
int count_drawn(const Image& image, const Rect& rect) {
  int count = 0;
  for (int y = rect.top; y < rect.bottom; ++y) {
    for (int x = rect.left; x < rect.right; ++x) count += pixel(image, x, y) != kGrey ? 1 : 0;
  }
  return count;
}

TEST(Draw, frame_lies_on_the_edges_of_the_box) {
  Image image = grey(100, 100);
  draw_detections(image, {{{0, "", 0.5F, {20, 40, 60, 80}}}});
  const std::array<int, 3> colour = pixel(image, 20, 79);
  EXPECT_NE(colour, kGrey);
  expect_pixel(image, 59, 60, colour);  // right edge, inside
  expect_pixel(image, 20, 60, colour);  // left edge
  expect_pixel(image, 40, 79, colour);  // bottom edge, inside
  expect_pixel(image, 40, 80, kGrey);   // below
  expect_pixel(image, 60, 60, kGrey);   // right of it
  expect_pixel(image, 19, 60, kGrey);   // left of it
  expect_pixel(image, 40, 60, kGrey);   // inside
}

TEST(Draw, label_stands_above_the_box_in_the_colour_of_the_frame) {
  Image image = grey(100, 100);
  draw_detections(image, {{{0, "", 0.5F, {20, 40, 60, 80}}}});
  // 9 pixels of capital height make 19 * 0.75 = 15 of label height: rows 25 to 39.
  expect_pixel(image, 20, 25, pixel(image, 20, 79));
  expect_pixel(image, 20, 24, kGrey);
}

TEST(Draw, label_has_letters_that_contrast_with_it) {
  for (int class_id = 0; class_id < 80; ++class_id) {
    Image image = grey(100, 100);
    draw_detections(image, {{{class_id, "L", 0.5F, {20, 40, 60, 80}}}});
    const std::array<int, 3> ground = pixel(image, 20, 25);
    int farthest = 0;
    for (int y = 25; y < 40; ++y) {
      for (int x = 20; x < 50; ++x) {
        int luma = 0;
        for (int c = 0; c < 3; ++c) {
          const auto at = static_cast<size_t>(c);
          luma += std::array{299, 587, 114}[at] * (pixel(image, x, y)[at] - ground[at]);
        }
        farthest = std::max(farthest, std::abs(luma) / 1000);
      }
    }
    EXPECT_GT(farthest, 90) << class_id;
  }
}

TEST(Draw, colours_of_neighbouring_classes_differ) {
  std::vector<std::array<int, 3>> colours;
  for (int class_id = 0; class_id < 20; ++class_id) {
    Image image = grey(40, 40);
    draw_detections(image, {{{class_id, "", 0.5F, {0, 20, 40, 40}}}});
    colours.push_back(pixel(image, 0, 39));
  }
  for (size_t a = 0; a < colours.size(); ++a) {
    for (size_t b = 0; b < a; ++b) {
      int difference = 0;
      for (size_t c = 0; c < 3; ++c) difference += std::abs(colours[a][c] - colours[b][c]);
      EXPECT_GT(difference, 60) << a << " and " << b;
    }
  }
}

TEST(Draw, label_at_the_top_moves_inside) {
  Image image = grey(100, 100);
  draw_detections(image, {{{0, "", 0.5F, {20, 3, 60, 80}}}});
  expect_pixel(image, 20, 2, kGrey);
  expect_pixel(image, 21, 4, pixel(image, 20, 79));  // the label's corner, within the frame
}

TEST(Draw, label_at_the_right_border_moves_left) {
  Image image = grey(100, 100);
  draw_detections(image, {{{0, "person", 0.5F, {90, 40, 99, 80}}}});
  EXPECT_GT(count_drawn(image, {30, 25, 89, 40}), 500);
  EXPECT_EQ(count_drawn(image, {0, 0, 100, 25}), 0);
}

TEST(Draw, labels_of_equal_boxes_do_not_cover_each_other) {
  Image one = grey(100, 100);
  draw_detections(one, {{{0, "a", 0.5F, {20, 40, 60, 80}}}});
  Image two = grey(100, 100);
  draw_detections(two, {{{0, "a", 0.5F, {20, 40, 60, 80}}, {1, "b", 0.4F, {20, 40, 60, 80}}}});
  for (int y = 25; y < 40; ++y) {
    for (int x = 20; x < 60; ++x) EXPECT_EQ(pixel(one, x, y), pixel(two, x, y));
  }
  EXPECT_GT(count_drawn(two, {22, 42, 40, 54}), 200);
}

TEST(Draw, boxes_beyond_the_borders_are_cut_off) {
  Image image = grey(100, 100);
  draw_detections(image, {{{0, "", 0.5F, {-20, -30, 50, 3e38F}}}});
  EXPECT_NE(pixel(image, 49, 99), kGrey);
  expect_pixel(image, 0, 60, kGrey);
  const float infinity = std::numeric_limits<float>::infinity();
  draw_detections(image, {{{0, "", 0.5F, {-infinity, 10, infinity, 50}}}});
  EXPECT_NE(pixel(image, 99, 49), kGrey);
}

TEST(Draw, any_picture_size_and_label_length_is_drawn) {
  const std::string label(1 << 20, 'W');
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 2}, {1, 4000}, {4000, 1}, {30, 30}}) {
    Image image = grey(width, height);
    draw_detections(image, {{{-3, label, 0.5F, {0, 0, 5, 5}}, {1, "", 0.1F, {9, 9, 2, 2}}}});
    EXPECT_GT(count_drawn(image, {0, 0, width, height}), 0);
  }
}

TEST(Draw, nan_in_a_box_is_an_error) {
  Image image = grey(10, 10);
  EXPECT_THAT(error_of([&] {
                draw_detections(image, {{{0, "dog", 0.5F, {0, std::numeric_limits<float>::quiet_NaN(), 5, 5}}}});
              }).message(),
              HasSubstr("cannot draw 'dog': side 1 of its box is NaN"));
}

TEST(Text, width_counts_glyphs_and_gaps) {
  EXPECT_EQ(text_width("L", 1.0, 1000), 7);
  EXPECT_EQ(text_width("LL", 1.0, 1000), 17);
  EXPECT_EQ(text_width("LL", 2.0, 1000), 34);
  EXPECT_EQ(text_width("LLLLL", 1.0, 20), 20);
  EXPECT_EQ(text_width("", 1.0, 20), 0);
}

TEST(Text, stem_is_dark_and_stays_in_its_clip) {
  Image image = grey(60, 60);
  draw_text(image, "L", 10, 5, 2.0, {0, 0, 0}, {0, 0, 60, 25});
  expect_pixel(image, 10, 20, {0, 0, 0});
  expect_pixel(image, 20, 20, kGrey);
  EXPECT_EQ(count_drawn(image, {0, 25, 60, 60}), 0);
}

}  // namespace
}  // namespace overt::vision
