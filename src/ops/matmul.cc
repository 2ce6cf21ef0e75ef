#include "ops/matmul.h"

#include <algorithm>
#include <array>

#include "ops/broadcast.h"
#include "ops/checks.h"
#include "ops/families.h"
#include "ops/product_types.h"

namespace overt {

Dims matmul_output_dims(const Node& node, const Dims& a, const Dims& b) {
  if (a.empty() || b.empty()) {
    reject_node(node, "inputs {} and {} must have at least one axis each", to_string(a), to_string(b));
  }
  const bool a_is_vector = a.size() == 1, b_is_vector = b.size() == 1;
  const Dim& a_length = a.back();
  const Dim& b_length = b_is_vector ? b.back() : b[b.size() - 2];
  if (differ(a_length, b_length)) {
    reject_node(node, "the last axis of {} does not match {} of {}", to_string(a),
                b_is_vector ? "the axis" : "the last but one", to_string(b));
  }
  const Dims a_batch(a.begin(), a.end() - (a_is_vector ? 1 : 2));
  const Dims b_batch(b.begin(), b.end() - (b_is_vector ? 1 : 2));
  std::optional<Dims> output = broadcast(a_batch, b_batch);
  if (!output) reject_node(node, "the leading axes of {} and {} do not broadcast", to_string(a), to_string(b));
  if (!a_is_vector) output->push_back(a[a.size() - 2]);
  if (!b_is_vector) output->push_back(b.back());
  return *std::move(output);
}

MatmulGeometry resolve_matmul(const Node& node, const Shape& a, const Shape& b) {
  MatmulGeometry g;
  g.output = to_shape(node, matmul_output_dims(node, to_dims(a.dims()), to_dims(b.dims())));
  const int64_t a_axes = std::min<int64_t>(a.rank(), 2), b_axes = std::min<int64_t>(b.rank(), 2);
  g.length = a[a.rank() - 1];
  if (a_axes == 2) g.rows = a[a.rank() - 2];
  if (b_axes == 2) g.columns = b[b.rank() - 1];
  const auto prepare = [&](const Shape& shape, int64_t axes, std::vector<int64_t>& strides) {
    const std::span<const int64_t> leading = shape.dims().first(static_cast<size_t>(shape.rank() - axes));
    strides = broadcast_strides(leading, g.batch);
    for (int64_t& stride : strides) stride *= shape.elements(shape.rank() - axes, shape.rank());
  };
  const int64_t matrix_axes = (a_axes - 1) + (b_axes - 1);
  const std::span<const int64_t> batch = g.output.dims().first(static_cast<size_t>(g.output.rank() - matrix_axes));
  g.batch.assign(batch.begin(), batch.end());
  prepare(a, a_axes, g.a_batch_strides);
  prepare(b, b_axes, g.b_batch_strides);
  return g;
}

void infer_matmul(InferContext& context) {
  const Dims *a = context.shape(0), *b = context.shape(1);
  if (a == nullptr || b == nullptr) return context.set_output_type(0, context.type(0));
  context.set_output(0, ValueInfo::tensor(context.type(0), matmul_output_dims(context.node(), *a, *b)));
}

namespace {

template <typename C>
void multiply_batch(const MatmulGeometry& g, const C* a, const C* b, C* y) {
  const int64_t matrix = g.rows * g.columns;
  for (StridedWalk walk(g.batch, {g.a_batch_strides, g.b_batch_strides}); !walk.done(); walk.next(), y += matrix) {
    add_matrix_product(dense_matrix(a + walk.offset(0), g.rows, g.length),
                       dense_matrix(b + walk.offset(1), g.length, g.columns), y, g.columns);
  }
}

ReferenceKernel make_matmul(const Node&) {
  return [](KernelContext& context) {
    const TensorView &a = context.input(0), &b = context.input(1);
    const MatmulGeometry geometry = resolve_matmul(context.node(), a.shape(), b.shape());
    const MutableTensorView y = context.output(0, a.type, geometry.output);
    visit_product_type(a.type, "MatMul", [&]<typename C>() {
      const ProductInput<C> a_values(a), b_values(b);
      const ProductOutput<C> y_values(y);
      std::ranges::fill(y_values.values(), C{});
      multiply_batch<C>(geometry, a_values.data(), b_values.data(), y_values.data());
      y_values.store();
    });
  };
}

constexpr std::array kMatmulOps = {
    OpEntry{"", "MatMul", infer_matmul, make_matmul},
};

}  // namespace

std::span<const OpEntry> matmul_ops() {
  return kMatmulOps;
}

}  // namespace overt
