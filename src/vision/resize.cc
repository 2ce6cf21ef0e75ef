#include "vision/resize.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace overt::vision {
namespace {

constexpr float kOne = 2048.0F;

void resize_columns(const uint8_t* source, int width, const ResizeTap* taps, int16_t* red, int16_t* green,
                    int16_t* blue) {
  for (int x = 0; x < width; ++x) {
    const ResizeTap tap = taps[x];
    const uint8_t* first = source + ptrdiff_t{tap.first} * 3;
    const uint8_t* second = source + ptrdiff_t{tap.second} * 3;
    // A level times 2048 has 19 bits; the lowest four are dropped to fit 16 bits.
    red[x] = static_cast<int16_t>((first[0] * tap.first_weight + second[0] * tap.second_weight) >> 4);
    green[x] = static_cast<int16_t>((first[1] * tap.first_weight + second[1] * tap.second_weight) >> 4);
    blue[x] = static_cast<int16_t>((first[2] * tap.first_weight + second[2] * tap.second_weight) >> 4);
  }
}

/// 7 + 11 fraction bits go in two steps, 16 by the high half of the product and 2 with rounding.
void mix_rows(const int16_t* first, int16_t first_weight, const int16_t* second, int16_t second_weight, size_t count,
              uint8_t* out) {
  for (size_t i = 0; i < count; ++i) {
    const int high = static_cast<int16_t>((first[i] * first_weight) >> 16);
    const int low = static_cast<int16_t>((second[i] * second_weight) >> 16);
    out[i] = static_cast<uint8_t>((high + low + 2) >> 2);
  }
}

std::vector<ResizeTap> make_taps(int source_size, int size) {
  const double step = static_cast<double>(source_size) / size;
  std::vector<ResizeTap> taps(static_cast<size_t>(size));
  for (int i = 0; i < size; ++i) {
    const auto position = static_cast<float>((i + 0.5) * step - 0.5);
    const float floor = std::floor(position);
    const int first = static_cast<int>(floor);
    // Beyond the outermost centres the border pixel counts alone.
    const bool outside = first < 0 || first >= source_size - 1;
    const float fraction = outside ? 0.0F : position - floor;
    ResizeTap& tap = taps[static_cast<size_t>(i)];
    tap.first = std::clamp(first, 0, source_size - 1);
    tap.second = std::min(tap.first + 1, source_size - 1);
    tap.first_weight = static_cast<int16_t>(std::lrint((1.0F - fraction) * kOne));
    tap.second_weight = static_cast<int16_t>(std::lrint(fraction * kOne));
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
  const size_t width = static_cast<size_t>(width_);
  int16_t* planes = row.planes.data();
  const uint8_t* source = image_.pixels.data() + static_cast<size_t>(y) * static_cast<size_t>(image_.width) * 3;
  resize_columns(source, width_, columns_.data(), planes, planes + width, planes + 2 * width);
  row.source_y = y;
  return row;
}

void RowResizer::resize_row(int y, std::span<uint8_t> planes) {
  const ResizeTap& tap = rows_[static_cast<size_t>(y)];
  const Row& first = source_row(tap.first, tap.second);
  const Row& second = tap.second_weight == 0 ? first : source_row(tap.second, tap.first);
  mix_rows(first.planes.data(), tap.first_weight, second.planes.data(), tap.second_weight, planes.size(),
           planes.data());
}

}  // namespace overt::vision
