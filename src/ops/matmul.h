#ifndef OVERT_OPS_MATMUL_H_
#define OVERT_OPS_MATMUL_H_

#include <cstdint>
#include <vector>

#include "ops/infer_context.h"

namespace overt {

/// The shape of numpy.matmul(a, b). Throws Error(invalid_model) where the shapes do not fit.
Dims matmul_output_dims(const Node& node, const Dims& a, const Dims& b);

/// MatMul of concrete shapes as a batch of products [rows, length] x [length, columns].
///
/// A vector `a` is one row, a vector `b` one column, and the axis that this adds is not in `output`. For each
/// batch index in row-major order of `batch`, the operands' matrices begin at the sum of index*stride.
struct MatmulGeometry {
  int64_t rows = 1;
  int64_t length = 1;
  int64_t columns = 1;
  std::vector<int64_t> batch;            ///< broadcast leading axes
  std::vector<int64_t> a_batch_strides;  ///< in elements, 0 on broadcast axes
  std::vector<int64_t> b_batch_strides;
  Shape output;
};
MatmulGeometry resolve_matmul(const Node& node, const Shape& a, const Shape& b);

void infer_matmul(InferContext& context);

}  // namespace overt

#endif  // OVERT_OPS_MATMUL_H_
