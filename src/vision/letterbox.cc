#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/error.h"
#include "overt/vision.h"
#include "vision/pixels.h"
#include "vision/resize.h"

namespace overt::vision {
namespace {

/// One channel of the output: value = pixel * factor + offset.
struct Channel {
  size_t plane = 0;  ///< 0 red, 1 green, 2 blue
  float factor = 1.0F;
  float offset = 0.0F;
  float fill = 0.0F;
};

std::array<Channel, 3> make_channels(const PreprocessOptions& options) {
  std::array<Channel, 3> channels;
  for (size_t c = 0; c < 3; ++c) {
    const float factor = options.scale / options.std[c];
    const float offset = -options.mean[c] / options.std[c];
    if (!std::isfinite(factor) || !std::isfinite(offset)) {
      fail(ErrorCode::invalid_argument,
           "scale {}, mean {} and std {} of channel {} give no finite numbers: std must not be 0", options.scale,
           options.mean[c], options.std[c], c);
    }
    channels[c] = {options.order == ChannelOrder::rgb ? c : 2 - c, factor, offset,
                   static_cast<float>(options.fill) * factor + offset};
  }
  return channels;
}

void scale_row(const float* levels, int count, float factor, float offset, float* out) {
  for (int x = 0; x < count; ++x) out[x] = levels[x] * factor + offset;
}

}  // namespace

Letterbox place_letterbox(int width, int height, int input_width, int input_height, LetterboxAlign align) {
  if (width <= 0 || height <= 0 || input_width <= 0 || input_height <= 0) {
    fail(ErrorCode::invalid_argument,
         "cannot fit a picture of {} x {} into an input of {} x {}: sides must be positive", width, height,
         input_width, input_height);
  }
  Letterbox box;
  box.scale = std::min(static_cast<double>(input_height) / height, static_cast<double>(input_width) / width);
  box.width = std::max(1, static_cast<int>(width * box.scale));
  box.height = std::max(1, static_cast<int>(height * box.scale));
  if (align == LetterboxAlign::centre) {
    box.left = (input_width - box.width) / 2;
    box.top = (input_height - box.height) / 2;
  }
  return box;
}

Letterbox preprocess(const Image& image, int input_width, int input_height, const PreprocessOptions& options,
                     std::span<float> out) {
  check_image(image);
  const Letterbox box = place_letterbox(image.width, image.height, input_width, input_height, options.align);
  const size_t plane_size = static_cast<size_t>(input_width) * static_cast<size_t>(input_height);
  if (out.size() != plane_size * 3) {
    fail(ErrorCode::invalid_argument, "an input of {} x {} pixels needs {} numbers, but the buffer holds {}",
         input_width, input_height, plane_size * 3, out.size());
  }
  const std::array<Channel, 3> channels = make_channels(options);
  RowResizer resizer(image, box.width, box.height);
  std::vector<float> planes(static_cast<size_t>(box.width) * 3);
  for (int y = 0; y < input_height; ++y) {
    const bool inside = y >= box.top && y < box.top + box.height;
    if (inside) resizer.resize_row(y - box.top, planes);
    for (size_t c = 0; c < 3; ++c) {
      float* row = out.data() + c * plane_size + static_cast<size_t>(y) * static_cast<size_t>(input_width);
      float* row_end = row + input_width;
      if (!inside) {
        std::fill(row, row_end, channels[c].fill);
        continue;
      }
      std::fill(row, row + box.left, channels[c].fill);
      scale_row(planes.data() + channels[c].plane * static_cast<size_t>(box.width), box.width, channels[c].factor,
                channels[c].offset, row + box.left);
      std::fill(row + box.left + box.width, row_end, channels[c].fill);
    }
  }
  return box;
}

}  // namespace overt::vision
