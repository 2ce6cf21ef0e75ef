#include "ops/arg_reduce.h"

#include <algorithm>

#include "ops/axis.h"
#include "ops/checks.h"
#include "ops/elementwise.h"
#include "ops/families.h"

// ArgMax, ArgMin and Hardmax. A NaN is chosen before any number, as in NumPy.

namespace overt {

ArgReduceAttributes parse_arg_reduce(const Node& node) {
  return {node.integer("axis", 0), node.integer("keepdims", 1) != 0, node.integer("select_last_index", 0) != 0};
}

HardmaxAttributes parse_hardmax(const Node& node) {
  const bool flatten = node.op.since_version < 13;
  return {node.integer("axis", flatten ? 1 : -1), flatten};
}

namespace {

enum class Extreme : uint8_t { least, greatest };

/// Whether x replaces the best so far.
template <typename T>
bool is_chosen(T x, T best, Extreme extreme, bool last) {
  if (best != best) return last && x != x;
  if (x != x) return true;
  if (x == best) return last;
  return extreme == Extreme::greatest ? x > best : x < best;
}

/// Position of the extreme of `length` >= 1 elements that lie `stride` apart.
template <typename T>
int64_t position_of_extreme(const T* x, int64_t length, int64_t stride, Extreme extreme, bool last) {
  int64_t position = 0;
  auto best = to_compute(x[0]);
  for (int64_t i = 1; i < length; ++i) {
    const auto value = to_compute(x[i * stride]);
    if (!is_chosen(value, best, extreme, last)) continue;
    best = value;
    position = i;
  }
  return position;
}

template <Extreme extreme>
ReferenceKernel make_arg_reduce(const Node& node) {
  return [attributes = parse_arg_reduce(node)](KernelContext& context) {
    const TensorView& x = context.input(0);
    const int64_t axis = normalise_axis(context.node(), attributes.axis, x.rank());
    const AxisSplit split = split_at(x.dims, axis);
    std::vector<int64_t> dims(x.dims.begin(), x.dims.end());
    if (attributes.keepdims) {
      dims[static_cast<size_t>(axis)] = 1;
    } else {
      dims.erase(dims.begin() + axis);
    }
    const std::span<int64_t> out = context.output(0, DataType::int64, Shape(dims)).values<int64_t>();
    if (out.empty()) return;
    if (split.length == 0)
      context.reject("axis {} of shape {} has no element to choose", axis, x.shape().to_string());
    visit_types(NumericTypes{}, x.type, context.node().op.type, [&]<typename T>() {
      const T* in = x.values<T>().data();
      for (int64_t i = 0; i < split.outer * split.inner; ++i) {
        const int64_t start = i / split.inner * split.length * split.inner + i % split.inner;
        out[static_cast<size_t>(i)] =
            position_of_extreme(in + start, split.length, split.inner, extreme, attributes.select_last_index);
      }
    });
  };
}

void infer_arg_reduce(InferContext& context) {
  require_input_type(NumericTypes{}, context, 0);
  const ArgReduceAttributes attributes = parse_arg_reduce(context.node());
  if (context.shape(0) == nullptr) return context.set_output_type(0, DataType::int64);
  Dims dims = *context.shape(0);
  const int64_t axis = normalise_axis(context.node(), attributes.axis, static_cast<int64_t>(dims.size()));
  if (attributes.keepdims) {
    dims[static_cast<size_t>(axis)] = Dim(1);
  } else {
    dims.erase(dims.begin() + axis);
  }
  context.set_output(0, ValueInfo::tensor(DataType::int64, std::move(dims)));
}

void infer_hardmax(InferContext& context) {
  require_input_type(FloatTypes{}, context, 0);
  const HardmaxAttributes attributes = parse_hardmax(context.node());
  if (const Dims* shape = context.shape(0)) {
    normalise_axis(context.node(), attributes.axis, static_cast<int64_t>(shape->size()));
  }
  infer_same_shape(context, context.type(0), nullptr);
}

ReferenceKernel make_hardmax(const Node& node) {
  return [attributes = parse_hardmax(node)](KernelContext& context) {
    const TensorView& x = context.input(0);
    const int64_t axis = normalise_axis(context.node(), attributes.axis, x.rank());
    const AxisSplit split = attributes.flatten_trailing ? split_from(x.dims, axis) : split_at(x.dims, axis);
    const MutableTensorView y = context.output(0, x.type, x.shape());
    visit_types(FloatTypes{}, x.type, "Hardmax", [&]<typename T>() {
      const T* in = x.values<T>().data();
      const std::span<T> out = y.values<T>();
      std::ranges::fill(out, T(0.0f));
      if (split.length == 0) return;
      for (int64_t i = 0; i < split.outer * split.inner; ++i) {
        const int64_t start = i / split.inner * split.length * split.inner + i % split.inner;
        const int64_t position =
            position_of_extreme(in + start, split.length, split.inner, Extreme::greatest, /*last=*/false);
        out[static_cast<size_t>(start + position * split.inner)] = T(1.0f);
      }
    });
  };
}

constexpr OpEntry kOps[] = {
    {"", "ArgMax", &infer_arg_reduce, &make_arg_reduce<Extreme::greatest>},
    {"", "ArgMin", &infer_arg_reduce, &make_arg_reduce<Extreme::least>},
    {"", "Hardmax", &infer_hardmax, &make_hardmax},
};

}  // namespace

std::span<const OpEntry> arg_reduce_ops() {
  return kOps;
}

}  // namespace overt
