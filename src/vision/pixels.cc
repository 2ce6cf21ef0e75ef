#include "vision/pixels.h"

#include <cstddef>
#include <new>

#include "base/error.h"

namespace overt::vision {

void check_declared_size(std::string_view format, uint64_t width, uint64_t height, const ImageLimits& limits) {
  if (width == 0 || height == 0) {
    fail(ErrorCode::invalid_argument, "the {} file declares a picture of {} x {} pixels: it has no content", format,
         width, height);
  }
  const auto side = static_cast<uint64_t>(limits.max_side);
  if (width > side || height > side) {
    fail(ErrorCode::invalid_argument,
         "the {} file declares {} x {} pixels, over the limit of {} a side: raise ImageLimits::max_side to accept it",
         format, width, height, limits.max_side);
  }
  if (width * height > static_cast<uint64_t>(limits.max_pixels)) {
    fail(ErrorCode::invalid_argument,
         "the {} file declares {} x {} = {} pixels, over the limit of {}: raise ImageLimits::max_pixels to accept it",
         format, width, height, width * height, limits.max_pixels);
  }
}

Image make_image(int width, int height) {
  const size_t bytes = static_cast<size_t>(width) * static_cast<size_t>(height) * 3;
  try {
    return {width, height, std::vector<uint8_t>(bytes)};
  } catch (const std::bad_alloc&) {
    fail(ErrorCode::out_of_memory, "a picture of {} x {} pixels needs {} bytes, which the system refused", width,
         height, bytes);
  }
}

void check_image(const Image& image) {
  if (image.width <= 0 || image.height <= 0) {
    fail(ErrorCode::invalid_argument, "the picture is {} x {} pixels: both sides must be positive", image.width,
         image.height);
  }
  const size_t bytes = static_cast<size_t>(image.width) * static_cast<size_t>(image.height) * 3;
  if (image.pixels.size() != bytes) {
    fail(ErrorCode::invalid_argument, "a picture of {} x {} pixels needs {} bytes of RGB, but it holds {}",
         image.width, image.height, bytes, image.pixels.size());
  }
}

}  // namespace overt::vision
