#include "vision/png.h"

#include <png.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstring>
#include <new>
#include <string_view>

#include "base/error.h"
#include "vision/attempt.h"
#include "vision/exif.h"
#include "vision/pixels.h"

namespace overt::vision {
namespace {

// Deflate expands by at most 1032, so that a small file cannot hold a large picture.
constexpr uint64_t kMaxInflation = 1032;
// Speed matters more than the last tenth of the size for a marked picture.
constexpr int kCompressionLevel = 3;

struct Escape {
  std::jmp_buf jump{};
  std::array<char, 128> message{};
};

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  auto* escape = static_cast<Escape*>(png_get_error_ptr(png));
  const size_t length = std::min(std::strlen(message), escape->message.size() - 1);
  std::copy_n(message, length, escape->message.data());
  escape->message[length] = '\0';
  std::longjmp(escape->jump, 1);
}

/// Warnings are about parts that are not used (text, time, profiles) or were mended without loss.
void on_warning(png_structp, png_const_charp) {}

struct Decoder {
  Escape escape;
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::span<const uint8_t> bytes;
  size_t position = 0;
  bool ended = false;  ///< libpng asked for bytes beyond the last
  png_uint_32 row = 0;
  int pass = 0;
  Image image;
  int orientation = 1;

  Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  ~Decoder() { png_destroy_read_struct(&png, &info, nullptr); }
};

void read_bytes(png_structp png, png_bytep out, size_t count) {
  auto* decoder = static_cast<Decoder*>(png_get_io_ptr(png));
  if (count > decoder->bytes.size() - decoder->position) {
    decoder->ended = true;
    png_error(png, "the file ends");
  }
  std::copy_n(decoder->bytes.data() + decoder->position, count, out);
  decoder->position += count;
}

void step_read_header(Decoder& decoder) {
  decoder.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &decoder.escape, on_error, on_warning);
  if (decoder.png == nullptr) return;
  decoder.info = png_create_info_struct(decoder.png);
  if (decoder.info == nullptr) return;
  png_set_read_fn(decoder.png, &decoder, read_bytes);
  // The caller's limits are checked on what the header declares, with a better message.
  png_set_user_limits(decoder.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  // These do not change the pixels here, and may be large or damaged.
  constexpr png_byte kUnused[] = "iCCP\0sPLT\0tEXt\0zTXt\0iTXt\0hIST\0gAMA\0cHRM\0sRGB";
  png_set_keep_unknown_chunks(decoder.png, PNG_HANDLE_CHUNK_NEVER, kUnused, sizeof(kUnused) / 5);
  png_read_info(decoder.png, decoder.info);
}

void step_read_rows(Decoder& decoder) {
  png_set_palette_to_rgb(decoder.png);
  png_set_expand_gray_1_2_4_to_8(decoder.png);
  png_set_strip_16(decoder.png);
  png_set_gray_to_rgb(decoder.png);
  png_set_strip_alpha(decoder.png);
  const int passes = png_set_interlace_handling(decoder.png);
  png_read_update_info(decoder.png, decoder.info);
  const size_t row_bytes = static_cast<size_t>(decoder.image.width) * 3;
  if (png_get_rowbytes(decoder.png, decoder.info) != row_bytes) png_error(decoder.png, "unexpected row size");
  for (decoder.pass = 0; decoder.pass < passes; ++decoder.pass) {
    for (decoder.row = 0; decoder.row < static_cast<png_uint_32>(decoder.image.height); ++decoder.row) {
      png_read_row(decoder.png, decoder.image.pixels.data() + decoder.row * row_bytes, nullptr);
    }
  }
  png_read_end(decoder.png, decoder.info);  // an eXIf chunk may stand behind the pixels
  png_uint_32 exif_bytes = 0;
  png_bytep exif = nullptr;
  if (png_get_eXIf_1(decoder.png, decoder.info, &exif_bytes, &exif) != 0) {
    decoder.orientation = exif_orientation({exif, exif_bytes});
  }
}

[[noreturn]] void report(const Decoder& decoder, std::string_view part) {
  if (decoder.ended) {
    fail(ErrorCode::invalid_argument, "the PNG file is truncated: it ends after {} bytes, in {}: fetch it again",
         decoder.bytes.size(), part);
  }
  fail(ErrorCode::invalid_argument, "the PNG file is damaged near byte {} of {}, in {} (libpng: {}): fetch it again",
       decoder.position, decoder.bytes.size(), part, decoder.escape.message.data());
}

void check_header(const Decoder& decoder, const ImageLimits& limits) {
  const png_uint_32 width = png_get_image_width(decoder.png, decoder.info);
  const png_uint_32 height = png_get_image_height(decoder.png, decoder.info);
  check_declared_size("PNG", width, height, limits);
  const uint64_t bits =
      uint64_t{width} * png_get_channels(decoder.png, decoder.info) * png_get_bit_depth(decoder.png, decoder.info);
  if (bits / 8 * height / kMaxInflation > decoder.bytes.size()) {
    fail(ErrorCode::invalid_argument,
         "the PNG file is truncated: it declares {} x {} pixels, which {} bytes cannot hold: fetch it again", width,
         height, decoder.bytes.size());
  }
}

struct Encoder {
  Escape escape;
  png_structp png = nullptr;
  png_infop info = nullptr;
  const Image* image = nullptr;  ///< never null once set by encode_png
  std::vector<std::byte> bytes;

  Encoder() = default;
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
  ~Encoder() { png_destroy_write_struct(&png, &info); }
};

bool append(std::vector<std::byte>& bytes, const png_byte* data, size_t count) {
  try {
    const auto* first = reinterpret_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), first, first + count);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void write_bytes(png_structp png, png_bytep data, size_t count) {
  if (!append(static_cast<Encoder*>(png_get_io_ptr(png))->bytes, data, count)) png_error(png, "out of memory");
}

void no_flush(png_structp) {}

void step_write(Encoder& encoder) {
  encoder.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &encoder.escape, on_error, on_warning);
  if (encoder.png == nullptr) return;
  encoder.info = png_create_info_struct(encoder.png);
  if (encoder.info == nullptr) return;
  png_set_write_fn(encoder.png, &encoder, write_bytes, no_flush);
  png_set_user_limits(encoder.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_compression_level(encoder.png, kCompressionLevel);
  png_set_IHDR(encoder.png, encoder.info, static_cast<png_uint_32>(encoder.image->width),
               static_cast<png_uint_32>(encoder.image->height), 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(encoder.png, encoder.info);
  const size_t row_bytes = static_cast<size_t>(encoder.image->width) * 3;
  for (int row = 0; row < encoder.image->height; ++row) {
    png_write_row(encoder.png, encoder.image->pixels.data() + static_cast<size_t>(row) * row_bytes);
  }
  png_write_end(encoder.png, encoder.info);
}

}  // namespace

Image decode_png(std::span<const uint8_t> bytes, const ImageLimits& limits) {
  Decoder decoder;
  decoder.bytes = bytes;
  if (!attempt(decoder, step_read_header)) report(decoder, "its header");
  if (decoder.info == nullptr) fail(ErrorCode::out_of_memory, "the system refused the memory to read a PNG file");
  check_header(decoder, limits);
  decoder.image = make_image(static_cast<int>(png_get_image_width(decoder.png, decoder.info)),
                             static_cast<int>(png_get_image_height(decoder.png, decoder.info)));
  if (!attempt(decoder, step_read_rows)) {
    report(decoder, fmt::format("row {} of {}, pass {}", decoder.row, decoder.image.height, decoder.pass));
  }
  return orient(std::move(decoder.image), decoder.orientation);
}

std::vector<std::byte> encode_png(const Image& image) {
  Encoder encoder;
  encoder.image = &image;
  if (!attempt(encoder, step_write) || encoder.info == nullptr) {
    fail(ErrorCode::out_of_memory, "the picture of {} x {} pixels cannot be written as PNG (libpng: {})", image.width,
         image.height, encoder.escape.message.data());
  }
  return std::move(encoder.bytes);
}

}  // namespace overt::vision
