#include "vision/resize.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace overt::vision {
namespace {

// A level times it has 24 bits, which fp32 holds exactly.
constexpr int kOne = 65536;

int32_t mix(int first, int second, int second_share) {
  return first * kOne + (second - first) * second_share;
}

void resize_columns(const uint8_t* source, int width, const ResizeTap* taps, int32_t* red, int32_t* green,
                    int32_t* blue) {
  for (int x = 0; x < width; ++x) {
    const ResizeTap tap = taps[x];
    const uint8_t* first = source + ptrdiff_t{tap.first} * 3;
    const uint8_t* second = source + ptrdiff_t{tap.second} * 3;
    red[x] = mix(first[0], second[0], tap.second_share);
    green[x] = mix(first[1], second[1], tap.second_share);
    blue[x] = mix(first[2], second[2], tap.second_share);
  }
}

void mix_rows(const int32_t* first, const int32_t* second, float second_share, size_t count, float* out) {
  constexpr float kLevel = 1.0F / kOne;
  for (size_t i = 0; i < count; ++i) {
    const auto from = static_cast<float>(first[i]);
    const float mixed = from + (static_cast<float>(second[i]) - from) * second_share;
    out[i] = static_cast<float>(static_cast<int32_t>(mixed * kLevel + 0.5F));
  }
}

std::vector<ResizeTap> make_taps(int source_size, int size) {
  const double step = static_cast<double>(source_size) / size;
  std::vector<ResizeTap> taps(static_cast<size_t>(size));
  for (int i = 0; i < size; ++i) {
    // Beyond the outermost centres the border pixel counts alone.
    const double position = std::clamp((i + 0.5) * step - 0.5, 0.0, source_size - 1.0);
    ResizeTap& tap = taps[static_cast<size_t>(i)];
    tap.first = static_cast<int32_t>(position);
    tap.second = std::min(tap.first + 1, source_size - 1);
    tap.second_share = static_cast<int32_t>(std::lrint((position - tap.first) * kOne));
  }
  return taps;
}

}  // namespace

RowResizer::RowResizer(const Image& image, int width, int height)
    : image_(image), width_(width), columns_(make_taps(image.width, width)), rows_(make_taps(image.height, height)) {
  for (Row& row : cache_) row.planes.resize(static_cast<size_t>(width) * 3);
}

/// The resized source row y, made when it is not kept; never over the kept row keep_y.
const RowResizer::Row& RowResizer::source_row(int y, int keep_y) {
  for (const Row& row : cache_) {
    if (row.source_y == y) return row;
  }
  Row& row = cache_[0].source_y == keep_y ? cache_[1] : cache_[0];
  const auto width = static_cast<size_t>(width_);
  int32_t* planes = row.planes.data();
  const uint8_t* source = image_.pixels.data() + static_cast<size_t>(y) * static_cast<size_t>(image_.width) * 3;
  resize_columns(source, width_, columns_.data(), planes, planes + width, planes + 2 * width);
  row.source_y = y;
  return row;
}

void RowResizer::resize_row(int y, std::span<float> planes) {
  const ResizeTap& tap = rows_[static_cast<size_t>(y)];
  const Row& first = source_row(tap.first, tap.second);
  const Row& second = tap.second_share == 0 ? first : source_row(tap.second, tap.first);
  const float share = static_cast<float>(tap.second_share) / kOne;
  mix_rows(first.planes.data(), second.planes.data(), share, planes.size(), planes.data());
}

}  // namespace overt::vision
