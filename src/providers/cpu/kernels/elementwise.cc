#include "providers/cpu/kernels/elementwise.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/elementwise.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "providers/cpu/kernels/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace overt::cpu {
namespace HWY_NAMESPACE {

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

/// Elements that pass through all steps before the next ones: a buffer of them stays in the first-level cache.
constexpr int64_t kTile = 2048;

/// y[i] = f(x[i]); x may be y. The last, partial vector is computed in a buffer.
template <class Function>
HWY_INLINE void map(const float* x, float* y, int64_t count, const Function& f) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(f(d, hn::LoadU(d, x + i)), d, y + i);
  if (i == count) return;
  HWY_ALIGN float tail[hn::MaxLanes(D())] = {};
  std::copy(x + i, x + count, tail);
  hn::Store(f(d, hn::Load(d, tail)), d, tail);
  std::copy(tail, tail + (count - i), y + i);
}

/// y[i] = f(x[i], o[i]).
template <class Function>
HWY_INLINE void map2(const float* x, const float* o, float* y, int64_t count, const Function& f) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(f(d, hn::LoadU(d, x + i), hn::LoadU(d, o + i)), d, y + i);
  if (i == count) return;
  HWY_ALIGN float left[hn::MaxLanes(D())] = {};
  HWY_ALIGN float right[hn::MaxLanes(D())] = {};
  std::copy(x + i, x + count, left);
  std::copy(o + i, o + count, right);
  hn::Store(f(d, hn::Load(d, left), hn::Load(d, right)), d, left);
  std::copy(left, left + (count - i), y + i);
}

struct Add {
  HWY_INLINE V operator()(D, V v, V o) const { return hn::Add(v, o); }
};
struct Subtract {
  HWY_INLINE V operator()(D, V v, V o) const { return hn::Sub(v, o); }
};
struct ReverseSubtract {
  HWY_INLINE V operator()(D, V v, V o) const { return hn::Sub(o, v); }
};
struct Multiply {
  HWY_INLINE V operator()(D, V v, V o) const { return hn::Mul(v, o); }
};
struct Divide {
  HWY_INLINE V operator()(D, V v, V o) const { return hn::Div(v, o); }
};
struct ReverseDivide {
  HWY_INLINE V operator()(D, V v, V o) const { return hn::Div(o, v); }
};
struct Minimum {
  HWY_INLINE V operator()(D, V v, V o) const { return keep_nan(o, keep_nan(v, hn::Min(v, o))); }
};
struct Maximum {
  HWY_INLINE V operator()(D, V v, V o) const { return keep_nan(o, keep_nan(v, hn::Max(v, o))); }
};
struct Relu {
  HWY_INLINE V operator()(D d, V v) const { return hn::Max(hn::Zero(d), v); }
};
struct Clip {
  float low, high;
  HWY_INLINE V operator()(D d, V v) const { return hn::Min(hn::Set(d, high), hn::Max(hn::Set(d, low), v)); }
};
struct LeakyRelu {
  float slope;
  HWY_INLINE V operator()(D d, V v) const {
    return hn::IfThenElse(hn::Lt(v, hn::Zero(d)), hn::Mul(v, hn::Set(d, slope)), v);
  }
};
struct Elu {
  float alpha;
  HWY_INLINE V operator()(D d, V v) const { return elu(d, v, alpha); }
};
struct Sigmoid {
  HWY_INLINE V operator()(D d, V v) const { return sigmoid(d, v); }
};
struct Tanh {
  HWY_INLINE V operator()(D d, V v) const { return tanh(d, v); }
};
struct Silu {
  float alpha;
  HWY_INLINE V operator()(D d, V v) const { return silu(d, v, hn::Set(d, alpha)); }
};
struct HardSigmoid {
  float a, b;
  HWY_INLINE V operator()(D d, V v) const { return hard_sigmoid(d, v, a, b); }
};
struct HardSwish {
  HWY_INLINE V operator()(D d, V v) const { return hn::Mul(v, hard_sigmoid(d, v, 1.0f / 6.0f, 0.5f)); }
};
struct GeluErf {
  HWY_INLINE V operator()(D d, V v) const { return gelu_erf(d, v); }
};
struct GeluTanh {
  HWY_INLINE V operator()(D d, V v) const { return gelu_tanh(d, v); }
};
struct Erf {
  HWY_INLINE V operator()(D d, V v) const { return erf(d, v); }
};
struct Exp {
  HWY_INLINE V operator()(D d, V v) const { return exp_any(d, v); }
};
struct Sqrt {
  HWY_INLINE V operator()(D, V v) const { return hn::Sqrt(v); }
};
struct Reciprocal {
  HWY_INLINE V operator()(D d, V v) const { return hn::Div(hn::Set(d, 1.0f), v); }
};
struct Absolute {
  HWY_INLINE V operator()(D, V v) const { return hn::Abs(v); }
};
struct Negate {
  HWY_INLINE V operator()(D, V v) const { return hn::Neg(v); }
};
struct Linear {
  float a, b;
  HWY_INLINE V operator()(D d, V v) const { return hn::MulAdd(v, hn::Set(d, a), hn::Set(d, b)); }
};

/// The operand's values for elements [first, first + count), in its own memory or gathered into `buffer`.
const float* operand_values(ElementwiseOperand operand, int64_t first, int64_t count, float* buffer) {
  if (operand.inner == 1) {
    operand.lanes *= operand.channels;
    operand.channels = 1;
  }
  if (operand.channels == 1 && first % operand.lanes + count <= operand.lanes) {
    return operand.data + first % operand.lanes;
  }
  // Elements that share a channel, all of them where there is one.
  const int64_t period = operand.channels == 1 ? first + count : operand.inner * operand.lanes;
  for (int64_t done = 0; done < count;) {
    const int64_t at = first + done;
    const float* const values = operand.data + at / period % operand.channels * operand.lanes;
    const int64_t lane = at % operand.lanes;
    const int64_t left = std::min(count - done, period - at % period);
    const int64_t run = operand.lanes == 1 ? left : std::min(left, operand.lanes - lane);
    if (operand.lanes == 1) std::fill_n(buffer + done, run, *values);
    if (operand.lanes > 1) std::copy_n(values + lane, run, buffer + done);
    done += run;
  }
  return buffer;
}

void apply_unary(const ElementwiseStep& step, const float* x, float* y, int64_t n) {
  switch (step.op) {
    case ElementwiseOp::relu: return map(x, y, n, Relu());
    case ElementwiseOp::clip: return map(x, y, n, Clip{step.a, step.b});
    case ElementwiseOp::leaky_relu: return map(x, y, n, LeakyRelu{step.a});
    case ElementwiseOp::elu: return map(x, y, n, Elu{step.a});
    case ElementwiseOp::sigmoid: return map(x, y, n, Sigmoid());
    case ElementwiseOp::tanh: return map(x, y, n, Tanh());
    case ElementwiseOp::silu: return map(x, y, n, Silu{step.a});
    case ElementwiseOp::hard_sigmoid: return map(x, y, n, HardSigmoid{step.a, step.b});
    case ElementwiseOp::hard_swish: return map(x, y, n, HardSwish());
    case ElementwiseOp::gelu_erf: return map(x, y, n, GeluErf());
    case ElementwiseOp::gelu_tanh: return map(x, y, n, GeluTanh());
    case ElementwiseOp::erf: return map(x, y, n, Erf());
    case ElementwiseOp::exp: return map(x, y, n, Exp());
    case ElementwiseOp::sqrt: return map(x, y, n, Sqrt());
    case ElementwiseOp::reciprocal: return map(x, y, n, Reciprocal());
    case ElementwiseOp::absolute: return map(x, y, n, Absolute());
    case ElementwiseOp::negate: return map(x, y, n, Negate());
    case ElementwiseOp::linear: return map(x, y, n, Linear{step.a, step.b});
    default: return;
  }
}

void apply_binary(ElementwiseOp op, const float* x, const float* o, float* y, int64_t n) {
  switch (op) {
    case ElementwiseOp::add: return map2(x, o, y, n, Add());
    case ElementwiseOp::subtract: return map2(x, o, y, n, Subtract());
    case ElementwiseOp::reverse_subtract: return map2(x, o, y, n, ReverseSubtract());
    case ElementwiseOp::multiply: return map2(x, o, y, n, Multiply());
    case ElementwiseOp::divide: return map2(x, o, y, n, Divide());
    case ElementwiseOp::reverse_divide: return map2(x, o, y, n, ReverseDivide());
    case ElementwiseOp::minimum: return map2(x, o, y, n, Minimum());
    case ElementwiseOp::maximum: return map2(x, o, y, n, Maximum());
    default: return;
  }
}

/// All steps on elements [first, last), a tile at a time. Between steps the values are in a buffer, so that an
/// operand may be the memory that the last step writes.
void elementwise_range(std::span<const ElementwiseStep> steps, const float* x, float* y, int64_t first,
                       int64_t last) {
  HWY_ALIGN float values[kTile];
  HWY_ALIGN float gathered[kTile];
  for (; first < last; first += kTile) {
    const int64_t count = std::min(kTile, last - first);
    const float* source = x + first;
    for (size_t i = 0; i < steps.size(); ++i) {
      float* const target = i + 1 == steps.size() ? y + first : values;
      if (steps[i].op <= ElementwiseOp::maximum) {
        const float* operand = operand_values(steps[i].operand, first, count, gathered);
        apply_binary(steps[i].op, source, operand, target, count);
      } else {
        apply_unary(steps[i], source, target, count);
      }
      source = target;
    }
    if (steps.empty() && x != y) std::copy_n(source, count, y + first);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace overt::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace overt::cpu {

HWY_EXPORT(elementwise_range);

void elementwise(std::span<const ElementwiseStep> steps, const float* x, float* y, int64_t count, Threads& threads) {
  // Below this a second thread costs more than it saves; a multiple of the tile.
  constexpr int64_t kGrain = 8192;
  parallel_for(threads, count, kGrain, [&](int64_t first, int64_t last) {
    HWY_DYNAMIC_DISPATCH(elementwise_range)(steps, x, y, first, last);
  });
}

}  // namespace overt::cpu
#endif
