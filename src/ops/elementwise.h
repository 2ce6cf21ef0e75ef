#ifndef OVERT_OPS_ELEMENTWISE_H_
#define OVERT_OPS_ELEMENTWISE_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "ops/broadcast.h"
#include "ops/elements.h"
#include "ops/op.h"
#include "ops/visit.h"

// The engine of operators that work element by element. An operator is a small struct:
//   struct ExpOp {
//     using Types = FloatTypes;                                       // element types of the inputs
//     template <typename T> T operator()(T x) const { ... }           // T is a ComputeType; bool: a predicate
//     explicit ExpOp(const Node& node);                               // optional: parses and checks attributes
//     static std::optional<Dim> element(const Dim& x);                // optional: the same on known contents
//     template <typename T> void check(const KernelContext&, std::span<const T> b) const;  // optional, binary
//   };

namespace overt {

/// A loop over a row-major result of some shape, and the strides with which each operand follows it, in
/// elements: 0 where the operand repeats. Adjacent axes are merged where every operand allows it, so that equal
/// shapes give one run. dims has at least one axis; the last is the inner run.
struct BroadcastLoop {
  std::vector<int64_t> dims;
  std::vector<std::vector<int64_t>> strides;  ///< [operand][axis]

  int64_t run() const { return dims.back(); }
  int64_t run_stride(size_t operand) const { return strides[operand].back(); }
  /// Walks the axes before the last; operand offsets are those of each run's start.
  StridedWalk runs() const;
};
BroadcastLoop broadcast_loop(std::span<const int64_t> target, std::span<const std::span<const int64_t>> operands);

/// What arithmetic is done on: 16-bit floats as float, anything else as itself.
template <typename T>
const T& to_compute(const T& x) {
  return x;
}
inline float to_compute(const Float16& x) {
  return float(x);
}
inline float to_compute(const BFloat16& x) {
  return float(x);
}

/// out[i] = op(a[i], b[i]) over the loop, whose operands are a and b. out is contiguous and may be a.
template <typename T, typename Out, typename Op>
void map_binary(const BroadcastLoop& loop, const T* a, const T* b, Out* out, const Op& op) {
  const int64_t run = loop.run();
  const int64_t stride_a = loop.run_stride(0);
  const int64_t stride_b = loop.run_stride(1);
  for (StridedWalk walk = loop.runs(); !walk.done(); walk.next()) {
    const T* row_a = a + walk.offset(0);
    const T* row_b = b + walk.offset(1);
    for (int64_t i = 0; i < run; ++i) {
      out[i] = static_cast<Out>(op(to_compute(row_a[i * stride_a]), to_compute(row_b[i * stride_b])));
    }
    out += run;
  }
}

/// The operator's functor, attributes parsed where it has any.
template <typename Op>
Op make_functor(const Node& node) {
  if constexpr (std::is_constructible_v<Op, const Node&>) {
    return Op(node);
  } else {
    return Op{};
  }
}

/// Element type of the result for inputs of T: bool for predicates, else T.
template <typename Op, typename T>
using UnaryResult =
    std::conditional_t<std::is_same_v<decltype(std::declval<const Op&>()(std::declval<ComputeType<T>>())), bool>,
                       bool, T>;
template <typename Op, typename T>
using BinaryResult = std::conditional_t<
    std::is_same_v<
        decltype(std::declval<const Op&>()(std::declval<ComputeType<T>>(), std::declval<ComputeType<T>>())), bool>,
    bool, T>;

template <typename T, typename... Ts>
T first_type(TypeList<T, Ts...>);
template <typename Types>
using FirstType = decltype(first_type(Types{}));

/// Rejects an input whose known type is not one of the list.
template <typename... Ts>
void require_input_type(TypeList<Ts...>, const InferContext& context, size_t i) {
  const DataType type = context.type(i);
  if (type == DataType::undefined || ((type == data_type_of<Ts>) || ...)) return;
  context.reject("input {} has {} elements, which {} does not take", i, data_type_name(type), context.node().op.type);
}

using UnaryElement = std::optional<Dim> (*)(const Dim& x);
using BinaryElement = std::optional<Dim> (*)(const Dim& a, const Dim& b);

template <typename Op>
constexpr UnaryElement unary_element() {
  if constexpr (requires(const Dim& x) { Op::element(x); }) {
    return &Op::element;
  } else {
    return nullptr;
  }
}
template <typename Op>
constexpr BinaryElement binary_element() {
  if constexpr (requires(const Dim& a, const Dim& b) { Op::element(a, b); }) {
    return &Op::element;
  } else {
    return nullptr;
  }
}

/// Output 0 has input 0's shape; `element` may be null.
void infer_same_shape(InferContext& context, DataType type, UnaryElement element);
/// Output 0 is the broadcast of inputs 0 and 1, which must have one type. `element` may be null.
void infer_broadcast(InferContext& context, DataType type, BinaryElement element);
/// The same where the two inputs may have different types.
void infer_broadcast_mixed(InferContext& context, DataType type);
/// Output 0 is the broadcast of all inputs, at least one, which must have one type. `element` may be null.
void infer_variadic(InferContext& context, BinaryElement element);

/// The dims of the second operand of a binary operator, as they take part in the broadcast: before opset 7 the
/// attributes `broadcast` and `axis` say where they start, so ones are appended.
template <typename AnyDims>
AnyDims aligned_second(const Node& node, size_t first_rank, AnyDims second);

/// Inputs 0 and 1 of a kernel made ready: one type, and a broadcast that exists (rejected otherwise).
struct BinaryOperands {
  explicit BinaryOperands(const KernelContext& context, bool mixed_types = false);
  TensorView a, b;
  Shape shape;  ///< of the result
  BroadcastLoop loop;
};

template <typename Op>
void infer_unary(InferContext& context) {
  require_input_type(typename Op::Types{}, context, 0);
  static_cast<void>(make_functor<Op>(context.node()));
  using First = FirstType<typename Op::Types>;
  constexpr bool predicate = std::is_same_v<UnaryResult<Op, First>, bool>;
  infer_same_shape(context, predicate ? DataType::boolean : context.type(0), unary_element<Op>());
}

template <typename Op>
ReferenceKernel make_unary(const Node& node) {
  return [op = make_functor<Op>(node)](KernelContext& context) {
    const TensorView& x = context.input(0);
    visit_types(typename Op::Types{}, x.type, context.node().op.type, [&]<typename T>() {
      using Result = UnaryResult<Op, T>;
      const std::span<const T> in = x.values<T>();
      const MutableTensorView y = context.output(0, data_type_of<Result>, x.shape());
      const std::span<Result> out = y.values<Result>();
      for (size_t i = 0; i < in.size(); ++i) out[i] = static_cast<Result>(op(to_compute(in[i])));
    });
  };
}

template <typename Op>
constexpr OpEntry unary_op(std::string_view type) {
  return {"", type, &infer_unary<Op>, &make_unary<Op>};
}

template <typename Op>
void infer_binary(InferContext& context) {
  require_input_type(typename Op::Types{}, context, 0);
  static_cast<void>(make_functor<Op>(context.node()));
  using First = FirstType<typename Op::Types>;
  constexpr bool predicate = std::is_same_v<BinaryResult<Op, First>, bool>;
  infer_broadcast(context, predicate ? DataType::boolean : context.type(0), binary_element<Op>());
}

template <typename Op>
ReferenceKernel make_binary(const Node& node) {
  return [op = make_functor<Op>(node)](KernelContext& context) {
    const BinaryOperands operands(context);
    visit_types(typename Op::Types{}, operands.a.type, context.node().op.type, [&]<typename T>() {
      using Result = BinaryResult<Op, T>;
      const std::span<const T> a = operands.a.values<T>();
      const std::span<const T> b = operands.b.values<T>();
      if constexpr (requires { op.check(context, b); }) {
        if (operands.shape.elements() > 0) op.check(context, b);
      }
      const MutableTensorView y = context.output(0, data_type_of<Result>, operands.shape);
      map_binary(operands.loop, a.data(), b.data(), y.values<Result>().data(), op);
    });
  };
}

template <typename Op>
constexpr OpEntry binary_op(std::string_view type) {
  return {"", type, &infer_binary<Op>, &make_binary<Op>};
}

/// Integer arithmetic that wraps around, for every integer type.
template <typename T>
constexpr uint64_t to_modular(T x) {
  return static_cast<uint64_t>(x);
}
template <typename T>
constexpr T from_modular(uint64_t x) {
  return static_cast<T>(x);
}

/// A double as an integer: truncated toward zero, clamped to the type's range; NaN is 0.
template <typename T>
T saturate(double x) {
  if (!(x == x)) return 0;
  constexpr double low = static_cast<double>(std::numeric_limits<T>::min());
  constexpr double high = static_cast<double>(std::numeric_limits<T>::max());
  if (x <= low) return std::numeric_limits<T>::min();
  if (x >= high) return std::numeric_limits<T>::max();
  return static_cast<T>(x);
}

}  // namespace overt

#endif  // OVERT_OPS_ELEMENTWISE_H_
