#include "vision/png.h"

#include "vision/test_pictures.h"

namespace overt::vision {
namespace {

using testing::as_bytes;
using testing::error_of;
using testing::expect_pixel;
using ::testing::HasSubstr;
using testing::make_png;
using testing::PngRecipe;
using testing::slopes;

Image decode(const std::vector<uint8_t>& bytes) {
  return decode_image(as_bytes(bytes));
}

TEST(Png, rgb_is_exact_also_interlaced) {
  for (const bool interlaced : {false, true}) {
    const Image image = decode(make_png({.width = 19, .height = 11, .interlaced = interlaced}, slopes(19, 11)));
    EXPECT_EQ(image.width, 19);
    EXPECT_EQ(image.height, 11);
    EXPECT_EQ(image.pixels, slopes(19, 11));
  }
}

TEST(Png, sixteen_bits_keep_the_high_byte) {
  const Image image = decode(make_png({.depth = 16}, {0x12, 0xFF, 0x80, 0x00, 0xFE, 0xFF}));
  expect_pixel(image, 0, 0, {0x12, 0x80, 0xFE});
}

TEST(Png, grey_of_one_bit_spreads_to_0_and_255) {
  const Image image = decode(make_png({.width = 4, .depth = 1, .colour = PNG_COLOR_TYPE_GRAY}, {0b0101'0000}));
  expect_pixel(image, 0, 0, {0, 0, 0});
  expect_pixel(image, 3, 0, {255, 255, 255});
}

TEST(Png, grey_of_sixteen_bits) {
  expect_pixel(decode(make_png({.depth = 16, .colour = PNG_COLOR_TYPE_GRAY}, {0x40, 0x99})), 0, 0, {64, 64, 64});
}

TEST(Png, alpha_is_dropped_without_blending) {
  expect_pixel(decode(make_png({.colour = PNG_COLOR_TYPE_RGB_ALPHA}, {10, 20, 30, 0})), 0, 0, {10, 20, 30});
  expect_pixel(decode(make_png({.colour = PNG_COLOR_TYPE_GRAY_ALPHA}, {99, 0})), 0, 0, {99, 99, 99});
}

TEST(Png, palette_with_transparency_gives_its_colours) {
  const PngRecipe recipe{.width = 2,
                         .depth = 4,
                         .colour = PNG_COLOR_TYPE_PALETTE,
                         .palette = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}},
                         .palette_alpha = {0, 128}};
  const Image image = decode(make_png(recipe, {0x20}));
  expect_pixel(image, 0, 0, {7, 8, 9});
  expect_pixel(image, 1, 0, {1, 2, 3});
}

TEST(Png, exif_orientation_turns_the_picture) {
  const Image image = decode(make_png({.width = 2, .exif = testing::make_exif(6)}, {1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(image.width, 1);
  EXPECT_EQ(image.height, 2);
  expect_pixel(image, 0, 1, {2, 2, 2});
}

TEST(Png, every_truncation_is_an_error) {
  const std::vector<uint8_t> whole = make_png({.width = 19, .height = 11}, slopes(19, 11));
  for (size_t size = 8; size < whole.size(); ++size) {
    const Error error = error_of([&] { decode({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)}); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument) << size;
    EXPECT_THAT(error.message(), HasSubstr("truncated")) << size;
  }
}

uint32_t crc_of(std::span<const uint8_t> bytes) {
  uint32_t crc = 0xFFFFFFFF;
  for (const uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xEDB88320 : crc >> 1;
  }
  return ~crc;
}

/// A PNG whose header declares another size. The header chunk's type begins at byte 12, its CRC at 29.
std::vector<uint8_t> declare(std::vector<uint8_t> bytes, uint32_t width, uint32_t height) {
  for (size_t i = 0; i < 4; ++i) {
    bytes[16 + i] = static_cast<uint8_t>(width >> (24 - 8 * i));
    bytes[20 + i] = static_cast<uint8_t>(height >> (24 - 8 * i));
  }
  const uint32_t crc = crc_of(std::span(bytes).subspan(12, 17));
  for (size_t i = 0; i < 4; ++i) bytes[29 + i] = static_cast<uint8_t>(crc >> (24 - 8 * i));
  return bytes;
}

TEST(Png, huge_declared_size_is_refused) {
  const std::vector<uint8_t> small = make_png({.width = 19, .height = 11}, slopes(19, 11));
  EXPECT_THAT(error_of([&] { decode(declare(small, 60000, 50000)); }).message(),
              HasSubstr("declares 60000 x 50000 = 3000000000 pixels, over the limit of 100000000"));
  EXPECT_THAT(error_of([&] { decode(declare(small, 2'000'000'000, 1)); }).message(),
              HasSubstr("declares 2000000000 x 1 pixels, over the limit of 65535 a side"));
  EXPECT_THAT(error_of([&] { decode(declare(small, 10000, 10000)); }).message(),
              HasSubstr("it declares 10000 x 10000 pixels, which"));
}

TEST(Png, any_changed_byte_is_a_picture_or_an_error) {
  const std::vector<uint8_t> whole = make_png({.width = 19, .height = 11, .interlaced = true}, slopes(19, 11));
  for (size_t i = 8; i < whole.size(); ++i) {
    std::vector<uint8_t> bytes = whole;
    bytes[i] = static_cast<uint8_t>(bytes[i] ^ (0x11 << (i % 4)));
    try {
      const Image image = decode_image(as_bytes(bytes), {.max_pixels = 1'000'000});
      EXPECT_EQ(image.pixels, slopes(19, 11));
    } catch (const Error& error) {
      EXPECT_FALSE(error.message().empty());
    }
  }
}

TEST(Png, damaged_pixels_name_the_row) {
  std::vector<uint8_t> bytes = make_png({.width = 19, .height = 11}, slopes(19, 11));
  bytes[bytes.size() - 20] ^= 0xFF;
  const Error error = error_of([&] { decode(bytes); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_THAT(error.message(), HasSubstr(" of 11, pass 0 (libpng: "));
}

TEST(Png, what_is_written_is_read_back) {
  const Image image{48, 32, slopes(48, 32)};
  EXPECT_EQ(decode_image(encode_image(image, ImageFormat::png)).pixels, image.pixels);
}

}  // namespace
}  // namespace overt::vision
