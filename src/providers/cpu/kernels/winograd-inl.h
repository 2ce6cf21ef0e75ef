// Included once for each instruction set that kernels are compiled for.
#if defined(OVERT_PROVIDERS_CPU_KERNELS_WINOGRAD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef OVERT_PROVIDERS_CPU_KERNELS_WINOGRAD_INL_H_
#undef OVERT_PROVIDERS_CPU_KERNELS_WINOGRAD_INL_H_
#else
#define OVERT_PROVIDERS_CPU_KERNELS_WINOGRAD_INL_H_
#endif

#include <hwy/highway.h>

#include "providers/cpu/kernels/epilogue-inl.h"
#include "providers/cpu/kernels/panel-inl.h"
#include "providers/cpu/kernels/winograd_task.h"

HWY_BEFORE_NAMESPACE();
namespace overt::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using WinogradVector = hn::Vec<hn::ScalableTag<float>>;

// The one-dimensional transforms for the points 0, +-1/sqrt2, +-sqrt2 and infinity; see winograd.h.
inline constexpr float kNear = 0.70710678f;
inline constexpr float kFar = 1.41421356f;

/// Six samples to their six values: the rows of B^T.
HWY_INLINE void transform_input(const WinogradVector (&d)[6], WinogradVector (&v)[6]) {
  const hn::ScalableTag<float> f;
  const auto near_even = hn::NegMulAdd(d[2], hn::Set(f, 2.0f), d[4]);
  const auto far_even = hn::NegMulAdd(d[2], hn::Set(f, 0.5f), d[4]);
  const auto near_odd = hn::NegMulAdd(d[1], hn::Set(f, 2.0f), d[3]);
  const auto far_odd = hn::NegMulAdd(d[1], hn::Set(f, 0.5f), d[3]);
  v[0] = hn::NegMulAdd(d[2], hn::Set(f, 2.5f), hn::Add(d[0], d[4]));
  v[1] = hn::MulAdd(near_odd, hn::Set(f, kNear), near_even);
  v[2] = hn::NegMulAdd(near_odd, hn::Set(f, kNear), near_even);
  v[3] = hn::MulAdd(far_odd, hn::Set(f, kFar), far_even);
  v[4] = hn::NegMulAdd(far_odd, hn::Set(f, kFar), far_even);
  v[5] = hn::NegMulAdd(d[3], hn::Set(f, 2.5f), hn::Add(d[1], d[5]));
}

/// Six values to four results: the rows of A^T.
HWY_INLINE void transform_output(const WinogradVector (&m)[6], WinogradVector (&y)[4]) {
  const hn::ScalableTag<float> f;
  const auto near_sum = hn::Add(m[1], m[2]);
  const auto far_sum = hn::Add(m[3], m[4]);
  const auto near_difference = hn::Mul(hn::Sub(m[1], m[2]), hn::Set(f, kNear));
  const auto far_difference = hn::Mul(hn::Sub(m[3], m[4]), hn::Set(f, kFar));
  y[0] = hn::Add(hn::Add(m[0], near_sum), far_sum);
  y[1] = hn::Add(near_difference, far_difference);
  y[2] = hn::MulAdd(near_sum, hn::Set(f, 0.5f), hn::Mul(far_sum, hn::Set(f, 2.0f)));
  y[3] = hn::MulAdd(near_difference, hn::Set(f, 0.5f), hn::MulAdd(far_difference, hn::Set(f, 2.0f), m[5]));
}

/// One tile of one input group: 6 x 6 pixels at `x` (row_floats from row to row) to 36 vectors at
/// v[position * position_floats].
inline void transform_tile(const float* x, int64_t row_floats, float* v, int64_t position_floats) {
  const hn::ScalableTag<float> f;
  WinogradVector columns[6][6];
  for (int j = 0; j < 6; ++j) {
    WinogradVector samples[6];
    for (int i = 0; i < 6; ++i) samples[i] = hn::LoadU(f, x + i * row_floats + j * kBlock);
    WinogradVector values[6];
    transform_input(samples, values);
    for (int i = 0; i < 6; ++i) columns[i][j] = values[i];
  }
  for (int i = 0; i < 6; ++i) {
    WinogradVector values[6];
    transform_input(columns[i], values);
    for (int j = 0; j < 6; ++j, v += position_floats) hn::StoreU(values[j], f, v);
  }
}

/// The tile of output rows and columns beginning at (4 tile_row, 4 tile_column) needs input that begins `pad` before.
/// Where it leaves the picture it is copied into `border` with zeros around.
inline const float* find_tile(const WinogradShapes& s, const float* plane, int64_t tile_row, int64_t tile_column,
                              float* border, int64_t& row_floats) {
  const int64_t top = 4 * tile_row - s.pad_top;
  const int64_t left = 4 * tile_column - s.pad_left;
  row_floats = s.cols_in * kBlock;
  if (top >= 0 && left >= 0 && top + 6 <= s.rows_in && left + 6 <= s.cols_in) {
    return plane + (top * s.cols_in + left) * kBlock;
  }
  const hn::ScalableTag<float> f;
  for (int64_t i = 0; i < 6; ++i) {
    for (int64_t j = 0; j < 6; ++j) {
      const int64_t row = top + i;
      const int64_t col = left + j;
      const bool inside = row >= 0 && row < s.rows_in && col >= 0 && col < s.cols_in;
      const auto value = inside ? hn::LoadU(f, plane + (row * s.cols_in + col) * kBlock) : hn::Zero(f);
      hn::StoreU(value, f, border + (i * 6 + j) * kBlock);
    }
  }
  row_floats = 6 * kBlock;
  return border;
}

/// Tiles [first_tile, last_tile) of input groups [first, last) into the block's values,
/// [36, input groups, tiles of the block, B].
inline void transform_inputs(const WinogradBlock& block, int64_t first_group, int64_t last_group) {
  const WinogradShapes& s = *block.shapes;
  const int64_t tiles = block.last_tile - block.first_tile;
  HWY_ALIGN float border[36 * kBlock];
  for (int64_t group = first_group; group < last_group; ++group) {
    for (int64_t tile = 0; tile < tiles; ++tile) {
      const int64_t number = block.first_tile + tile;
      const int64_t picture = number / (s.tile_rows * s.tile_cols);
      const int64_t in_picture = number % (s.tile_rows * s.tile_cols);
      const float* plane = block.x + (picture * s.input_groups + group) * s.rows_in * s.cols_in * kBlock;
      int64_t row_floats = 0;
      const float* x = find_tile(s, plane, in_picture / s.tile_cols, in_picture % s.tile_cols, border, row_floats);
      transform_tile(x, row_floats, block.values + (group * tiles + tile) * kBlock, s.input_groups * tiles * kBlock);
    }
  }
}

/// One tile of one output group: 36 sums at m[position * position_floats] to 4 x 4 results.
inline void transform_sums(const float* m, int64_t position_floats, const float* bias, float* results) {
  const hn::ScalableTag<float> f;
  WinogradVector columns[4][6];
  for (int j = 0; j < 6; ++j) {
    WinogradVector sums[6];
    for (int i = 0; i < 6; ++i) sums[i] = hn::LoadU(f, m + (i * 6 + j) * position_floats);
    WinogradVector values[4];
    transform_output(sums, values);
    for (int i = 0; i < 4; ++i) columns[i][j] = values[i];
  }
  const auto shift = hn::LoadU(f, bias);
  for (int i = 0; i < 4; ++i) {
    WinogradVector values[4];
    transform_output(columns[i], values);
    for (int j = 0; j < 4; ++j) hn::StoreU(hn::Add(values[j], shift), f, results + (i * 4 + j) * kBlock);
  }
}

/// Adds the epilogue's first operand to those of the 4 x 4 results that lie in the picture, applies the other steps
/// and stores them.
inline void finish_tile(const WinogradBlock& block, int64_t group, int64_t number, float* results) {
  const WinogradShapes& s = *block.shapes;
  const hn::ScalableTag<float> f;
  const int64_t picture = number / (s.tile_rows * s.tile_cols);
  const int64_t in_picture = number % (s.tile_rows * s.tile_cols);
  const int64_t top = in_picture / s.tile_cols * 4;
  const int64_t left = in_picture % s.tile_cols * 4;
  const int64_t rows = HWY_MIN(4, s.rows_out - top);
  const int64_t cols = HWY_MIN(4, s.cols_out - left);
  const int64_t plane = (picture * s.output_groups + group) * s.rows_out * s.cols_out;
  const auto at = [&](int64_t i) { return (plane + (top + i) * s.cols_out + left) * kBlock; };
  if (const float* start = block.epilogue->start) {
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < cols; ++j) {
        float* const result = results + (i * 4 + j) * kBlock;
        hn::StoreU(hn::Add(hn::LoadU(f, result), hn::LoadU(f, start + at(i) + j * kBlock)), f, result);
      }
    }
  }
  apply_epilogue(*block.epilogue, results, 0, 16);
  if (group + 1 == s.output_groups) clear_padding(results, 16, s.output_channels);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j) {
      hn::StoreU(hn::LoadU(f, results + (i * 4 + j) * kBlock), f, block.y + at(i) + j * kBlock);
    }
  }
}

/// Products and results of the block's tiles for pairs of output groups [first, last).
/// sums: [36, 2, tiles, B].
inline void multiply_and_finish(const WinogradBlock& block, int64_t first_pair, int64_t last_pair, float* sums) {
  const WinogradShapes& s = *block.shapes;
  const int64_t tiles = block.last_tile - block.first_tile;
  const int64_t group_weights = s.input_groups * kBlock * kBlock;
  HWY_ALIGN const float zeros[2 * kBlock] = {};
  HWY_ALIGN float results[16 * kBlock];
  for (int64_t pair = first_pair; pair < last_pair; ++pair) {
    const int64_t group = 2 * pair;
    const int64_t together = HWY_MIN(2, s.output_groups - group);
    const float* const weights = block.weights + group * 36 * group_weights;
    for (int64_t position = 0; position < 36; ++position) {
      const Panel panel{block.values + position * s.input_groups * tiles * kBlock,
                        tiles * kBlock,
                        s.input_groups,
                        weights + position * together * group_weights,
                        zeros,
                        nullptr,
                        sums + position * 2 * tiles * kBlock,
                        tiles * kBlock};
      if (together == 2) multiply_row<2>(panel, tiles);
      if (together == 1) multiply_row<1>(panel, tiles);
    }
    for (int64_t of_pair = 0; of_pair < together; ++of_pair) {
      for (int64_t tile = 0; tile < tiles; ++tile) {
        transform_sums(sums + (of_pair * tiles + tile) * kBlock, 2 * tiles * kBlock,
                       block.bias + (group + of_pair) * kBlock, results);
        finish_tile(block, group + of_pair, block.first_tile + tile, results);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace overt::cpu
HWY_AFTER_NAMESPACE();

#endif  // OVERT_PROVIDERS_CPU_KERNELS_WINOGRAD_INL_H_
