#include "vision/jpeg.h"

// jpeglib.h uses FILE and size_t without including them.
#include <jerror.h>
#include <jpeglib.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "base/error.h"
#include "vision/attempt.h"
#include "vision/exif.h"
#include "vision/pixels.h"

namespace overt::vision {
namespace {

constexpr int kQuality = 92;
// A progressive file of real pictures has about 10 scans; each costs a pass over the whole picture.
constexpr int kMaxScans = 100;
// A block of 64 pixels takes at least one bit of Huffman code, so that a byte yields at most this many pixels.
constexpr uint64_t kMaxPixelsPerByte = 512;
constexpr JDIMENSION kRowsPerCall = 16;
constexpr std::array<JOCTET, 2> kEndOfImage = {0xFF, JPEG_EOI};

enum class Failure : uint8_t { library, too_many_scans, truncated };

/// What the callbacks need to leave libjpeg.
struct Escape {
  jpeg_error_mgr errors{};
  std::jmp_buf jump{};
  std::array<char, JMSG_LENGTH_MAX> message{};
  Failure failure = Failure::library;
};

[[noreturn]] void leave(j_common_ptr info, Failure failure) {
  auto* escape = static_cast<Escape*>(info->client_data);
  escape->failure = failure;
  info->err->format_message(info, escape->message.data());
  std::longjmp(escape->jump, 1);
}

[[noreturn]] void on_error(j_common_ptr info) {
  leave(info, Failure::library);
}

/// Warnings (level -1) mean lost picture data, except for the few listed.
void on_message(j_common_ptr info, int level) {
  if (level >= 0) return;
  switch (info->err->msg_code) {
    case JWRN_ADOBE_XFORM:
    case JWRN_BOGUS_PROGRESSION:
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_JFIF_MAJOR:
    case JWRN_TOO_MUCH_DATA: return;
    default: leave(info, Failure::library);
  }
}

void use_escape(Escape& escape, j_common_ptr info) {
  info->err = jpeg_std_error(&escape.errors);
  escape.errors.error_exit = on_error;
  escape.errors.emit_message = on_message;
  info->client_data = &escape;
}

struct Decoder {
  Escape escape;
  jpeg_decompress_struct info{};
  jpeg_source_mgr source{};
  jpeg_progress_mgr progress{};
  std::span<const uint8_t> bytes;
  bool may_lack_end_marker = false;
  bool ended = false;             ///< libjpeg asked for bytes beyond the last
  Image image;                    ///< RGB
  std::vector<uint8_t> cmyk_row;  ///< [width, 4], used for four-component files alone

  Decoder() { use_escape(escape, reinterpret_cast<j_common_ptr>(&info)); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  ~Decoder() { jpeg_destroy_decompress(&info); }
};

Decoder& decoder_of(j_decompress_ptr info) {
  static_assert(offsetof(Decoder, escape) == 0);
  return *static_cast<Decoder*>(info->client_data);
}

void no_op(j_decompress_ptr) {}

boolean fill_input(j_decompress_ptr info) {
  Decoder& decoder = decoder_of(info);
  decoder.ended = true;
  if (!decoder.may_lack_end_marker) leave(reinterpret_cast<j_common_ptr>(info), Failure::truncated);
  info->src->next_input_byte = kEndOfImage.data();
  info->src->bytes_in_buffer = kEndOfImage.size();
  return TRUE;
}

void skip_input(j_decompress_ptr info, long count) {
  if (count <= 0) return;
  if (static_cast<unsigned long>(count) >= info->src->bytes_in_buffer) {
    fill_input(info);
    return;
  }
  info->src->next_input_byte += count;
  info->src->bytes_in_buffer -= static_cast<size_t>(count);
}

void count_scans(j_common_ptr info) {
  if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number > kMaxScans) leave(info, Failure::too_many_scans);
}

void step_read_header(Decoder& decoder) {
  jpeg_create_decompress(&decoder.info);
  decoder.source.init_source = no_op;
  decoder.source.fill_input_buffer = fill_input;
  decoder.source.skip_input_data = skip_input;
  decoder.source.resync_to_restart = jpeg_resync_to_restart;
  decoder.source.term_source = no_op;
  decoder.source.next_input_byte = decoder.bytes.data();
  decoder.source.bytes_in_buffer = decoder.bytes.size();
  decoder.info.src = &decoder.source;
  decoder.progress.progress_monitor = count_scans;
  decoder.info.progress = &decoder.progress;
  jpeg_save_markers(&decoder.info, JPEG_APP0 + 1, 0xFFFF);
  jpeg_read_header(&decoder.info, TRUE);
}

void step_start(Decoder& decoder) {
  // Several scans are all read here, and one that is missing would go unnoticed without the end marker.
  decoder.may_lack_end_marker = jpeg_has_multiple_scans(&decoder.info) == FALSE;
  jpeg_start_decompress(&decoder.info);
}

void step_read_rgb(Decoder& decoder) {
  const size_t row_bytes = static_cast<size_t>(decoder.image.width) * 3;
  while (decoder.info.output_scanline < decoder.info.output_height) {
    std::array<JSAMPROW, kRowsPerCall> rows;
    const JDIMENSION first = decoder.info.output_scanline;
    const JDIMENSION count = std::min(kRowsPerCall, decoder.info.output_height - first);
    for (JDIMENSION i = 0; i < count; ++i) rows[i] = decoder.image.pixels.data() + (first + i) * row_bytes;
    jpeg_read_scanlines(&decoder.info, rows.data(), count);
  }
}

/// light: 255 is no ink, as Adobe writes it; the multiplicative model of subtractive colour.
uint8_t shade(unsigned light, unsigned black_light) {
  return static_cast<uint8_t>((light * black_light + 127) / 255);
}

void step_read_cmyk(Decoder& decoder) {
  const unsigned invert = decoder.info.saw_Adobe_marker ? 0 : 255;
  uint8_t* out = decoder.image.pixels.data();
  while (decoder.info.output_scanline < decoder.info.output_height) {
    JSAMPROW row = decoder.cmyk_row.data();
    jpeg_read_scanlines(&decoder.info, &row, 1);
    for (int x = 0; x < decoder.image.width; ++x, row += 4, out += 3) {
      for (int c = 0; c < 3; ++c) out[c] = shade(row[c] ^ invert, row[3] ^ invert);
    }
  }
}

ErrorCode code_of(const Decoder& decoder) {
  switch (decoder.escape.errors.msg_code) {
    case JERR_OUT_OF_MEMORY: return ErrorCode::out_of_memory;
    case JERR_BAD_PRECISION:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_SOF_UNSUPPORTED: return ErrorCode::unsupported;
    default: return ErrorCode::invalid_argument;
  }
}

[[noreturn]] void report(const Decoder& decoder, std::string_view part) {
  const size_t size = decoder.bytes.size();
  if (decoder.ended) {
    fail(ErrorCode::invalid_argument, "the JPEG file is truncated: it ends after {} bytes, in {}: fetch it again",
         size, part);
  }
  if (decoder.escape.failure == Failure::too_many_scans) {
    fail(ErrorCode::invalid_argument, "the JPEG file has more than {} scans: save it again to accept it", kMaxScans);
  }
  const size_t offset = size - std::min(size, decoder.source.bytes_in_buffer);
  const ErrorCode code = code_of(decoder);
  fail(code, "the JPEG file {} near byte {} of {}, in {} (libjpeg: {}): {}",
       code == ErrorCode::unsupported ? "uses a coding that is not supported" : "is damaged", offset, size, part,
       decoder.escape.message.data(),
       code == ErrorCode::unsupported ? "save it as 8-bit baseline or progressive" : "fetch it again");
}

int orientation_of(const jpeg_decompress_struct& info) {
  using namespace std::string_view_literals;
  constexpr std::string_view kExif = "Exif\0\0"sv;
  for (const jpeg_marker_struct* marker = info.marker_list; marker != nullptr; marker = marker->next) {
    const std::span<const uint8_t> data(marker->data, marker->data_length);
    if (data.size() < kExif.size() || !std::equal(kExif.begin(), kExif.end(), data.begin())) continue;
    return exif_orientation(data.subspan(kExif.size()));
  }
  return 1;
}

/// Refuses what the header alone shows to be wrong, and sets the colours to convert to.
void check_header(Decoder& decoder, const ImageLimits& limits) {
  jpeg_decompress_struct& info = decoder.info;
  check_declared_size("JPEG", info.image_width, info.image_height, limits);
  const bool known_space = info.jpeg_color_space == JCS_GRAYSCALE || info.jpeg_color_space == JCS_YCbCr ||
                           info.jpeg_color_space == JCS_RGB || info.jpeg_color_space == JCS_CMYK ||
                           info.jpeg_color_space == JCS_YCCK;
  if (!known_space) {
    fail(ErrorCode::unsupported, "the JPEG file has {} colour components, expected 1 (grey), 3 (colour) or 4 (CMYK)",
         info.num_components);
  }
  const uint64_t pixels = uint64_t{info.image_width} * info.image_height;
  if (info.arith_code == FALSE && pixels / kMaxPixelsPerByte > decoder.bytes.size()) {
    fail(ErrorCode::invalid_argument,
         "the JPEG file is truncated: it declares {} x {} pixels, which {} bytes cannot hold: fetch it again",
         info.image_width, info.image_height, decoder.bytes.size());
  }
  info.out_color_space = info.num_components == 4 ? JCS_CMYK : JCS_RGB;
}

struct Encoder {
  Escape escape;
  jpeg_compress_struct info{};
  const Image* image = nullptr;    ///< never null once set by encode_jpeg
  std::vector<JSAMPLE> row;        ///< libjpeg takes rows without const
  unsigned char* bytes = nullptr;  ///< allocated by libjpeg with malloc
  unsigned long size = 0;

  Encoder() { use_escape(escape, reinterpret_cast<j_common_ptr>(&info)); }
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
  ~Encoder() {
    jpeg_destroy_compress(&info);
    std::free(bytes);
  }
};

void step_write(Encoder& encoder) {
  jpeg_create_compress(&encoder.info);
  jpeg_mem_dest(&encoder.info, &encoder.bytes, &encoder.size);
  encoder.info.image_width = static_cast<JDIMENSION>(encoder.image->width);
  encoder.info.image_height = static_cast<JDIMENSION>(encoder.image->height);
  encoder.info.input_components = 3;
  encoder.info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&encoder.info);
  jpeg_set_quality(&encoder.info, kQuality, TRUE);
  jpeg_start_compress(&encoder.info, TRUE);
  const size_t row_bytes = static_cast<size_t>(encoder.image->width) * 3;
  while (encoder.info.next_scanline < encoder.info.image_height) {
    std::copy_n(encoder.image->pixels.data() + encoder.info.next_scanline * row_bytes, row_bytes, encoder.row.data());
    JSAMPROW row = encoder.row.data();
    jpeg_write_scanlines(&encoder.info, &row, 1);
  }
  jpeg_finish_compress(&encoder.info);
}

}  // namespace

Image decode_jpeg(std::span<const uint8_t> bytes, const ImageLimits& limits) {
  Decoder decoder;
  decoder.bytes = bytes;
  if (!attempt(decoder, step_read_header)) report(decoder, "its header");
  check_header(decoder, limits);
  const int orientation = orientation_of(decoder.info);

  if (!attempt(decoder, step_start)) report(decoder, "its scans");
  decoder.image =
      make_image(static_cast<int>(decoder.info.output_width), static_cast<int>(decoder.info.output_height));
  const bool is_cmyk = decoder.info.out_color_space == JCS_CMYK;
  if (is_cmyk) decoder.cmyk_row.resize(static_cast<size_t>(decoder.image.width) * 4);
  if (!attempt(decoder, is_cmyk ? step_read_cmyk : step_read_rgb)) {
    report(decoder, fmt::format("row {} of {}", decoder.info.output_scanline, decoder.info.output_height));
  }
  return orient(std::move(decoder.image), orientation);
}

std::vector<std::byte> encode_jpeg(const Image& image) {
  if (image.width > JPEG_MAX_DIMENSION || image.height > JPEG_MAX_DIMENSION) {
    fail(ErrorCode::invalid_argument,
         "a JPEG file holds at most {} pixels a side, but the picture is {} x {}: use .png", JPEG_MAX_DIMENSION,
         image.width, image.height);
  }
  Encoder encoder;
  encoder.image = &image;
  encoder.row.resize(static_cast<size_t>(image.width) * 3);
  if (!attempt(encoder, step_write)) {
    fail(ErrorCode::out_of_memory, "the picture of {} x {} pixels cannot be written as JPEG (libjpeg: {})",
         image.width, image.height, encoder.escape.message.data());
  }
  const auto* first = reinterpret_cast<const std::byte*>(encoder.bytes);
  return {first, first + encoder.size};
}

}  // namespace overt::vision
