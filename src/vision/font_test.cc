#include "vision/font.h"

#include <set>

#include "vision/test_pictures.h"

namespace overt::vision {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(Font, every_glyph_lies_in_its_box_and_is_drawn) {
  for (char32_t character = 33; character < 127; ++character) {
    const Glyph glyph = glyph_of(character);
    EXPECT_FALSE(glyph.strokes.empty()) << static_cast<int>(character);
    for (const Stroke& stroke : glyph.strokes) {
      for (const float x : {stroke.x0, stroke.x1}) {
        EXPECT_GE(x, 0.0F) << static_cast<int>(character);
        EXPECT_LE(x, static_cast<float>(glyph.width)) << static_cast<int>(character);
      }
      for (const float y : {stroke.y0, stroke.y1}) {
        EXPECT_GE(y, 0.0F) << static_cast<int>(character);
        EXPECT_LT(y, static_cast<float>(kLineHeight)) << static_cast<int>(character);
      }
    }
  }
}

TEST(Font, glyphs_differ) {
  std::set<std::vector<float>> seen;
  for (char32_t character = 32; character < 127; ++character) {
    std::vector<float> numbers;
    for (const Stroke& s : glyph_of(character).strokes) numbers.insert(numbers.end(), {s.x0, s.y0, s.x1, s.y1});
    EXPECT_TRUE(seen.insert(numbers).second) << static_cast<int>(character);
  }
}

TEST(Font, letter_l_is_a_stem_and_a_foot) {
  const Glyph glyph = glyph_of('L');
  ASSERT_THAT(glyph.strokes, SizeIs(2));
  EXPECT_EQ(glyph.strokes[0].y0, kCapTop);
  EXPECT_EQ(glyph.strokes[0].y1, kBaseline);
  EXPECT_EQ(glyph.strokes[1].x1, glyph.width);
}

TEST(Font, others_are_an_empty_box) {
  for (const char32_t character : {char32_t{0xE9}, char32_t{7}, char32_t{0x1F600}}) {
    EXPECT_THAT(glyph_of(character).strokes, SizeIs(4));
  }
}

TEST(CodePoints, of_one_to_four_bytes) {
  EXPECT_THAT(code_points("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), ElementsAre('a', 0xE9, 0x20AC, 0x1F600));
}

TEST(CodePoints, bytes_out_of_place_are_replaced_and_the_rest_is_read) {
  EXPECT_THAT(code_points("\x80z\xC3z\xF0\x9F"), ElementsAre(0xFFFD, 'z', 0xFFFD, 'z', 0xFFFD));
}

}  // namespace
}  // namespace overt::vision
