#ifndef OVERT_VISION_TEST_PICTURES_H_
#define OVERT_VISION_TEST_PICTURES_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <jpeglib.h>
#include <png.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "overt/error.h"
#include "overt/vision.h"

/// Picture files made in the tests, in every coding that the readers accept.
namespace overt::vision::testing {

inline std::span<const std::byte> as_bytes(const std::vector<uint8_t>& bytes) {
  return std::as_bytes(std::span(bytes));
}

inline std::array<int, 3> pixel(const Image& image, int x, int y) {
  const uint8_t* at = image.pixels.data() + (static_cast<size_t>(y) * image.width + x) * 3;
  return {at[0], at[1], at[2]};
}

/// Expects each channel within `tolerance`.
inline void expect_pixel(const Image& image, int x, int y, std::array<int, 3> expected, int tolerance = 0) {
  const std::array<int, 3> found = pixel(image, x, y);
  for (int c = 0; c < 3; ++c) {
    EXPECT_NEAR(found[c], expected[c], tolerance) << "x " << x << ", y " << y << ", channel " << c;
  }
}

/// The error of a call, or an error with an empty message and code internal when there was none.
template <typename Call>
Error error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error was thrown";
  return Error(ErrorCode::internal, "");
}

struct JpegRecipe {
  int width = 16;
  int height = 16;
  J_COLOR_SPACE in_space = JCS_RGB;
  J_COLOR_SPACE file_space = JCS_YCbCr;
  bool progressive = false;
  bool adobe = false;
  std::vector<uint8_t> app1 = {};  ///< whole payload, "Exif\0\0" included; empty for none
};

/// samples: [height, width, channels of in_space]. Quality 100, colour at full resolution.
inline std::vector<uint8_t> make_jpeg(const JpegRecipe& recipe, std::vector<uint8_t> samples) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* data = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &data, &size);
  info.image_width = static_cast<JDIMENSION>(recipe.width);
  info.image_height = static_cast<JDIMENSION>(recipe.height);
  info.input_components = recipe.in_space == JCS_CMYK ? 4 : recipe.in_space == JCS_GRAYSCALE ? 1 : 3;
  info.in_color_space = recipe.in_space;
  jpeg_set_defaults(&info);
  jpeg_set_colorspace(&info, recipe.file_space);
  jpeg_set_quality(&info, 100, TRUE);
  for (int c = 0; c < info.num_components; ++c) info.comp_info[c].h_samp_factor = info.comp_info[c].v_samp_factor = 1;
  info.write_Adobe_marker = recipe.adobe ? TRUE : FALSE;
  if (recipe.progressive) jpeg_simple_progression(&info);
  jpeg_start_compress(&info, TRUE);
  if (!recipe.app1.empty()) {
    jpeg_write_marker(&info, JPEG_APP0 + 1, recipe.app1.data(), static_cast<unsigned>(recipe.app1.size()));
  }
  const size_t row_bytes = static_cast<size_t>(recipe.width) * static_cast<size_t>(info.input_components);
  while (info.next_scanline < info.image_height) {
    JSAMPROW row = samples.data() + info.next_scanline * row_bytes;
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  std::vector<uint8_t> bytes(data, data + size);
  std::free(data);
  return bytes;
}

struct PngRecipe {
  int width = 1;
  int height = 1;
  int depth = 8;
  int colour = PNG_COLOR_TYPE_RGB;
  bool interlaced = false;
  std::vector<std::array<uint8_t, 3>> palette = {};
  std::vector<uint8_t> palette_alpha = {};
  std::vector<uint8_t> exif = {};
};

/// rows: as PNG stores them, packed, 16-bit samples big-endian; every row `row_bytes` long.
inline std::vector<uint8_t> make_png(const PngRecipe& recipe, std::vector<uint8_t> rows) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  std::vector<uint8_t> bytes;
  png_set_write_fn(
      png, &bytes,
      [](png_structp p, png_bytep data, size_t count) {
        auto* out = static_cast<std::vector<uint8_t>*>(png_get_io_ptr(p));
        out->insert(out->end(), data, data + count);
      },
      [](png_structp) {});
  png_set_IHDR(png, info, static_cast<png_uint_32>(recipe.width), static_cast<png_uint_32>(recipe.height),
               recipe.depth, recipe.colour, recipe.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, 0, 0);
  std::vector<png_color> palette = {};
  for (const auto& entry : recipe.palette) palette.push_back({entry[0], entry[1], entry[2]});
  if (!palette.empty()) png_set_PLTE(png, info, palette.data(), static_cast<int>(palette.size()));
  if (!recipe.palette_alpha.empty()) {
    png_set_tRNS(png, info, recipe.palette_alpha.data(), static_cast<int>(recipe.palette_alpha.size()), nullptr);
  }
  std::vector<uint8_t> exif = recipe.exif;
  if (!exif.empty()) png_set_eXIf_1(png, info, static_cast<png_uint_32>(exif.size()), exif.data());
  std::vector<png_bytep> pointers;
  const size_t row_bytes = rows.size() / static_cast<size_t>(recipe.height);
  for (int y = 0; y < recipe.height; ++y) pointers.push_back(rows.data() + static_cast<size_t>(y) * row_bytes);
  png_set_rows(png, info, pointers.data());
  png_write_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  png_destroy_write_struct(&png, &info);
  return bytes;
}

/// A little-endian TIFF block with the orientation alone.
inline std::vector<uint8_t> make_exif(int orientation) {
  return {'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, static_cast<uint8_t>(orientation),
          0,   0,   0,  0, 0, 0, 0};
}

inline std::vector<uint8_t> make_app1(const std::vector<uint8_t>& tiff) {
  std::vector<uint8_t> payload = {'E', 'x', 'i', 'f', 0, 0};
  payload.insert(payload.end(), tiff.begin(), tiff.end());
  return payload;
}

/// RGB samples: [height, width, 3], one colour.
inline std::vector<uint8_t> flat(int width, int height, std::initializer_list<uint8_t> colour) {
  std::vector<uint8_t> samples;
  for (int i = 0; i < width * height; ++i) samples.insert(samples.end(), colour);
  return samples;
}

/// RGB samples whose every pixel is different, smooth enough for JPEG.
inline std::vector<uint8_t> slopes(int width, int height) {
  std::vector<uint8_t> samples;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (const int value : {x * 255 / width, y * 255 / height, (x + y) * 255 / (width + height)}) {
        samples.push_back(static_cast<uint8_t>(value));
      }
    }
  }
  return samples;
}

}  // namespace overt::vision::testing

#endif  // OVERT_VISION_TEST_PICTURES_H_
