#include "ops/cumulative.h"

#include "ops/accumulate.h"
#include "ops/axis.h"
#include "ops/checks.h"
#include "ops/families.h"

namespace overt {

CumulativeAttributes parse_cumulative(const Node& node) {
  return {node.integer("exclusive", 0) != 0, node.integer("reverse", 0) != 0};
}

namespace {

using CumulativeTypes = TypeList<float, double, Float16, BFloat16, int32_t, int64_t, uint32_t, uint64_t>;

struct Sum {
  static constexpr int start = 0;
  auto operator()(auto a, auto b) const { return a + b; }
};
struct Product {
  static constexpr int start = 1;
  auto operator()(auto a, auto b) const { return a * b; }
};

int64_t axis_input(const KernelContext& context) {
  const TensorView& axis = context.input(1);
  if (axis.elements() != 1) context.reject("axis has shape {}, expected a scalar", axis.shape().to_string());
  if (axis.type == DataType::int32) return axis.values<int32_t>()[0];
  return axis.values<int64_t>()[0];
}

/// y[i] = the combination of x[0..i], or of x[0..i) where exclusive, for `length` elements `stride` apart; a
/// negative stride goes backwards.
template <typename Combine, typename T>
void scan(const T* x, T* y, int64_t length, int64_t stride, bool exclusive) {
  Accumulator<T> total = Combine::start;
  for (int64_t i = 0; i < length; ++i) {
    const auto next = Combine{}(total, static_cast<Accumulator<T>>(to_compute(x[i * stride])));
    y[i * stride] = narrow<T>(exclusive ? total : next);
    total = next;
  }
}

template <typename Combine>
ReferenceKernel make_cumulative(const Node& node) {
  return [attributes = parse_cumulative(node)](KernelContext& context) {
    const TensorView& x = context.input(0);
    const AxisSplit split = split_at(x.dims, normalise_axis(context.node(), axis_input(context), x.rank()));
    const MutableTensorView y = context.output(0, x.type, x.shape());
    visit_types(CumulativeTypes{}, x.type, context.node().op.type, [&]<typename T>() {
      const std::span<const T> in = x.values<T>();
      if (in.empty()) return;
      T* out = y.values<T>().data();
      const int64_t first = attributes.reverse ? (split.length - 1) * split.inner : 0;
      const int64_t stride = attributes.reverse ? -split.inner : split.inner;
      for (int64_t i = 0; i < split.outer * split.inner; ++i) {
        const int64_t start = i / split.inner * split.length * split.inner + i % split.inner + first;
        scan<Combine>(in.data() + start, out + start, split.length, stride, attributes.exclusive);
      }
    });
  };
}

void infer_cumulative(InferContext& context) {
  require_input_type(CumulativeTypes{}, context, 0);
  require_input_type(TypeList<int32_t, int64_t>{}, context, 1);
  const std::optional<std::vector<int64_t>> axis = known_numbers(context, 1);
  if (axis && axis->size() != 1) context.reject("axis has {} elements, expected a scalar", axis->size());
  if (axis && context.shape(0) != nullptr) {
    normalise_axis(context.node(), axis->front(), static_cast<int64_t>(context.shape(0)->size()));
  }
  infer_same_shape(context, context.type(0), nullptr);
}

constexpr OpEntry kOps[] = {
    {"", "CumSum", &infer_cumulative, &make_cumulative<Sum>},
    {"", "CumProd", &infer_cumulative, &make_cumulative<Product>},
};

}  // namespace

std::span<const OpEntry> cumulative_ops() {
  return kOps;
}

}  // namespace overt
