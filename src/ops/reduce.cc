#include "ops/reduce.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ops/accumulate.h"
#include "ops/checks.h"
#include "ops/contents.h"
#include "ops/families.h"

namespace overt {

ReduceAttributes parse_reduce(const Node& node) {
  ReduceAttributes attributes;
  attributes.axes_are_input = node.op.since_version >= (node.op.type == "ReduceSum" ? 13 : 18);
  attributes.keepdims = node.integer("keepdims", 1) != 0;
  if (attributes.axes_are_input) {
    attributes.noop_with_empty_axes = node.integer("noop_with_empty_axes", 0) != 0;
  } else {
    const std::span<const int64_t> axes = node.integers("axes");
    attributes.axes.assign(axes.begin(), axes.end());
  }
  return attributes;
}

std::vector<bool> reduced_axes(const Node& node, const ReduceAttributes& attributes, std::span<const int64_t> axes,
                               int64_t rank) {
  if (axes.empty()) return std::vector<bool>(static_cast<size_t>(rank), !attributes.noop_with_empty_axes);
  std::vector<bool> reduced(static_cast<size_t>(rank), false);
  for (const int64_t axis : axes) {
    const auto position = static_cast<size_t>(normalise_axis(node, axis, rank));
    if (reduced[position]) reject_node(node, "axis {} is named twice in axes", axis);
    reduced[position] = true;
  }
  return reduced;
}

namespace {

template <typename AnyDims, typename Result>
void append_reduced(const AnyDims& dims, const std::vector<bool>& reduced, bool keepdims, Result& result) {
  for (size_t axis = 0; axis < reduced.size(); ++axis) {
    if (!reduced[axis]) result.push_back(dims[axis]);
    if (reduced[axis] && keepdims) result.push_back(1);
  }
}

}  // namespace

Shape reduced_shape(std::span<const int64_t> dims, const std::vector<bool>& reduced, bool keepdims) {
  Shape shape;
  append_reduced(dims, reduced, keepdims, shape);
  return shape;
}

namespace {

using ReduceTypes = TypeList<float, double, Float16, BFloat16, int32_t, int64_t, uint32_t, uint64_t>;
using ExtremeTypes =
    TypeList<float, double, Float16, BFloat16, int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t, bool>;

// Reducers: `start` is the result of no elements, `add` takes one more, `finish` gives the result of `count`.

template <typename T>
struct Sum {
  using A = Accumulator<T>;
  static A start() { return 0; }
  static A add(A sum, ComputeType<T> x) { return sum + static_cast<A>(x); }
  static T finish(A sum, int64_t) { return narrow<T>(sum); }
};

template <typename T>
struct Prod {
  using A = Accumulator<T>;
  static A start() { return 1; }
  static A add(A product, ComputeType<T> x) { return product * static_cast<A>(x); }
  static T finish(A product, int64_t) { return narrow<T>(product); }
};

/// No elements: NaN for floats, 0 for integers. Integers truncate toward zero.
template <typename T>
struct Mean : Sum<T> {
  static T finish(Accumulator<T> sum, int64_t count) {
    if constexpr (!std::is_integral_v<T>) {
      return narrow<T>(sum / static_cast<double>(count));
    } else {
      if (count == 0) return 0;
      if constexpr (std::is_signed_v<T>) return static_cast<T>(static_cast<int64_t>(sum) / count);
      return static_cast<T>(sum / static_cast<uint64_t>(count));
    }
  }
};

template <typename T>
struct SumSquare : Sum<T> {
  using A = Accumulator<T>;
  static A add(A sum, ComputeType<T> x) { return sum + static_cast<A>(x) * static_cast<A>(x); }
};

template <typename T>
struct L1 : Sum<T> {
  using A = Accumulator<T>;
  static A add(A sum, ComputeType<T> x) { return x < 0 ? sum - static_cast<A>(x) : sum + static_cast<A>(x); }
};

template <typename T>
struct L2 {
  using A = double;
  static A start() { return 0; }
  static A add(A sum, ComputeType<T> x) { return sum + static_cast<A>(x) * static_cast<A>(x); }
  static T finish(A sum, int64_t) { return narrow<T>(std::sqrt(sum)); }
};

template <typename T>
struct LogSum {
  using A = double;
  static A start() { return 0; }
  static A add(A sum, ComputeType<T> x) { return sum + static_cast<A>(x); }
  static T finish(A sum, int64_t) { return narrow<T>(std::log(sum)); }
};

/// The greatest element, false being less than true; NaN where there is one.
template <typename T>
struct Max {
  using A = std::conditional_t<std::is_same_v<T, bool>, uint8_t, ComputeType<T>>;
  static A start() {
    if constexpr (std::is_floating_point_v<A>) return -std::numeric_limits<A>::infinity();
    return static_cast<A>(std::numeric_limits<T>::min());
  }
  static A add(A greatest, A x) { return x > greatest || x != x ? x : greatest; }
  static T finish(A greatest, int64_t) { return static_cast<T>(greatest); }
};

template <typename T>
struct Min {
  using A = typename Max<T>::A;
  static A start() {
    if constexpr (std::is_floating_point_v<A>) return std::numeric_limits<A>::infinity();
    return static_cast<A>(std::numeric_limits<T>::max());
  }
  static A add(A least, A x) { return x < least || x != x ? x : least; }
  static T finish(A least, int64_t) { return static_cast<T>(least); }
};

/// A reduction with numbers for everything.
struct Reduction {
  Shape shape;         ///< of the result
  BroadcastLoop loop;  ///< over the input; operand 0 is the input, operand 1 the result
  int64_t count = 1;   ///< elements that make one element of the result
};

Reduction plan_reduction(const KernelContext& context, const ReduceAttributes& attributes) {
  const TensorView& x = context.input(0);
  std::span<const int64_t> axes = attributes.axes;
  if (attributes.axes_are_input && context.has_input(1)) axes = context.input(1).values<int64_t>();
  const std::vector<bool> reduced = reduced_axes(context.node(), attributes, axes, x.rank());
  Reduction reduction;
  reduction.shape = reduced_shape(x.dims, reduced, attributes.keepdims);
  const Shape kept = reduced_shape(x.dims, reduced, /*keepdims=*/true);
  const std::array<std::span<const int64_t>, 2> operands{x.dims, kept.dims()};
  reduction.loop = broadcast_loop(x.dims, operands);
  for (size_t axis = 0; axis < reduced.size(); ++axis) {
    if (reduced[axis]) reduction.count *= x.dims[axis];
  }
  return reduction;
}

/// results[o] = add(results[o], x[i]) for each element of the input and the element of the result that it goes to.
template <typename T, typename A, typename Add>
void accumulate(const BroadcastLoop& loop, const T* x, A* results, const Add& add) {
  const int64_t run = loop.run();
  const int64_t stride = loop.run_stride(0);
  const int64_t result_stride = loop.run_stride(1);
  for (StridedWalk walk = loop.runs(); !walk.done(); walk.next()) {
    const T* row = x + walk.offset(0);
    A* result = results + walk.offset(1);
    if (result_stride == 0) {
      A value = *result;
      for (int64_t i = 0; i < run; ++i) value = add(value, to_compute(row[i * stride]));
      *result = value;
    } else {
      for (int64_t i = 0; i < run; ++i) {
        result[i * result_stride] = add(result[i * result_stride], to_compute(row[i * stride]));
      }
    }
  }
}

template <template <typename> class Reducer, typename Types>
ReferenceKernel make_reduce(const Node& node) {
  return [attributes = parse_reduce(node)](KernelContext& context) {
    const Reduction reduction = plan_reduction(context, attributes);
    const TensorView& x = context.input(0);
    const MutableTensorView y = context.output(0, x.type, reduction.shape);
    visit_types(Types{}, x.type, context.node().op.type, [&]<typename T>() {
      using R = Reducer<T>;
      const std::span<T> out = y.values<T>();
      std::vector<typename R::A> results(out.size(), R::start());
      accumulate(reduction.loop, x.values<T>().data(), results.data(), &R::add);
      for (size_t i = 0; i < out.size(); ++i) out[i] = R::finish(results[i], reduction.count);
    });
  };
}

/// log(sum(exp(x))) with the greatest element taken out first, so that no exponential overflows.
ReferenceKernel make_log_sum_exp(const Node& node) {
  return [attributes = parse_reduce(node)](KernelContext& context) {
    struct ShiftedSum {
      double shift, sum;
    };
    const Reduction reduction = plan_reduction(context, attributes);
    const TensorView& x = context.input(0);
    const MutableTensorView y = context.output(0, x.type, reduction.shape);
    visit_types(ReduceTypes{}, x.type, context.node().op.type, [&]<typename T>() {
      const std::span<T> out = y.values<T>();
      const T* in = x.values<T>().data();
      std::vector<ShiftedSum> results(out.size(), {-std::numeric_limits<double>::infinity(), 0.0});
      accumulate(reduction.loop, in, results.data(), [](ShiftedSum greatest, auto value) {
        return ShiftedSum{std::fmax(greatest.shift, static_cast<double>(value)), 0.0};
      });
      for (ShiftedSum& result : results) {
        if (!std::isfinite(result.shift)) result.shift = 0.0;
      }
      accumulate(reduction.loop, in, results.data(), [](ShiftedSum sum, auto value) {
        return ShiftedSum{sum.shift, sum.sum + std::exp(static_cast<double>(value) - sum.shift)};
      });
      for (size_t i = 0; i < out.size(); ++i) out[i] = narrow<T>(results[i].shift + std::log(results[i].sum));
    });
  };
}

/// How known contents are reduced; no function: they are not.
struct KnownReduction {
  BinaryElement combine = nullptr;
  std::optional<int64_t> of_nothing;
};

std::optional<Dims> reduce_known(const InferContext& context, const std::vector<bool>& reduced,
                                 const KnownReduction& known) {
  const std::optional<KnownContents> contents = known.combine != nullptr ? known_contents(context, 0) : std::nullopt;
  if (!contents) return std::nullopt;
  const std::span<const int64_t> dims = contents->shape.dims();
  const Shape kept = reduced_shape(dims, reduced, /*keepdims=*/true);
  if (kept.elements() > kMaxKnownElements) return std::nullopt;
  std::vector<std::optional<Dim>> results(static_cast<size_t>(kept.elements()));
  size_t position = 0;
  for (StridedWalk walk(dims, {row_major_strides(dims), broadcast_strides(kept.dims(), dims)}); !walk.done();
       walk.next()) {
    std::optional<Dim>& result = results[static_cast<size_t>(walk.offset(1))];
    const Dim& value = contents->elements[position++];
    result = result ? known.combine(*result, value) : std::optional(value);
  }
  Dims elements;
  for (const std::optional<Dim>& result : results) {
    if (!result && !known.of_nothing) return std::nullopt;
    elements.push_back(result ? *result : Dim(*known.of_nothing));
  }
  return elements_of_type(context.type(0), std::move(elements));
}

/// The shape where the axes are not known: the rank at most.
void infer_unknown_axes(InferContext& context, bool keepdims) {
  int64_t rank = static_cast<int64_t>(context.shape(0)->size());
  if (!keepdims) {
    const Dims* axes = context.shape(1);
    const std::optional<int64_t> count = axes != nullptr ? product(*axes).number_if_known() : std::nullopt;
    if (!count || *count == 0 || *count > rank) return context.set_output_type(0, context.type(0));
    rank -= *count;
  }
  Dims dims;
  for (int64_t axis = 0; axis < rank; ++axis) dims.push_back(context.unknown_dim(0, axis));
  context.set_output(0, ValueInfo::tensor(context.type(0), std::move(dims)));
}

void infer_reduce(InferContext& context, const KnownReduction& known) {
  const ReduceAttributes attributes = parse_reduce(context.node());
  const Dims* shape = context.shape(0);
  if (shape == nullptr) return context.set_output_type(0, context.type(0));
  std::optional<std::vector<int64_t>> axes = attributes.axes;
  if (attributes.axes_are_input && context.has_input(1)) axes = known_numbers(context, 1);
  if (!axes) return infer_unknown_axes(context, attributes.keepdims);
  const std::vector<bool> reduced =
      reduced_axes(context.node(), attributes, *axes, static_cast<int64_t>(shape->size()));
  Dims result;
  append_reduced(*shape, reduced, attributes.keepdims, result);
  ValueInfo info = ValueInfo::tensor(context.type(0), std::move(result));
  info.elements = reduce_known(context, reduced, known);
  context.set_output(0, std::move(info));
}

std::optional<Dim> add(const Dim& a, const Dim& b) {
  return a + b;
}
std::optional<Dim> multiply(const Dim& a, const Dim& b) {
  return a * b;
}
std::optional<Dim> greater(const Dim& a, const Dim& b) {
  return maximum(a, b);
}
std::optional<Dim> lesser(const Dim& a, const Dim& b) {
  return minimum(a, b);
}

template <typename Types>
void infer_plain(InferContext& context) {
  require_input_type(Types{}, context, 0);
  infer_reduce(context, {});
}
template <typename Types, BinaryElement combine, int64_t of_nothing>
void infer_monoid(InferContext& context) {
  require_input_type(Types{}, context, 0);
  infer_reduce(context, {combine, of_nothing});
}
template <BinaryElement combine>
void infer_extreme(InferContext& context) {
  require_input_type(ExtremeTypes{}, context, 0);
  infer_reduce(context, {combine, std::nullopt});
}

constexpr InputMask kAxes = input_bit(1);

constexpr OpEntry kOps[] = {
    {"", "ReduceSum", &infer_monoid<ReduceTypes, &add, 0>, &make_reduce<Sum, ReduceTypes>, kAxes},
    {"", "ReduceProd", &infer_monoid<ReduceTypes, &multiply, 1>, &make_reduce<Prod, ReduceTypes>, kAxes},
    {"", "ReduceMean", &infer_plain<ReduceTypes>, &make_reduce<Mean, ReduceTypes>, kAxes},
    {"", "ReduceMax", &infer_extreme<&greater>, &make_reduce<Max, ExtremeTypes>, kAxes},
    {"", "ReduceMin", &infer_extreme<&lesser>, &make_reduce<Min, ExtremeTypes>, kAxes},
    {"", "ReduceL1", &infer_plain<ReduceTypes>, &make_reduce<L1, ReduceTypes>, kAxes},
    {"", "ReduceL2", &infer_plain<ReduceTypes>, &make_reduce<L2, ReduceTypes>, kAxes},
    {"", "ReduceSumSquare", &infer_plain<ReduceTypes>, &make_reduce<SumSquare, ReduceTypes>, kAxes},
    {"", "ReduceLogSum", &infer_plain<ReduceTypes>, &make_reduce<LogSum, ReduceTypes>, kAxes},
    {"", "ReduceLogSumExp", &infer_plain<ReduceTypes>, &make_log_sum_exp, kAxes},
};

}  // namespace

std::span<const OpEntry> reduce_ops() {
  return kOps;
}

}  // namespace overt
