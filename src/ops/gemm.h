#ifndef OVERT_OPS_GEMM_H_
#define OVERT_OPS_GEMM_H_

#include <cstdint>

#include "ops/infer_context.h"

namespace overt {

/// Gemm, by every opset: y = alpha * op(a) * op(b) + beta * c.
struct GemmAttributes {
  float alpha = 1;
  float beta = 1;
  bool transpose_a = false;
  bool transpose_b = false;
};
GemmAttributes parse_gemm(const Node& node);

/// Gemm of concrete shapes: op(a) is [rows, length], op(b) is [length, columns], y is [rows, columns]. Element
/// (r, c) of the third input lies at r*c_row_stride + c*c_column_stride; both strides are 0 where it is absent.
struct GemmGeometry {
  int64_t rows = 0;
  int64_t length = 0;
  int64_t columns = 0;
  int64_t c_row_stride = 0;
  int64_t c_column_stride = 0;
};

/// The output's shape. `c` may be null. Throws Error(invalid_model) where the shapes do not fit.
Dims gemm_output_dims(const Node& node, const GemmAttributes& attributes, const Dims& a, const Dims& b,
                      const Dims* c);
/// Attributes and shapes as numbers. Throws like `gemm_output_dims`.
GemmGeometry resolve_gemm(const Node& node, const GemmAttributes& attributes, const Shape& a, const Shape& b,
                          const Shape* c);

void infer_gemm(InferContext& context);

}  // namespace overt

#endif  // OVERT_OPS_GEMM_H_
