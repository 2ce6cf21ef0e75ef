#include "vision/font.h"

#include <cstddef>
#include <cstdint>

namespace overt::vision {
namespace {

/// Pen paths, separated by blanks. A point is a digit for x and a letter for y, 'a' being 0: capitals reach from
/// 'c' to 'o', small letters from 'g' to 'o', tails down to 's'. One point alone is a dot.
struct GlyphPaths {
  int width;
  std::string_view paths;
};

constexpr GlyphPaths kEmptyBox = {6, "0c6c6o0o0c"};

// Codes 32 to 126 in order.
constexpr GlyphPaths kGlyphs[] = {
    {4, ""},                                            // blank
    {0, "0c0k 0o"},                                     // !
    {3, "0c0f 3c3f"},                                   // "
    {8, "3c1o 7c5o 0g8g 0k8k"},                         // #
    {8, "8e6c2c0e0g2i6i8k8m6o2o0m 4a4q"},               // $
    {8, "8c0o 1c0d0f1g2g3f3d2c1c 6k5l5n6o7o8n8l7k6k"},  // %
    {8, "8o1f1d2c4c5d5f0k0m2o5o8k"},                    // &
    {0, "0c0f"},                                        // '
    {3, "3b1e0g0k1m3p"},                                // (
    {3, "0b2e3g3k2m0p"},                                // )
    {6, "3d3l 0f6j 6f0j"},                              // *
    {6, "3g3m 0j6j"},                                   // +
    {2, "1n1o0q"},                                      // ,
    {5, "0j5j"},                                        // -
    {2, "1o"},                                          // .
    {6, "6b0p"},                                        // /
    {7, "2c0e0m2o5o7m7e5c2c"},                          // 0
    {6, "0e3c3o 0o6o"},                                 // 1
    {7, "0e2c5c7e7g0o7o"},                              // 2
    {7, "0e2c5c7e7g5i3i 5i7k7m5o2o0m"},                 // 3
    {7, "5o5c0k7k"},                                    // 4
    {7, "7c1c0h2g5g7i7m5o2o0m"},                        // 5
    {7, "6c3c0g0m2o5o7m7j5h2h0j"},                      // 6
    {7, "0c7c2o"},                                      // 7
    {7, "2c0e0g2i5i7g7e5c2c 2i0k0m2o5o7m7k5i"},         // 8
    {7, "1o4o7k7e5c2c0e0h2j5j7h"},                      // 9
    {0, "0h 0o"},                                       // :
    {2, "1h 1n1o0q"},                                   // ;
    {6, "6f0j6n"},                                      // <
    {6, "0h6h 0l6l"},                                   // =
    {6, "0f6j0n"},                                      // >
    {6, "0e2c4c6e6g3i3k 3o"},                           // ?
    {9, "6l6h4g3i3k4l6k7l9j9f7c2c0f0l2o7o"},            // @
    {8, "0o4c8o 1k7k"},                                 // A
    {8, "0o0c5c7d7g5i0i 5i8k8m6o0o"},                   // B
    {8, "8e6c2c0e0m2o6o8m"},                            // C
    {8, "0o0c5c8f8l5o0o"},                              // D
    {7, "7c0c0o7o 0i6i"},                               // E
    {7, "7c0c0o 0i6i"},                                 // F
    {8, "8e6c2c0e0m2o6o8m8i5i"},                        // G
    {8, "0c0o 8c8o 0i8i"},                              // H
    {4, "0c4c 2c2o 0o4o"},                              // I
    {6, "6c6m4o2o0m"},                                  // J
    {8, "0c0o 8c0j 3g8o"},                              // K
    {7, "0c0o7o"},                                      // L
    {8, "0o0c4k8c8o"},                                  // M
    {8, "0o0c8o8c"},                                    // N
    {8, "2c0e0m2o6o8m8e6c2c"},                          // O
    {8, "0o0c6c8e8h6j0j"},                              // P
    {8, "2c0e0m2o6o8m8e6c2c 5k8p"},                     // Q
    {8, "0o0c6c8e8g6i0i 4i8o"},                         // R
    {8, "8e6c2c0e0g2i6i8k8m6o2o0m"},                    // S
    {8, "0c8c 4c4o"},                                   // T
    {8, "0c0m2o6o8m8c"},                                // U
    {8, "0c4o8c"},                                      // V
    {9, "0c2o4g5g7o9c"},                                // W
    {8, "0c8o 8c0o"},                                   // X
    {8, "0c4i8c 4i4o"},                                 // Y
    {8, "0c8c0o8o"},                                    // Z
    {3, "3b0b0p3p"},                                    // [
    {6, "0b6p"},                                        // backslash
    {3, "0b3b3p0p"},                                    // ]
    {6, "0g3c6g"},                                      // ^
    {7, "0q7q"},                                        // _
    {2, "0c2e"},                                        // `
    {6, "0h2g4g6i6o 6k2k0l0n1o4o6m"},                   // a
    {6, "0c0o 0i2g4g6i6m4o2o0m"},                       // b
    {6, "6i4g2g0i0m2o4o6m"},                            // c
    {6, "6c6o 6i4g2g0i0m2o4o6m"},                       // d
    {6, "0k6k6i4g2g0i0m2o4o6n"},                        // e
    {5, "5c3c2e2o 0g5g"},                               // f
    {6, "6g6q4s2s0r 6i4g2g0i0m2o4o6m"},                 // g
    {6, "0c0o 0i2g4g6i6o"},                             // h
    {0, "0g0o 0c"},                                     // i
    {3, "3g3q2s0s 3c"},                                 // j
    {6, "0c0o 6g0l 2j6o"},                              // k
    {2, "0c0m2o"},                                      // l
    {8, "0g0o 0i1g3g4i4o 4i5g7g8i8o"},                  // m
    {6, "0g0o 0i2g4g6i6o"},                             // n
    {6, "2g0i0m2o4o6m6i4g2g"},                          // o
    {6, "0g0s 0i2g4g6i6m4o2o0m"},                       // p
    {6, "6g6s 6i4g2g0i0m2o4o6m"},                       // q
    {4, "0g0o 0i2g4g"},                                 // r
    {6, "6h5g1g0h0j1k5k6l6n5o1o0n"},                    // s
    {5, "2c2m3o5o 0g5g"},                               // t
    {6, "0g0m2o4o6m 6g6o"},                             // u
    {6, "0g3o6g"},                                      // v
    {8, "0g2o4h6o8g"},                                  // w
    {6, "0g6o 6g0o"},                                   // x
    {6, "0g3o 6g2r1s0s"},                               // y
    {6, "0g6g0o6o"},                                    // z
    {4, "4b2c2h0i2j2o4p"},                              // {
    {0, "0b0q"},                                        // |
    {4, "0b2c2h4i2j2o0p"},                              // }
    {7, "0k1i3i4k6k7i"},                                // ~
};
static_assert(std::size(kGlyphs) == 127 - 32);

constexpr char32_t kReplacement = 0xFFFD;

void append_path(std::string_view path, std::vector<Stroke>& strokes) {
  const auto x = [&](size_t point) { return static_cast<float>(path[point * 2] - '0'); };
  const auto y = [&](size_t point) { return static_cast<float>(path[point * 2 + 1] - 'a'); };
  if (path.size() == 2) strokes.push_back({x(0), y(0), x(0), y(0)});
  for (size_t i = 0; i + 1 < path.size() / 2; ++i) strokes.push_back({x(i), y(i), x(i + 1), y(i + 1)});
}

}  // namespace

Glyph glyph_of(char32_t character) {
  const bool is_known = character >= 32 && character < 127;
  const GlyphPaths& source = is_known ? kGlyphs[character - 32] : kEmptyBox;
  Glyph glyph{source.width, {}};
  std::string_view rest = source.paths;
  while (!rest.empty()) {
    const size_t end = rest.find(' ');
    append_path(rest.substr(0, end), glyph.strokes);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  }
  return glyph;
}

std::vector<char32_t> code_points(std::string_view utf8) {
  std::vector<char32_t> points;
  for (size_t i = 0; i < utf8.size();) {
    const auto lead = static_cast<uint8_t>(utf8[i++]);
    if (lead < 0x80) {
      points.push_back(lead);
      continue;
    }
    const size_t follow = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
    char32_t point = follow == 0 ? kReplacement : lead & (0x3FU >> follow);
    for (size_t k = 0; k < follow && point != kReplacement; ++k) {
      const bool continues = i < utf8.size() && (static_cast<uint8_t>(utf8[i]) & 0xC0U) == 0x80U;
      point = continues ? point << 6 | (static_cast<uint8_t>(utf8[i++]) & 0x3FU) : kReplacement;
    }
    points.push_back(point);
  }
  return points;
}

}  // namespace overt::vision
