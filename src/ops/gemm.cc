#include "ops/gemm.h"

#include <algorithm>
#include <array>

#include "ops/broadcast.h"
#include "ops/checks.h"
#include "ops/families.h"
#include "ops/product_types.h"

namespace overt {

GemmAttributes parse_gemm(const Node& node) {
  return {node.real("alpha", 1), node.real("beta", 1), node.integer("transA", 0) != 0,
          node.integer("transB", 0) != 0};
}

Dims gemm_output_dims(const Node& node, const GemmAttributes& attributes, const Dims& a, const Dims& b,
                      const Dims* c) {
  if (a.size() != 2 || b.size() != 2) {
    reject_node(node, "inputs {} and {} must have rank 2", to_string(a), to_string(b));
  }
  const Dim& a_length = a[attributes.transpose_a ? 0 : 1];
  const Dim& b_length = b[attributes.transpose_b ? 1 : 0];
  if (differ(a_length, b_length)) {
    reject_node(node, "{}{} and {}{} do not fit: {} columns, {} rows", to_string(a),
                attributes.transpose_a ? " transposed" : "", to_string(b),
                attributes.transpose_b ? " transposed" : "", a_length.to_string(), b_length.to_string());
  }
  Dims output = {a[attributes.transpose_a ? 1 : 0], b[attributes.transpose_b ? 0 : 1]};
  if (c == nullptr) return output;
  bool fits = c->size() <= 2;
  for (size_t i = 0; fits && i < c->size(); ++i) {
    const Dim& length = (*c)[c->size() - 1 - i];
    fits = length == Dim(1) || !differ(length, output[1 - i]);
  }
  if (!fits) reject_node(node, "input 2 {} does not broadcast to {}", to_string(*c), to_string(output));
  return output;
}

GemmGeometry resolve_gemm(const Node& node, const GemmAttributes& attributes, const Shape& a, const Shape& b,
                          const Shape* c) {
  const Dims c_dims = c != nullptr ? to_dims(c->dims()) : Dims();
  const Shape output = to_shape(node, gemm_output_dims(node, attributes, to_dims(a.dims()), to_dims(b.dims()),
                                                       c != nullptr ? &c_dims : nullptr));
  GemmGeometry geometry;
  geometry.rows = output[0];
  geometry.length = a[attributes.transpose_a ? 0 : 1];
  geometry.columns = output[1];
  if (c != nullptr) {
    const std::vector<int64_t> strides = broadcast_strides(c->dims(), output.dims());
    geometry.c_row_stride = strides[0];
    geometry.c_column_stride = strides[1];
  }
  return geometry;
}

void infer_gemm(InferContext& context) {
  const GemmAttributes attributes = parse_gemm(context.node());
  const Dims *a = context.shape(0), *b = context.shape(1);
  const Dims* c = context.has_input(2) ? context.shape(2) : nullptr;
  if (a == nullptr || b == nullptr) return context.set_output_type(0, context.type(0));
  context.set_output(0, ValueInfo::tensor(context.type(0), gemm_output_dims(context.node(), attributes, *a, *b, c)));
}

namespace {

/// factor * value; an integer is scaled modulo its width by the factor's whole part.
template <typename C>
C scaled(C value, float factor) {
  if constexpr (std::is_integral_v<C>) {
    const double whole = std::clamp(static_cast<double>(factor), -9e18, 9e18);
    return static_cast<C>(value * static_cast<C>(static_cast<int64_t>(whole)));
  } else {
    return value * static_cast<C>(factor);
  }
}

/// `c` may be null.
template <typename C>
void gemm(const GemmAttributes& attributes, const GemmGeometry& g, const C* a, const C* b, const C* c, C* y) {
  const MatrixView<C> left =
      attributes.transpose_a ? dense_matrix(a, g.length, g.rows).transposed() : dense_matrix(a, g.rows, g.length);
  const MatrixView<C> right = attributes.transpose_b ? dense_matrix(b, g.columns, g.length).transposed()
                                                     : dense_matrix(b, g.length, g.columns);
  std::fill_n(y, g.rows * g.columns, C{});
  add_matrix_product(left, right, y, g.columns);
  for (int64_t row = 0; row < g.rows; ++row) {
    for (int64_t column = 0; column < g.columns; ++column, ++y) {
      if (attributes.alpha != 1) *y = scaled(*y, attributes.alpha);
      if (c == nullptr || attributes.beta == 0) continue;
      *y += scaled(c[row * g.c_row_stride + column * g.c_column_stride], attributes.beta);
    }
  }
}

ReferenceKernel make_gemm(const Node& node) {
  return [attributes = parse_gemm(node)](KernelContext& context) {
    const TensorView &a = context.input(0), &b = context.input(1);
    const TensorView c = context.has_input(2) ? context.input(2) : TensorView{};
    const Shape c_shape = c.shape();
    const GemmGeometry geometry =
        resolve_gemm(context.node(), attributes, a.shape(), b.shape(), c.present() ? &c_shape : nullptr);
    const MutableTensorView y = context.output(0, a.type, {geometry.rows, geometry.columns});
    visit_product_type(a.type, "Gemm", [&]<typename C>() {
      const ProductInput<C> a_values(a), b_values(b), c_values(c);
      const ProductOutput<C> y_values(y);
      gemm<C>(attributes, geometry, a_values.data(), b_values.data(), c_values.data(), y_values.data());
      y_values.store();
    });
  };
}

constexpr std::array kGemmOps = {
    OpEntry{"", "Gemm", infer_gemm, make_gemm},
};

}  // namespace

std::span<const OpEntry> gemm_ops() {
  return kGemmOps;
}

}  // namespace overt
