#include "providers/cpu/kernels/resize.h"

#include <algorithm>
#include <cstring>

namespace overt::cpu {
namespace {

/// One output row. `Lanes` floats for each pixel, or `lanes` where Lanes is 0.
template <int Lanes>
void expand_row(const NearestResize& resize, const float* x, float* y) {
  const int64_t lanes = Lanes > 0 ? Lanes : resize.lanes;
  for (const int64_t col : resize.col_of) {
    std::memcpy(y, x + col * lanes, static_cast<size_t>(lanes) * sizeof(float));
    y += lanes;
  }
}

void expand_plane(const NearestResize& resize, const float* x, float* y) {
  const int64_t row_in = resize.cols_in * resize.lanes;
  const int64_t row_out = static_cast<int64_t>(resize.col_of.size()) * resize.lanes;
  for (size_t i = 0; i < resize.row_of.size(); ++i, y += row_out) {
    if (i > 0 && resize.row_of[i] == resize.row_of[i - 1]) {
      std::memcpy(y, y - row_out, static_cast<size_t>(row_out) * sizeof(float));
      continue;
    }
    const float* const row = x + resize.row_of[i] * row_in;
    switch (resize.lanes) {
      case 1: expand_row<1>(resize, row, y); break;
      case 8: expand_row<8>(resize, row, y); break;
      case 16: expand_row<16>(resize, row, y); break;
      default: expand_row<0>(resize, row, y);
    }
  }
}

}  // namespace

void resize_nearest(const NearestResize& resize, const float* x, float* y, Threads& threads) {
  const int64_t plane_in = resize.rows_in * resize.cols_in * resize.lanes;
  const int64_t plane_out = static_cast<int64_t>(resize.row_of.size() * resize.col_of.size()) * resize.lanes;
  if (plane_out == 0) return;
  // Planes of about 8192 elements together: less is not worth a second thread.
  parallel_for(threads, resize.planes, std::max<int64_t>(1, 8192 / plane_out), [&](int64_t first, int64_t last) {
    for (int64_t plane = first; plane < last; ++plane)
      expand_plane(resize, x + plane * plane_in, y + plane * plane_out);
  });
}

}  // namespace overt::cpu
