#include "vision/jpeg.h"

#include "vision/test_pictures.h"

namespace overt::vision {
namespace {

using ::testing::AllOf;
using testing::as_bytes;
using testing::error_of;
using testing::expect_pixel;
using testing::flat;
using ::testing::HasSubstr;
using testing::JpegRecipe;
using testing::make_jpeg;
using testing::slopes;

Image decode(const std::vector<uint8_t>& bytes) {
  return decode_image(as_bytes(bytes));
}

std::vector<uint8_t> cut(std::vector<uint8_t> bytes, size_t size) {
  bytes.resize(size);
  return bytes;
}

TEST(Jpeg, baseline_and_progressive_give_the_same_pixels) {
  JpegRecipe recipe{.width = 37, .height = 21};
  const Image baseline = decode(make_jpeg(recipe, slopes(37, 21)));
  recipe.progressive = true;
  const Image progressive = decode(make_jpeg(recipe, slopes(37, 21)));
  EXPECT_EQ(baseline.width, 37);
  EXPECT_EQ(baseline.height, 21);
  EXPECT_EQ(baseline.pixels, progressive.pixels);
  // Quality 100 still rounds each coefficient and each colour conversion.
  expect_pixel(baseline, 0, 0, {0, 0, 0}, 4);
  expect_pixel(baseline, 36, 0, {248, 0, 158}, 4);
  expect_pixel(baseline, 36, 20, {248, 242, 246}, 4);
}

TEST(Jpeg, grey_has_three_equal_channels) {
  const JpegRecipe recipe{.in_space = JCS_GRAYSCALE, .file_space = JCS_GRAYSCALE};
  expect_pixel(decode(make_jpeg(recipe, flat(16, 16, {77}))), 5, 9, {77, 77, 77}, 1);
}

TEST(Jpeg, rgb_without_conversion_keeps_its_channels) {
  const JpegRecipe recipe{.file_space = JCS_RGB, .adobe = true};
  expect_pixel(decode(make_jpeg(recipe, flat(16, 16, {200, 100, 50}))), 5, 9, {200, 100, 50}, 1);
}

// Stored inverted (255 is no ink): cyan 0.6, magenta 0.2, yellow 0, black 0.5.
// Red is 0.4 * 0.5 * 255 = 51, green 0.8 * 0.5 * 255 = 102, blue 0.5 * 255 = 128.
TEST(Jpeg, adobe_cmyk_is_inverted) {
  const JpegRecipe recipe{.in_space = JCS_CMYK, .file_space = JCS_CMYK, .adobe = true};
  expect_pixel(decode(make_jpeg(recipe, flat(16, 16, {102, 204, 255, 128}))), 5, 9, {51, 102, 128}, 2);
}

TEST(Jpeg, adobe_ycck_is_the_same_picture_as_cmyk) {
  const JpegRecipe recipe{.in_space = JCS_CMYK, .file_space = JCS_YCCK, .adobe = true};
  expect_pixel(decode(make_jpeg(recipe, flat(16, 16, {102, 204, 255, 128}))), 5, 9, {51, 102, 128}, 2);
}

TEST(Jpeg, cmyk_without_adobe_marker_counts_ink) {
  const JpegRecipe recipe{.in_space = JCS_CMYK, .file_space = JCS_CMYK};
  expect_pixel(decode(make_jpeg(recipe, flat(16, 16, {153, 51, 0, 127}))), 5, 9, {51, 102, 128}, 2);
}

TEST(Jpeg, exif_orientation_turns_the_picture) {
  for (int orientation = 1; orientation <= 8; ++orientation) {
    // Red is the stored top left corner; the rest is black.
    std::vector<uint8_t> samples = flat(32, 16, {0, 0, 0});
    for (size_t y = 0; y < 8; ++y) {
      for (size_t x = 0; x < 8; ++x) samples[(y * 32 + x) * 3] = 250;
    }
    const JpegRecipe recipe{.width = 32, .height = 16, .app1 = testing::make_app1(testing::make_exif(orientation))};
    const Image image = decode(make_jpeg(recipe, samples));
    EXPECT_EQ(image.width, orientation < 5 ? 32 : 16);
    EXPECT_EQ(image.height, orientation < 5 ? 16 : 32);
    const bool right = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
    const bool bottom = orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
    expect_pixel(image, right ? image.width - 3 : 3, bottom ? image.height - 3 : 3, {250, 0, 0}, 12);
    expect_pixel(image, right ? 3 : image.width - 3, bottom ? 3 : image.height - 3, {0, 0, 0}, 12);
  }
}

TEST(Jpeg, damaged_exif_leaves_the_picture_as_stored) {
  const JpegRecipe recipe{.width = 32, .app1 = testing::make_app1({'I', 'I', 42, 0, 0xFF, 0xFF, 0xFF, 0xFF})};
  EXPECT_EQ(decode(make_jpeg(recipe, flat(32, 16, {9, 9, 9}))).width, 32);
}

TEST(Jpeg, every_truncation_of_baseline_is_an_error) {
  const std::vector<uint8_t> whole = make_jpeg({.width = 24, .height = 24}, slopes(24, 24));
  for (size_t size = 3; size + 2 < whole.size(); ++size) {
    const Error error = error_of([&] { decode(cut(whole, size)); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument) << size;
    EXPECT_THAT(error.message(), HasSubstr("truncated")) << size;
  }
}

TEST(Jpeg, every_truncation_of_progressive_is_an_error) {
  const std::vector<uint8_t> whole = make_jpeg({.width = 24, .height = 24, .progressive = true}, slopes(24, 24));
  for (size_t size = 3; size + 2 < whole.size(); ++size) {
    EXPECT_EQ(error_of([&] { decode(cut(whole, size)); }).code(), ErrorCode::invalid_argument) << size;
  }
}

TEST(Jpeg, truncation_names_the_bytes_and_the_row) {
  std::vector<uint8_t> whole = make_jpeg({.width = 64, .height = 512}, slopes(64, 512));
  const size_t size = whole.size() / 2;
  EXPECT_THAT(
      error_of([&] { decode(cut(whole, size)); }).message(),
      AllOf(HasSubstr("it ends after " + std::to_string(size) + " bytes"), HasSubstr("row "), HasSubstr(" of 512")));
}

TEST(Jpeg, missing_end_marker_alone_is_whole) {
  const std::vector<uint8_t> whole = make_jpeg({.width = 24, .height = 24}, slopes(24, 24));
  EXPECT_EQ(decode(cut(whole, whole.size() - 2)).pixels, decode(whole).pixels);
}

TEST(Jpeg, bytes_behind_the_end_are_ignored) {
  std::vector<uint8_t> bytes = make_jpeg({}, slopes(16, 16));
  const Image expected = decode(bytes);
  bytes.insert(bytes.end(), 1000, 0xAB);
  EXPECT_EQ(decode(bytes).pixels, expected.pixels);
}

/// The offset of the height in the frame header.
size_t height_offset(const std::vector<uint8_t>& bytes) {
  for (size_t i = 0; i + 4 < bytes.size(); ++i) {
    if (bytes[i] == 0xFF && (bytes[i + 1] == 0xC0 || bytes[i + 1] == 0xC2)) return i + 5;
  }
  return 0;
}

TEST(Jpeg, huge_declared_size_is_refused) {
  std::vector<uint8_t> bytes = make_jpeg({}, slopes(16, 16));
  const size_t at = height_offset(bytes);
  for (size_t i = 0; i < 4; ++i) bytes[at + i] = 0xF0;
  const Error error = error_of([&] { decode(bytes); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_THAT(error.message(),
              HasSubstr("the JPEG file declares 61680 x 61680 = 3804422400 pixels, over the limit of 100000000"));
}

TEST(Jpeg, size_that_the_bytes_cannot_hold_is_refused) {
  std::vector<uint8_t> bytes = make_jpeg({}, slopes(16, 16));
  const size_t at = height_offset(bytes);
  bytes[at] = 0x20;
  bytes[at + 2] = 0x20;
  EXPECT_THAT(error_of([&] { decode(bytes); }).message(), HasSubstr("it declares 8208 x 8208 pixels, which"));
}

TEST(Jpeg, limit_of_a_side_is_the_callers) {
  const std::vector<uint8_t> bytes = make_jpeg({}, slopes(16, 16));
  EXPECT_EQ(decode_image(as_bytes(bytes), {.max_side = 16}).width, 16);
  EXPECT_THAT(error_of([&] { decode_image(as_bytes(bytes), {.max_side = 15}); }).message(),
              HasSubstr("declares 16 x 16 pixels, over the limit of 15 a side"));
}

TEST(Jpeg, unsupported_coding_is_named) {
  std::vector<uint8_t> bytes = make_jpeg({}, slopes(16, 16));
  bytes[height_offset(bytes) - 4] = 0xC3;  // lossless
  const Error error = error_of([&] { decode(bytes); });
  EXPECT_EQ(error.code(), ErrorCode::unsupported);
  EXPECT_THAT(error.message(), HasSubstr("uses a coding that is not supported"));
}

/// Changes each byte in turn: the result is a picture or a typed error, and never a crash.
TEST(Jpeg, any_changed_byte_is_a_picture_or_an_error) {
  for (const bool progressive : {false, true}) {
    const std::vector<uint8_t> whole = make_jpeg({.progressive = progressive}, slopes(16, 16));
    int pictures = 0;
    for (size_t i = 3; i < whole.size(); ++i) {
      std::vector<uint8_t> bytes = whole;
      bytes[i] = static_cast<uint8_t>(bytes[i] ^ (0x11 << (i % 4)));
      try {
        const Image image = decode_image(as_bytes(bytes), {.max_pixels = 1'000'000});
        EXPECT_EQ(image.pixels.size(), static_cast<size_t>(image.width) * image.height * 3);
        ++pictures;
      } catch (const Error& error) {
        EXPECT_FALSE(error.message().empty());
      }
    }
    EXPECT_GT(pictures, 0);
  }
}

TEST(Jpeg, what_is_written_is_read_back) {
  const Image image{48, 32, slopes(48, 32)};
  const Image back = decode_image(encode_image(image, ImageFormat::jpeg));
  ASSERT_EQ(back.width, 48);
  ASSERT_EQ(back.height, 32);
  // Quality 92 with colour at half resolution.
  for (const auto& [x, y] : {std::pair{10, 10}, std::pair{40, 20}}) {
    expect_pixel(back, x, y, testing::pixel(image, x, y), 12);
  }
}

TEST(Jpeg, side_over_65500_cannot_be_written) {
  const Image image{65501, 1, std::vector<uint8_t>(65501 * 3)};
  EXPECT_THAT(error_of([&] { encode_image(image, ImageFormat::jpeg); }).message(),
              HasSubstr("at most 65500 pixels a side, but the picture is 65501 x 1: use .png"));
}

}  // namespace
}  // namespace overt::vision
