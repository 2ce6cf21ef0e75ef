#include "vision/canvas.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "vision/font.h"

namespace overt::vision {
namespace {

Rect clip_to(const Rect& rect, const Rect& bounds) {
  return {std::max(rect.left, bounds.left), std::max(rect.top, bounds.top), std::min(rect.right, bounds.right),
          std::min(rect.bottom, bounds.bottom)};
}

Rect bounds_of(const Image& image) {
  return {0, 0, image.width, image.height};
}

uint8_t* pixel_at(Image& image, int x, int y) {
  return image.pixels.data() +
         (static_cast<size_t>(y) * static_cast<size_t>(image.width) + static_cast<size_t>(x)) * 3;
}

/// Half the width of the pen: at least 1.2 pixels wide, so that small text stays dark.
double pen_radius(double unit) {
  return std::max(0.6, 0.8 * unit);
}

/// Distance from a point to a stroke. All in pixels.
float distance_to(const Stroke& stroke, float x, float y) {
  const float dx = stroke.x1 - stroke.x0;
  const float dy = stroke.y1 - stroke.y0;
  const float length2 = dx * dx + dy * dy;
  const float along = length2 > 0.0F ? ((x - stroke.x0) * dx + (y - stroke.y0) * dy) / length2 : 0.0F;
  const float nearest = std::clamp(along, 0.0F, 1.0F);
  return std::hypot(x - stroke.x0 - nearest * dx, y - stroke.y0 - nearest * dy);
}

/// How much of each pixel of an area the pen covers, 0 to 1.
class Coverage {
 public:
  explicit Coverage(const Rect& area)
      : area_(area),
        width_(static_cast<size_t>(area.right - area.left)),
        shares_(width_ * static_cast<size_t>(area.bottom - area.top)) {}

  /// stroke: in pixels of the picture.
  void add(const Stroke& stroke, float radius) {
    const float reach = radius + 1.0F;
    const Rect box = clip_to({static_cast<int>(std::floor(std::min(stroke.x0, stroke.x1) - reach)),
                              static_cast<int>(std::floor(std::min(stroke.y0, stroke.y1) - reach)),
                              static_cast<int>(std::ceil(std::max(stroke.x0, stroke.x1) + reach)),
                              static_cast<int>(std::ceil(std::max(stroke.y0, stroke.y1) + reach))},
                             area_);
    for (int y = box.top; y < box.bottom; ++y) {
      for (int x = box.left; x < box.right; ++x) {
        const float distance = distance_to(stroke, static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
        float& share = shares_[index(x, y)];
        share = std::max(share, std::clamp(radius + 0.5F - distance, 0.0F, 1.0F));
      }
    }
  }

  void paint(Image& image, Colour colour) const {
    for (int y = area_.top; y < area_.bottom; ++y) {
      for (int x = area_.left; x < area_.right; ++x) {
        const float share = shares_[index(x, y)];
        uint8_t* pixel = pixel_at(image, x, y);
        size_t c = 0;
        for (const uint8_t ink : {colour.red, colour.green, colour.blue}) {
          const auto old = static_cast<float>(pixel[c]);
          pixel[c++] = static_cast<uint8_t>(std::lround(old + (static_cast<float>(ink) - old) * share));
        }
      }
    }
  }

 private:
  size_t index(int x, int y) const {
    return static_cast<size_t>(y - area_.top) * width_ + static_cast<size_t>(x - area_.left);
  }

  Rect area_;
  size_t width_;
  std::vector<float> shares_;
};

}  // namespace

bool overlaps(const Rect& a, const Rect& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

void fill_rect(Image& image, const Rect& rect, Colour colour) {
  const Rect part = clip_to(rect, bounds_of(image));
  for (int y = part.top; y < part.bottom; ++y) {
    uint8_t* pixel = pixel_at(image, part.left, y);
    for (int x = part.left; x < part.right; ++x) {
      *pixel++ = colour.red;
      *pixel++ = colour.green;
      *pixel++ = colour.blue;
    }
  }
}

int text_width(std::string_view text, double unit, int most) {
  // A character is at least kLetterGap wide, so that more bytes than this cannot be seen.
  const auto visible = static_cast<size_t>(most / (kLetterGap * unit) * 4) + 4;
  double width = 0.0;
  for (const char32_t character : code_points(text.substr(0, visible))) {
    width += (glyph_of(character).width + kLetterGap) * unit;
    if (width >= most) return most;
  }
  return static_cast<int>(std::ceil(std::max(0.0, width - kLetterGap * unit)));
}

void draw_text(Image& image, std::string_view text, int left, int top, double unit, Colour colour, const Rect& clip) {
  const Rect bounds = clip_to(clip, bounds_of(image));
  const auto visible = static_cast<size_t>(std::max(0, bounds.right - left) / (kLetterGap * unit) * 4) + 4;
  const auto scale = static_cast<float>(unit);
  const auto radius = static_cast<float>(pen_radius(unit));
  const int margin = static_cast<int>(std::ceil(radius)) + 1;
  double x = left;
  for (const char32_t character : code_points(text.substr(0, visible))) {
    if (x - margin >= bounds.right) break;
    const Glyph glyph = glyph_of(character);
    // Whole pixels for the origin keep equal letters equal.
    const auto origin_x = static_cast<float>(std::lround(x)) + 0.5F;
    const auto origin_y = static_cast<float>(top) + 0.5F;
    x += (glyph.width + kLetterGap) * unit;
    const Rect area =
        clip_to({static_cast<int>(origin_x) - margin, top - margin,
                 static_cast<int>(std::ceil(origin_x + static_cast<float>(glyph.width) * scale)) + margin,
                 static_cast<int>(std::ceil(origin_y + kLineHeight * scale)) + margin},
                bounds);
    if (area.left >= area.right || area.top >= area.bottom) continue;
    Coverage coverage(area);
    for (const Stroke& stroke : glyph.strokes) {
      coverage.add({origin_x + stroke.x0 * scale, origin_y + stroke.y0 * scale, origin_x + stroke.x1 * scale,
                    origin_y + stroke.y1 * scale},
                   radius);
    }
    coverage.paint(image, colour);
  }
}

}  // namespace overt::vision
