#ifndef OVERT_VISION_CANVAS_H_
#define OVERT_VISION_CANVAS_H_

#include <cstdint>
#include <string_view>

#include "overt/vision.h"

namespace overt::vision {

struct Colour {
  uint8_t red = 0;
  uint8_t green = 0;
  uint8_t blue = 0;
};

/// Pixels left <= x < right, top <= y < bottom; may lie partly or wholly outside of a picture.
struct Rect {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;
};

bool overlaps(const Rect& a, const Rect& b);

/// Fills the part of `rect` that lies in the picture.
void fill_rect(Image& image, const Rect& rect, Colour colour);

/// Width in pixels of one line of text (UTF-8) with `unit` pixels to a font unit, margins not included.
/// Counts no further than `most`, so that a text of any length is cheap.
int text_width(std::string_view text, double unit, int most);

/// Draws a line of text with smooth edges; (left, top) is the corner of its line box, kLineHeight * unit high.
/// What lies outside of `clip` or the picture is left out.
void draw_text(Image& image, std::string_view text, int left, int top, double unit, Colour colour, const Rect& clip);

}  // namespace overt::vision

#endif  // OVERT_VISION_CANVAS_H_
