#ifndef OVERT_VISION_FONT_H_
#define OVERT_VISION_FONT_H_

#include <string_view>
#include <vector>

namespace overt::vision {

/// Metrics of the stroke font, in font units: y grows downwards from the top of the line.
inline constexpr int kCapTop = 2;
inline constexpr int kBaseline = 14;
inline constexpr int kLineHeight = 19;
inline constexpr int kLetterGap = 3;

struct Stroke {
  float x0 = 0.0F;
  float y0 = 0.0F;
  float x1 = 0.0F;
  float y1 = 0.0F;
};

/// One character as straight strokes, left at x = 0. A stroke of no length is a dot.
struct Glyph {
  int width = 0;
  std::vector<Stroke> strokes;
};

/// The glyph of an ASCII character; others, and control characters, give an empty box.
Glyph glyph_of(char32_t character);

/// The code points of UTF-8 text; each byte that is out of place becomes U+FFFD.
std::vector<char32_t> code_points(std::string_view utf8);

}  // namespace overt::vision

#endif  // OVERT_VISION_FONT_H_
