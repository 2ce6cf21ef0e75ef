#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "providers/cpu/host_kernel.h"
#include "providers/cpu/kernels/elementwise.h"
#include "providers/cpu/lowerings.h"

namespace overt::cpu {
namespace {

/// The step of an operator of one tensor; nothing where its attributes ask for more than the kernel has.
std::optional<ElementwiseStep> unary_step(const LowerContext& context) {
  const Node& node = context.node;
  const std::string_view op = node.op.type;
  using enum ElementwiseOp;
  if (op == "Relu") return ElementwiseStep{relu};
  if (op == "Sigmoid") return ElementwiseStep{sigmoid};
  if (op == "Tanh") return ElementwiseStep{tanh};
  if (op == "Exp") return ElementwiseStep{exp};
  if (op == "Sqrt") return ElementwiseStep{sqrt};
  if (op == "Erf") return ElementwiseStep{erf};
  if (op == "Abs") return ElementwiseStep{absolute};
  if (op == "Neg") return ElementwiseStep{negate};
  if (op == "Reciprocal") return ElementwiseStep{reciprocal};
  if (op == "HardSwish") return ElementwiseStep{hard_swish};
  if (op == "LeakyRelu") return ElementwiseStep{leaky_relu, node.real("alpha", 0.01f)};
  if (op == "Elu") return ElementwiseStep{elu, node.real("alpha", 1.0f)};
  if (op == "Swish") return ElementwiseStep{silu, node.real("alpha", 1.0f)};
  if (op == "HardSigmoid") return ElementwiseStep{hard_sigmoid, node.real("alpha", 0.2f), node.real("beta", 0.5f)};
  if (op == "Gelu") return ElementwiseStep{node.string("approximate", "none") == "tanh" ? gelu_tanh : gelu_erf};
  return std::nullopt;
}

/// A scalar constant's value.
std::optional<float> scalar(const LowerContext& context, ValueId id) {
  const Tensor* constant = context.constant(id);
  if (constant == nullptr || constant->type() != DataType::float32 || constant->elements() != 1) return std::nullopt;
  return constant->values<float>()[0];
}

std::optional<ElementwiseStep> clip_step(const LowerContext& context) {
  constexpr float kMost = std::numeric_limits<float>::max();
  ElementwiseStep step{ElementwiseOp::clip, context.node.real("min", -kMost), context.node.real("max", kMost)};
  for (size_t i = 1; i < 3; ++i) {
    const ValueId bound = context.input(i);
    if (bound == ValueId::none) continue;
    const auto value = scalar(context, bound);
    if (!value) return std::nullopt;
    (i == 1 ? step.a : step.b) = *value;
  }
  return step;
}

struct BinaryOp {
  std::string_view type;
  ElementwiseOp op;
  ElementwiseOp reversed;  ///< with the operands swapped
};
constexpr BinaryOp kBinaryOps[] = {
    {"Add", ElementwiseOp::add, ElementwiseOp::add},
    {"Mul", ElementwiseOp::multiply, ElementwiseOp::multiply},
    {"Sub", ElementwiseOp::subtract, ElementwiseOp::reverse_subtract},
    {"Div", ElementwiseOp::divide, ElementwiseOp::reverse_divide},
    {"Min", ElementwiseOp::minimum, ElementwiseOp::minimum},
    {"Max", ElementwiseOp::maximum, ElementwiseOp::maximum},
};

/// How the smaller operand of a row-major tensor is read, or nothing where no pattern of the kernel fits.
std::optional<ElementwiseOperand> broadcast_operand(const Shape& small, const Shape& large) {
  ElementwiseOperand operand;
  if (small.elements() == 1) return operand;
  const int64_t shift = large.rank() - small.rank();
  if (shift < 0) return std::nullopt;
  // Axes [first, last) of the large tensor are there in the small one; all others have length 1 in it.
  int64_t first = large.rank();
  int64_t last = 0;
  for (int64_t axis = 0; axis < large.rank(); ++axis) {
    const int64_t dim = axis < shift ? 1 : small[axis - shift];
    if (dim == 1) continue;
    if (dim != large[axis]) return std::nullopt;
    first = std::min(first, axis);
    last = axis + 1;
  }
  for (int64_t axis = first; axis < last; ++axis) {
    const int64_t dim = axis < shift ? 1 : small[axis - shift];
    if (dim != large[axis]) return std::nullopt;  // a broadcast axis between the others
  }
  const int64_t inner = large.elements(last, large.rank());
  if (inner == 1) {
    operand.lanes = large.elements(first, last);
    return operand;
  }
  operand.channels = large.elements(first, last);
  operand.inner = inner;
  return operand;
}

Lowered finish(const LowerContext& context, ElementwiseStep step, ValueId x, const Layout& layout,
               std::optional<TensorUse> other) {
  LoweredNode lowered;
  lowered.reads.push_back({x, layout});
  if (other) lowered.reads.push_back(*other);
  lowered.writes.push_back({context.node.outputs[0], layout});
  lowered.in_place_read = 0;
  Threads& threads = context.device.threads();
  const int64_t count = layout.elements();
  if (!other) {
    lowered.kernel = host_kernel("elementwise", [step, count, &threads](std::span<void* const> pointers) {
      elementwise({&step, 1}, static_cast<const float*>(pointers[0]), static_cast<float*>(pointers[1]), count,
                  threads);
    });
    return {std::move(lowered), {}};
  }
  lowered.kernel = host_kernel("elementwise", [step, count, &threads](std::span<void* const> pointers) {
    ElementwiseStep bound = step;
    bound.operand.data = static_cast<const float*>(pointers[1]);
    elementwise({&bound, 1}, static_cast<const float*>(pointers[0]), static_cast<float*>(pointers[2]), count,
                threads);
  });
  return {std::move(lowered), {}};
}

}  // namespace

Lowered lower_unary(const LowerContext& context) {
  const ValueId x = context.input(0);
  if (!context.is_float32(x))
    return Lowered::refused(fmt::format("{} is not float32", data_type_name(context.type(x))));
  const auto step = context.node.op.type == "Clip" ? clip_step(context) : unary_step(context);
  if (!step) return Lowered::refused("its bounds are not constant");
  // Padding lanes of blocked layouts must stay zero.
  const bool keeps_zero = context.node.op.type != "Exp" && context.node.op.type != "Sigmoid" &&
                          context.node.op.type != "Reciprocal" && context.node.op.type != "HardSigmoid" &&
                          !(context.node.op.type == "Clip" && (step->a > 0.0f || step->b < 0.0f));
  Layout layout = context.layout(x);
  const bool padded = layout.blocked() && layout.channels() % layout.block != 0;
  if (padded && !keeps_zero) layout = plain(context.shape(x));
  return finish(context, *step, x, layout, std::nullopt);
}

Lowered lower_binary(const LowerContext& context) {
  const Node& node = context.node;
  if (node.inputs.size() != 2) return Lowered::refused("other than two inputs");
  const auto known = std::ranges::find(kBinaryOps, node.op.type, &BinaryOp::type);
  ValueId x = context.input(0);
  ValueId other = context.input(1);
  const ValueId y = node.outputs[0];
  if (!context.is_float32(x) || !context.is_float32(other)) {
    return Lowered::refused(fmt::format("{} is not float32", data_type_name(context.type(x))));
  }
  ElementwiseStep step{known->op};
  if (context.shape(x) != context.shape(y)) {
    std::swap(x, other);
    step.op = known->reversed;
  }
  if (context.shape(x) != context.shape(y)) return Lowered::refused("both operands are broadcast");
  const bool divides = step.op == ElementwiseOp::divide || step.op == ElementwiseOp::reverse_divide;
  if (context.shape(other) == context.shape(y)) {
    Layout layout = context.constant(x) != nullptr ? context.layout(other) : context.layout(x);
    // Where one operand is row-major and the other is not, the blocked one is cheaper to keep.
    if (context.constant(other) == nullptr && context.layout(other).blocked()) layout = context.layout(other);
    if (layout.blocked() && divides && layout.channels() % layout.block != 0)
      layout = plain(context.shape(y));  // 0/0
    step.operand.channels = layout.elements();
    return finish(context, step, x, layout, TensorUse{other, layout});
  }
  const auto operand = broadcast_operand(context.shape(other), context.shape(y));
  if (!operand) return Lowered::refused("this broadcast is not one of scalar, channels or last axes");
  step.operand = *operand;
  Layout layout = plain(context.shape(y));
  // A scalar suits every layout, as long as padding lanes stay zero: multiplying does.
  if (context.shape(other).elements() == 1 && context.layout(x).blocked()) {
    const bool whole = context.layout(x).channels() % context.layout(x).block == 0;
    if (whole || step.op == ElementwiseOp::multiply) layout = context.layout(x);
  }
  Shape flat{context.shape(other).elements()};
  return finish(context, step, x, layout, TensorUse{other, plain(std::move(flat))});
}

}  // namespace overt::cpu
