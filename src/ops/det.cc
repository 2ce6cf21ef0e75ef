#include "ops/det.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "ops/checks.h"
#include "ops/compute_values.h"
#include "ops/families.h"

namespace overt {
namespace {

Dims det_output_dims(const Node& node, const Dims& x) {
  if (x.size() < 2 || differ(x[x.size() - 1], x[x.size() - 2])) {
    reject_node(node, "input {} holds no square matrices", to_string(x));
  }
  return Dims(x.begin(), x.end() - 2);
}

}  // namespace

void infer_det(InferContext& context) {
  const Dims* x = context.shape(0);
  if (x == nullptr) return context.set_output_type(0, context.type(0));
  context.set_output(0, ValueInfo::tensor(context.type(0), det_output_dims(context.node(), *x)));
}

double determinant(std::span<double> matrix, int64_t size) {
  const auto at = [&](int64_t row, int64_t column) -> double& {
    return matrix[static_cast<size_t>(row * size + column)];
  };
  double product = 1;
  for (int64_t column = 0; column < size; ++column) {
    int64_t pivot = column;
    for (int64_t row = column + 1; row < size; ++row) {
      if (std::abs(at(row, column)) > std::abs(at(pivot, column))) pivot = row;
    }
    if (at(pivot, column) == 0) return 0;
    if (pivot != column) {
      for (int64_t i = 0; i < size; ++i) std::swap(at(pivot, i), at(column, i));
      product = -product;
    }
    product *= at(column, column);
    for (int64_t row = column + 1; row < size; ++row) {
      const double factor = at(row, column) / at(column, column);
      for (int64_t i = column; i < size; ++i) at(row, i) -= factor * at(column, i);
    }
  }
  return product;
}

namespace {

ReferenceKernel make_det(const Node&) {
  return [](KernelContext& context) {
    const TensorView& x = context.input(0);
    const Shape shape = to_shape(context.node(), det_output_dims(context.node(), to_dims(x.dims)));
    const MutableTensorView y = context.output(0, x.type, shape);
    if (y.elements() == 0) return;
    visit_compute_type(x.type, "Det", [&]<typename C>() {
      const ComputeInput<C> in(x);
      const ComputeOutput<C> out(y);
      const int64_t size = x.dim(x.rank() - 1);
      std::vector<double> matrix(static_cast<size_t>(size * size));
      for (int64_t i = 0; i < y.elements(); ++i) {
        std::copy_n(in.data() + i * size * size, size * size, matrix.begin());
        out[i] = static_cast<C>(determinant(matrix, size));
      }
      out.store();
    });
  };
}

constexpr std::array kDetOps = {
    OpEntry{"", "Det", infer_det, make_det},
};

}  // namespace

std::span<const OpEntry> det_ops() {
  return kDetOps;
}

}  // namespace overt
