#ifndef OVERT_PROVIDERS_CPU_ONEDNN_MATMUL_H_
#define OVERT_PROVIDERS_CPU_ONEDNN_MATMUL_H_

#include <vector>

#include "providers/cpu/onednn/packed_weights.h"
#include "providers/cpu/onednn/post_ops.h"

namespace overt::cpu::onednn {

/// One matrix, or a batch of them, as dims and strides in elements: a transpose is a pair of strides swapped, and
/// a tensor read through a Reshape and a Transpose needs no copy. One of the last two strides must be 1.
struct MatrixView {
  std::vector<int64_t> dims;     ///< [batch..., rows, columns], rank 2 or more, the same for all of a product
  std::vector<int64_t> strides;  ///< 0 is not allowed: broadcast batch axes have dim 1
};

/// Row-major.
MatrixView dense_matrix(std::vector<int64_t> dims);

/// c[..., M, N] = a[..., M, K] b[..., K, N] + bias, then the epilogue.
struct MatmulSpec {
  MatrixView a;
  MatrixView b;
  MatrixView c;
  Tensor b_constant;      ///< b's memory where it is constant (it is then packed), or empty: the run gives it
  Tensor bias;            ///< [N], or empty for none
  EpilogueSpec epilogue;  ///< operands of c's rank, row-major
  Precision precision = Precision::fp32;
};

/// Pointers of a run: a, b (only where b_constant is empty), one for each epilogue step that has an operand
/// (without the one in place), c, scratch memory.
MadeKernel make_matmul(const Library& library, PackedWeights& packed, const MatmulSpec& spec);

}  // namespace overt::cpu::onednn

#endif  // OVERT_PROVIDERS_CPU_ONEDNN_MATMUL_H_
