#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.h"
#include "overt/vision.h"
#include "vision/canvas.h"
#include "vision/font.h"
#include "vision/pixels.h"

namespace overt::vision {
namespace {

constexpr int kSmallestCapHeight = 9;
// Of the picture's height; with the room above and below, a label is about 1/30 high.
constexpr double kCapHeightShare = 1.0 / 50.0;
constexpr double kLineWidthShare = 1.0 / 250.0;
// Further down than this, a label would seem to belong to another box.
constexpr int kMaxLabelSteps = 8;

/// Sizes in pixels that suit a picture.
struct Sizes {
  int line = 1;
  double unit = 1.0;  ///< of the font
  int padding = 1;    ///< left and right of a label's text
  int label_height = 1;
};

Sizes sizes_for(const Image& image) {
  // A tall strip has no room for letters that suit its height.
  const double height = std::min<double>(image.height, 2.0 * image.width);
  Sizes sizes;
  sizes.line = std::max(1, static_cast<int>(std::lround(height * kLineWidthShare)));
  sizes.unit = std::max<double>(kSmallestCapHeight, height * kCapHeightShare) / (kBaseline - kCapTop);
  sizes.padding = static_cast<int>(std::ceil(2.5 * sizes.unit));
  sizes.label_height = static_cast<int>(std::ceil(kLineHeight * sizes.unit));
  return sizes;
}

/// Hues by the golden angle, in three shades by turns: near classes differ in hue, and classes of near hues (5, 8 or
/// 13 apart in the list) differ in shade.
Colour colour_of(int class_id) {
  struct Shade {
    double dark;   // the darkest a channel gets
    double light;  // the lightest
  };
  constexpr std::array<Shade, 3> kShades = {Shade{0.0, 1.0}, Shade{0.0, 0.7}, Shade{0.4, 1.0}};
  constexpr double kGoldenShare = 0.6180339887498949;
  const double position = std::abs(static_cast<double>(class_id));
  const double hue = std::fmod(position * kGoldenShare + 0.08, 1.0) * 6.0;
  const Shade shade = kShades[static_cast<size_t>(std::fmod(position, 3.0))];
  const auto channel = [&](double shift) {
    const double k = std::fmod(shift + hue, 6.0);
    const double level = 1.0 - std::clamp(std::min(k, 4.0 - k), 0.0, 1.0);
    return static_cast<uint8_t>(std::lround((shade.dark + level * (shade.light - shade.dark)) * 255.0));
  };
  return {channel(5.0), channel(3.0), channel(1.0)};
}

Colour text_colour_on(Colour background) {
  const double luma = 0.299 * background.red + 0.587 * background.green + 0.114 * background.blue;
  return luma > 128.0 ? Colour{0, 0, 0} : Colour{255, 255, 255};
}

/// The pixels of a box; coordinates far outside of the picture are drawn in, so that they fit an int.
Rect pixels_of(const Detection& detection, const Image& image) {
  const auto at = [&](size_t side, int size) {
    const double value = detection.box[side];
    if (std::isnan(value)) {
      fail(ErrorCode::invalid_argument, "cannot draw '{}': side {} of its box is NaN", detection.label, side);
    }
    return static_cast<int>(std::lround(std::clamp(value, -2.0 * size, 3.0 * size)));
  };
  return {at(0, image.width), at(1, image.height), at(2, image.width), at(3, image.height)};
}

void draw_frame(Image& image, const Rect& box, int line, Colour colour) {
  fill_rect(image, {box.left, box.top, box.right, std::min(box.bottom, box.top + line)}, colour);
  fill_rect(image, {box.left, std::max(box.top, box.bottom - line), box.right, box.bottom}, colour);
  fill_rect(image, {box.left, box.top, std::min(box.right, box.left + line), box.bottom}, colour);
  fill_rect(image, {std::max(box.left, box.right - line), box.top, box.right, box.bottom}, colour);
}

/// A label's place: above the box, else inside it, below it, or further down, the first inside the picture that
/// covers no label in `taken`; when there is none, over others.
Rect place_label(const Rect& box, int width, int height, const Image& image, const std::vector<Rect>& taken) {
  const int left = std::clamp(box.left, 0, std::max(0, image.width - width));
  const int lowest = std::max(0, image.height - height);
  const int inside = std::clamp(box.top, 0, lowest);
  std::vector<int> tops;
  if (box.top >= height) tops.push_back(std::min(box.top - height, lowest));
  tops.push_back(inside);
  tops.push_back(std::clamp(box.bottom, 0, lowest));
  for (int step = 1; step <= kMaxLabelSteps; ++step) tops.push_back(std::min(inside + step * height, lowest));
  for (const int top : tops) {
    const Rect place = {left, top, left + width, top + height};
    if (std::none_of(taken.begin(), taken.end(), [&](const Rect& other) { return overlaps(place, other); })) {
      return place;
    }
  }
  return {left, tops.front(), left + width, tops.front() + height};
}

}  // namespace

void draw_detections(Image& image, std::span<const Detection> detections) {
  check_image(image);
  const Sizes sizes = sizes_for(image);
  std::vector<size_t> best_first(detections.size());
  std::iota(best_first.begin(), best_first.end(), size_t{0});
  std::stable_sort(best_first.begin(), best_first.end(),
                   [&](size_t a, size_t b) { return detections[a].score > detections[b].score; });

  std::vector<Rect> boxes;
  for (const Detection& detection : detections) boxes.push_back(pixels_of(detection, image));
  for (auto it = best_first.rbegin(); it != best_first.rend(); ++it) {
    draw_frame(image, boxes[*it], sizes.line, colour_of(detections[*it].class_id));
  }
  std::vector<Rect> labels;
  for (const size_t index : best_first) {
    const Detection& detection = detections[index];
    const std::string text = fmt::format("{} {:.2f}", detection.label, detection.score);
    const int width = std::min(image.width, text_width(text, sizes.unit, image.width) + 2 * sizes.padding);
    const Rect place = place_label(boxes[index], width, sizes.label_height, image, labels);
    const Colour background = colour_of(detection.class_id);
    fill_rect(image, place, background);
    draw_text(image, text, place.left + sizes.padding, place.top, sizes.unit, text_colour_on(background), place);
    labels.push_back(place);
  }
}

}  // namespace overt::vision
