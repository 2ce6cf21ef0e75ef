#include <array>
#include <cmath>

#include "ops/elementwise.h"
#include "ops/families.h"

// Min, Max, Sum and Mean of any number of inputs, broadcast together. NaN in any input gives NaN.

namespace overt {
namespace {

struct MinOp {
  using Types = NumericTypes;
  template <typename T>
  T operator()(T a, T b) const {
    return b < a || b != b ? b : a;
  }
  static std::optional<Dim> element(const Dim& a, const Dim& b) { return minimum(a, b); }
};

struct MaxOp {
  using Types = NumericTypes;
  template <typename T>
  T operator()(T a, T b) const {
    return b > a || b != b ? b : a;
  }
  static std::optional<Dim> element(const Dim& a, const Dim& b) { return maximum(a, b); }
};

struct SumOp {
  using Types = FloatTypes;
  template <typename T>
  T operator()(T a, T b) const {
    return a + b;
  }
};

struct FirstOp {
  template <typename T>
  T operator()(T a, T) const {
    return a;
  }
};

Shape broadcast_all(const KernelContext& context) {
  Shape shape = context.input(0).shape();
  for (size_t i = 1; i < context.input_count(); ++i) {
    const TensorView& next = context.input(i);
    if (next.type != context.input(0).type) {
      context.reject("input 0 has {} elements and input {} has {}, expected one type",
                     data_type_name(context.input(0).type), i, data_type_name(next.type));
    }
    const std::optional<Shape> both = broadcast(shape.dims(), next.dims);
    if (!both) {
      context.reject("shape {} of input {} does not broadcast with {}", next.shape().to_string(), i,
                     shape.to_string());
    }
    shape = *both;
  }
  return shape;
}

/// Output 0 = the fold of all inputs by op.
template <typename T, typename Op>
std::span<T> fold_inputs(KernelContext& context, const Op& op) {
  const Shape shape = broadcast_all(context);
  const MutableTensorView y = context.output(0, data_type_of<T>, shape);
  const std::span<T> out = y.values<T>();
  const auto loop_with = [&](std::span<const int64_t> first, std::span<const int64_t> second) {
    const std::array<std::span<const int64_t>, 2> operands{first, second};
    return broadcast_loop(shape.dims(), operands);
  };
  const TensorView& x = context.input(0);
  map_binary(loop_with(x.dims, x.dims), x.values<T>().data(), x.values<T>().data(), out.data(), FirstOp{});
  for (size_t i = 1; i < context.input_count(); ++i) {
    const TensorView& next = context.input(i);
    const T* accumulated = out.data();
    map_binary(loop_with(shape.dims(), next.dims), accumulated, next.values<T>().data(), out.data(), op);
  }
  return out;
}

template <typename Op>
ReferenceKernel make_variadic(const Node&) {
  return [](KernelContext& context) {
    visit_types(typename Op::Types{}, context.input(0).type, context.node().op.type,
                [&]<typename T>() { fold_inputs<T>(context, Op{}); });
  };
}

ReferenceKernel make_mean(const Node&) {
  return [](KernelContext& context) {
    visit_types(FloatTypes{}, context.input(0).type, "Mean", [&]<typename T>() {
      const auto count = static_cast<ComputeType<T>>(context.input_count());
      for (T& value : fold_inputs<T>(context, SumOp{})) value = static_cast<T>(to_compute(value) / count);
    });
  };
}

template <typename Op>
void infer_fold(InferContext& context) {
  require_input_type(typename Op::Types{}, context, 0);
  infer_variadic(context, binary_element<Op>());
}

constexpr OpEntry kOps[] = {
    {"", "Min", &infer_fold<MinOp>, &make_variadic<MinOp>},
    {"", "Max", &infer_fold<MaxOp>, &make_variadic<MaxOp>},
    {"", "Sum", &infer_fold<SumOp>, &make_variadic<SumOp>},
    {"", "Mean", &infer_fold<SumOp>, &make_mean},
};

}  // namespace

std::span<const OpEntry> variadic_ops() {
  return kOps;
}

}  // namespace overt
