#ifndef OVERT_PROVIDERS_CPU_KERNELS_ROWS_H_
#define OVERT_PROVIDERS_CPU_KERNELS_ROWS_H_

#include <cstdint>

#include "base/threads.h"

namespace overt::cpu {

/// Softmax of each row.
///
/// x, y: [rows, cols], row-major, contiguous. y may be x. A NaN in a row makes that row NaN.
/// rows == 0 or cols == 0 writes nothing.
/// Source: ONNX Softmax-13: exp(x - max) / sum(exp(x - max)).
void softmax_rows(const float* x, float* y, int64_t rows, int64_t cols, Threads& threads);

/// log(softmax(x)), the same otherwise: x - max - log(sum(exp(x - max))).
void log_softmax_rows(const float* x, float* y, int64_t rows, int64_t cols, Threads& threads);

/// Inputs of a layer normalisation; all row-major.
struct LayerNormRows {
  const float* x = nullptr;            ///< [rows, cols]
  const float* residual = nullptr;     ///< [rows, cols], added to x first; may be null
  const float* scale = nullptr;        ///< [cols]
  const float* bias = nullptr;         ///< [cols], may be null
  float* y = nullptr;                  ///< [rows, cols], may be x or residual
  float* mean = nullptr;               ///< [rows], may be null
  float* inverse_deviation = nullptr;  ///< [rows], may be null
  int64_t rows = 0;
  int64_t cols = 0;
  float epsilon = 1e-5f;
};

/// y = (v - mean(v)) / sqrt(mean((v - mean(v))^2) + epsilon) * scale + bias for each row v = x + residual.
/// The variance is the second pass's, as exact as the deviations are. Source: ONNX LayerNormalization-17.
void layer_norm_rows(const LayerNormRows& arguments, Threads& threads);

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_KERNELS_ROWS_H_
