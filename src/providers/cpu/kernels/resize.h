#ifndef OVERT_PROVIDERS_CPU_KERNELS_RESIZE_H_
#define OVERT_PROVIDERS_CPU_KERNELS_RESIZE_H_

#include <cstdint>
#include <vector>

#include "base/threads.h"

namespace overt::cpu {

/// Nearest-neighbour resize of the last two spatial axes by tables.
struct NearestResize {
  int64_t planes = 0;  ///< N * C, or N * channel groups of a blocked layout
  int64_t lanes = 1;   ///< floats of one pixel: 1 for row-major, the block for blocked layouts
  int64_t rows_in = 0;
  int64_t cols_in = 0;
  std::vector<int64_t> row_of;  ///< for each output row, the input row
  std::vector<int64_t> col_of;  ///< for each output column, the input column
};

/// y[p, i, j, lane] = x[p, row_of[i], col_of[j], lane]. x and y may not overlap. Equal output rows in succession
/// are computed once and copied.
void resize_nearest(const NearestResize& resize, const float* x, float* y, Threads& threads);

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_KERNELS_RESIZE_H_
