#include "vision/image_format.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"

namespace overt::vision {
namespace {

using namespace std::string_view_literals;

/// A format that is known by fixed bytes at a fixed place.
struct Signature {
  std::string_view name;
  size_t offset;
  std::string_view bytes;
  std::string_view way_out;
};

constexpr std::string_view kConvert = "convert it to JPEG or PNG first";

// The first match counts, so that a brand stands before its container.
constexpr Signature kOtherFormats[] = {
    {"GIF", 0, "GIF8"sv, kConvert},
    {"WebP", 8, "WEBP"sv, kConvert},
    {"BMP", 0, "BM"sv, kConvert},
    {"TIFF", 0, "II*\0"sv, kConvert},
    {"TIFF", 0, "MM\0*"sv, kConvert},
    {"BigTIFF", 0, "II+\0"sv, kConvert},
    {"BigTIFF", 0, "MM\0+"sv, kConvert},
    {"AVIF", 4, "ftypavi"sv, kConvert},
    {"HEIC", 4, "ftyphei"sv, kConvert},
    {"HEIC", 4, "ftyphev"sv, kConvert},
    {"HEIF", 4, "ftypmif1"sv, kConvert},
    {"HEIF", 4, "ftypmsf1"sv, kConvert},
    {"MP4 or QuickTime video", 4, "ftyp"sv, "extract its frames as JPEG or PNG first"sv},
    {"JPEG XL", 0, "\xFF\x0A"sv, kConvert},
    {"JPEG XL", 4, "JXL \r\n"sv, kConvert},
    {"JPEG 2000", 4, "jP  \r\n"sv, kConvert},
    {"JPEG 2000", 0, "\xFF\x4F\xFF\x51"sv, kConvert},
    {"Photoshop", 0, "8BPS"sv, kConvert},
    {"PDF", 0, "%PDF"sv, "render its pages to JPEG or PNG first"sv},
    {"icon (ICO)", 0, "\0\0\1\0"sv, kConvert},
    {"netpbm", 0, "P5\n"sv, kConvert},
    {"netpbm", 0, "P6\n"sv, kConvert},
    {"gzip", 0, "\x1F\x8B"sv, "unpack it first"sv},
    {"zip", 0, "PK\3\4"sv, "unpack it first"sv},
    {"Git LFS pointer", 0, "version https://git-lfs"sv, "fetch the real file with `git lfs pull`"sv},
    {"HTML, XML or SVG text", 0, "<"sv, "check where it came from: a download may have saved an error page"sv},
};

bool matches(std::string_view text, const Signature& signature) {
  return text.size() >= signature.offset && text.substr(signature.offset).starts_with(signature.bytes);
}

std::string hex_of_first(std::span<const uint8_t> bytes) {
  std::string text;
  for (const uint8_t byte : bytes.first(std::min<size_t>(bytes.size(), 8))) text += fmt::format(" {:02x}", byte);
  return text;
}

}  // namespace

ImageFormat recognise_format(std::span<const uint8_t> bytes) {
  if (bytes.empty()) fail(ErrorCode::invalid_argument, "the picture file is empty (0 bytes), expected JPEG or PNG");
  const std::string head(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(std::min<size_t>(bytes.size(), 32)));
  if (head.starts_with("\xFF\xD8\xFF"sv)) return ImageFormat::jpeg;
  if (head.starts_with("\x89PNG\r\n\x1A\n"sv)) return ImageFormat::png;
  for (const Signature& signature : kOtherFormats) {
    if (!matches(head, signature)) continue;
    fail(ErrorCode::unsupported, "the file is {}, but JPEG and PNG are the formats that can be read: {}",
         signature.name, signature.way_out);
  }
  fail(ErrorCode::invalid_argument,
       "the file is no picture of a known format (it begins with{}), expected JPEG (ff d8 ff) or PNG "
       "(89 50 4e 47 0d 0a 1a 0a)",
       hex_of_first(bytes));
}

ImageFormat format_of_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (extension == ".jpg" || extension == ".jpeg") return ImageFormat::jpeg;
  if (extension == ".png") return ImageFormat::png;
  const std::string name = path.string();
  fail_at(ErrorCode::invalid_argument, name, "cannot write the picture '{}': {}, expected .jpg, .jpeg or .png", name,
          extension.empty() ? "it has no extension" : fmt::format("the extension '{}' is not known", extension));
}

}  // namespace overt::vision
