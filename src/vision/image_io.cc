#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <system_error>

#include "base/error.h"
#include "overt/vision.h"
#include "vision/image_format.h"
#include "vision/jpeg.h"
#include "vision/pixels.h"
#include "vision/png.h"

namespace overt::vision {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string system_message() {
  return std::generic_category().message(errno);
}

/// Reads to the end and never beyond the limit, so that devices and pipes are bounded too.
std::vector<std::byte> read_file(const std::filesystem::path& path, int64_t max_bytes) {
  const std::string name = path.string();
  const File file(std::fopen(name.c_str(), "rb"));
  if (!file) {
    fail_at(ErrorCode::invalid_argument, name, "cannot open the picture '{}': {}", name, system_message());
  }
  constexpr size_t kChunkBytes = size_t{1} << 20;
  std::vector<std::byte> bytes;
  for (size_t count = kChunkBytes; count == kChunkBytes;) {
    const size_t before = bytes.size();
    bytes.resize(before + kChunkBytes);
    count = std::fread(bytes.data() + before, 1, kChunkBytes, file.get());
    bytes.resize(before + count);
    if (std::ferror(file.get()) != 0) {
      fail_at(ErrorCode::invalid_argument, name, "cannot read the picture '{}': {}", name, system_message());
    }
    if (bytes.size() > static_cast<uint64_t>(max_bytes)) {
      fail_at(ErrorCode::invalid_argument, name,
              "the picture '{}' has more than {} bytes: raise ImageLimits::max_file_bytes to accept it", name,
              max_bytes);
    }
  }
  return bytes;
}

/// A name beside `path` that nobody else uses: hidden, so that a watcher of the folder passes over it.
std::filesystem::path temporary_beside(const std::filesystem::path& path) {
  std::random_device device;
  const std::string name = fmt::format(".{}.{:08x}{:08x}.part", path.filename().string(), device(), device());
  return path.parent_path() / name;
}

void write_all(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  File file(std::fopen(path.string().c_str(), "wbx"));
  bool good = file != nullptr;
  good = good && std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  good = good && std::fflush(file.get()) == 0;
  if (!good) throw std::system_error(errno, std::generic_category());
}

}  // namespace

Image decode_image(std::span<const std::byte> bytes, const ImageLimits& limits) {
  if (bytes.size() > static_cast<uint64_t>(limits.max_file_bytes)) {
    fail(ErrorCode::invalid_argument,
         "the picture file has {} bytes, over the limit of {}: raise ImageLimits::max_file_bytes to accept it",
         bytes.size(), limits.max_file_bytes);
  }
  const std::span<const uint8_t> data(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  return recognise_format(data) == ImageFormat::jpeg ? decode_jpeg(data, limits) : decode_png(data, limits);
}

Image load_image(const std::filesystem::path& path, const ImageLimits& limits) {
  const std::vector<std::byte> bytes = read_file(path, limits.max_file_bytes);
  try {
    return decode_image(bytes, limits);
  } catch (const Error& error) {
    fail_at(error.code(), path.string(), "cannot read the picture '{}': {}", path.string(), error.message());
  }
}

std::vector<std::byte> encode_image(const Image& image, ImageFormat format) {
  check_image(image);
  return format == ImageFormat::jpeg ? encode_jpeg(image) : encode_png(image);
}

void save_image(const std::filesystem::path& path, const Image& image) {
  const std::vector<std::byte> bytes = encode_image(image, format_of_extension(path));
  const std::filesystem::path temporary = temporary_beside(path);
  try {
    write_all(temporary, bytes);
    std::filesystem::rename(temporary, path);
  } catch (const std::system_error& error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    fail_at(ErrorCode::invalid_argument, path.string(), "cannot write the picture '{}': {}", path.string(),
            error.code().message());
  }
}

}  // namespace overt::vision
