#ifndef OVERT_PROVIDERS_CPU_KERNELS_WINOGRAD_TASK_H_
#define OVERT_PROVIDERS_CPU_KERNELS_WINOGRAD_TASK_H_

#include <cstdint>

#include "providers/cpu/kernels/epilogue.h"

namespace overt::cpu {

/// A 3x3 convolution as tiles of 4 x 4 results. B: channels in a group.
struct WinogradShapes {
  int64_t pictures = 0;
  int64_t input_groups = 0, output_groups = 0, output_channels = 0;
  int64_t rows_in = 0, cols_in = 0, rows_out = 0, cols_out = 0;
  int64_t pad_top = 0, pad_left = 0;
  int64_t tile_rows = 0, tile_cols = 0;  ///< ceil(rows_out / 4), ceil(cols_out / 4)

  int64_t tiles() const { return pictures * tile_rows * tile_cols; }
};

/// Tiles [first_tile, last_tile) of all pictures, numbered picture by picture and row by row, during a run.
struct WinogradBlock {
  const WinogradShapes* shapes = nullptr;
  const float* x = nullptr;  ///< [pictures, input groups, rows_in, cols_in, B]
  float* y = nullptr;        ///< [pictures, output groups, rows_out, cols_out, B]
  int64_t first_tile = 0, last_tile = 0;
  float* values = nullptr;         ///< transformed inputs, [36, input groups, tiles of the block, B]
  const float* weights = nullptr;  ///< [pairs of output groups, 36, input groups * B, 2 (or 1, the last), B]
  const float* bias = nullptr;     ///< [output groups, B]
  const EpilogueRun* epilogue = nullptr;
};

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_KERNELS_WINOGRAD_TASK_H_
