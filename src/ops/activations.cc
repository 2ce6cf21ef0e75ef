#include "ops/activations.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "base/escape.h"
#include "ops/checks.h"
#include "ops/elementwise.h"
#include "ops/families.h"

namespace overt {
namespace {

struct ActivationParameters {
  std::string_view type;
  std::string_view alpha_name;  ///< empty: a constant of the operator
  float alpha;
  std::string_view beta_name;
  float beta;
};

constexpr ActivationParameters kParameters[] = {
    {"LeakyRelu", "alpha", 0.01f, "", 0.0f},
    {"Elu", "alpha", 1.0f, "", 0.0f},
    {"Selu", "alpha", 1.67326319217681884765625f, "gamma", 1.05070102214813232421875f},
    {"Celu", "alpha", 1.0f, "", 0.0f},
    {"ThresholdedRelu", "alpha", 1.0f, "", 0.0f},
    {"HardSigmoid", "alpha", 0.2f, "beta", 0.5f},
    {"HardSwish", "", 1.0f / 6.0f, "", 0.5f},
    {"Swish", "alpha", 1.0f, "", 0.0f},
    {"SwiGLU", "alpha", 1.0f, "", 0.0f},
    {"Shrink", "lambd", 0.5f, "bias", 0.0f},
};

}  // namespace

ActivationAttributes parse_activation(const Node& node) {
  for (const ActivationParameters& one : kParameters) {
    if (one.type != node.op.type) continue;
    return {one.alpha_name.empty() ? one.alpha : node.real(one.alpha_name, one.alpha),
            one.beta_name.empty() ? one.beta : node.real(one.beta_name, one.beta)};
  }
  fail_at(ErrorCode::internal, node.name, "{} is not an activation with parameters", display_name(node));
}

GeluForm parse_gelu(const Node& node) {
  const std::string_view form = node.string("approximate", "none");
  if (form == "none") return GeluForm::erf;
  if (form == "tanh") return GeluForm::tanh;
  reject_node(node, "approximate is '{}', expected none or tanh", escape_name(form));
}

ClipAttributes parse_clip(const Node& node) {
  if (node.op.since_version >= 11) return {};
  return {false, node.real("min", std::numeric_limits<float>::lowest()),
          node.real("max", std::numeric_limits<float>::max())};
}

namespace {

template <typename T>
T sigmoid(T x) {
  return T{1} / (T{1} + std::exp(-x));
}

/// log(1 + exp(x)) without overflow.
template <typename T>
T softplus(T x) {
  return x > T{0} ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

/// min(max(x, low), high); NaN stays NaN, and low > high gives high.
template <typename T>
T clamp(T x, T low, T high) {
  const T raised = x < low ? low : x;
  return raised > high ? high : raised;
}

struct TanhOp {
  using Types = FloatTypes;
  auto operator()(auto x) const { return std::tanh(x); }
};

struct SigmoidOp {
  using Types = FloatTypes;
  auto operator()(auto x) const { return sigmoid(x); }
};

struct ReluOp {
  using Types = TypeList<float, double, Float16, BFloat16, int8_t, int16_t, int32_t, int64_t>;
  template <typename T>
  T operator()(T x) const {
    return x < T{0} ? T{0} : x;
  }
};

struct SoftplusOp {
  using Types = FloatTypes;
  auto operator()(auto x) const { return softplus(x); }
};

struct SoftsignOp {
  using Types = FloatTypes;
  template <typename T>
  T operator()(T x) const {
    return x / (T{1} + std::abs(x));
  }
};

struct MishOp {
  using Types = FloatTypes;
  auto operator()(auto x) const { return x * std::tanh(softplus(x)); }
};

/// An activation with parameters, held in the type that it computes in.
struct Parametric {
  using Types = FloatTypes;
  ActivationAttributes attributes;
  explicit Parametric(const Node& node) : attributes(parse_activation(node)) {}
  template <typename T>
  T alpha() const {
    return static_cast<T>(attributes.alpha);
  }
  template <typename T>
  T beta() const {
    return static_cast<T>(attributes.beta);
  }
};

struct LeakyReluOp : Parametric {
  using Parametric::Parametric;
  template <typename T>
  T operator()(T x) const {
    return x < T{0} ? alpha<T>() * x : x;
  }
};

struct EluOp : Parametric {
  using Parametric::Parametric;
  template <typename T>
  T operator()(T x) const {
    return x < T{0} ? alpha<T>() * std::expm1(x) : x;
  }
};

struct SeluOp : Parametric {
  using Parametric::Parametric;
  template <typename T>
  T operator()(T x) const {
    return beta<T>() * (x > T{0} ? x : alpha<T>() * std::expm1(x));
  }
};

struct CeluOp : Parametric {
  using Parametric::Parametric;
  template <typename T>
  T operator()(T x) const {
    const T positive = x < T{0} ? T{0} : x;
    const T bent = alpha<T>() * std::expm1(x / alpha<T>());
    return positive + (bent > T{0} ? T{0} : bent);
  }
};

struct ThresholdedReluOp : Parametric {
  using Parametric::Parametric;
  template <typename T>
  T operator()(T x) const {
    return x <= alpha<T>() ? T{0} : x;
  }
};

struct HardSigmoidOp : Parametric {
  using Parametric::Parametric;
  template <typename T>
  T operator()(T x) const {
    return clamp(alpha<T>() * x + beta<T>(), T{0}, T{1});
  }
};

struct HardSwishOp : Parametric {
  using Parametric::Parametric;
  template <typename T>
  T operator()(T x) const {
    return x * clamp(x / T{6} + beta<T>(), T{0}, T{1});
  }
};

struct SwishOp : Parametric {
  using Parametric::Parametric;
  template <typename T>
  T operator()(T x) const {
    return x * sigmoid(alpha<T>() * x);
  }
};

/// Swish of the gate, times the value.
struct SwigluOp : Parametric {
  using Parametric::Parametric;
  template <typename T>
  T operator()(T gate, T value) const {
    return gate * sigmoid(alpha<T>() * gate) * value;
  }
};

void infer_swiglu(InferContext& context) {
  infer_binary<SwigluOp>(context);
  const Dims* gate = context.shape(0);
  const Dims* value = context.shape(1);
  if (gate == nullptr || value == nullptr) return;
  if (!std::ranges::equal(*gate, *value, std::not_fn(differ))) {
    context.reject("the gate has shape {} and the value {}, expected one shape", to_string(*gate), to_string(*value));
  }
}

/// Integers are computed in double and truncated.
struct ShrinkOp : Parametric {
  using Types = NumericTypes;
  using Parametric::Parametric;
  template <typename T>
  T operator()(T x) const {
    if constexpr (std::is_floating_point_v<T>) {
      return shrink(x);
    } else {
      return saturate<T>(shrink(static_cast<double>(x)));
    }
  }

 private:
  template <typename T>
  T shrink(T x) const {
    if (x < -alpha<T>()) return x + beta<T>();
    return x > alpha<T>() ? x - beta<T>() : T{0};
  }
};

struct GeluOp {
  using Types = FloatTypes;
  GeluForm form;
  explicit GeluOp(const Node& node) : form(parse_gelu(node)) {}
  template <typename T>
  T operator()(T x) const {
    const T half = T{0.5} * x;
    if (form == GeluForm::erf) return half + half * std::erf(x / std::numbers::sqrt2_v<T>);
    const T inner = x + T{0.044715} * x * x * x;
    const T scale = std::numbers::sqrt2_v<T> * std::numbers::inv_sqrtpi_v<T>;
    return half + half * std::tanh(scale * inner);
  }
};

/// A slope per element, broadcast to x.
struct PReluOp {
  using Types = TypeList<float, double, Float16, BFloat16, int32_t, int64_t, uint32_t, uint64_t>;
  template <typename T>
  T operator()(T x, T slope) const {
    if (!(x < T{0})) return x;
    if constexpr (std::is_floating_point_v<T>) {
      return x * slope;
    } else {
      return from_modular<T>(to_modular(x) * to_modular(slope));
    }
  }
};

void infer_prelu(InferContext& context) {
  infer_binary<PReluOp>(context);
  const Dims* x = context.shape(0);
  const Dims* slope = context.shape(1);
  if (x == nullptr || slope == nullptr) return;
  const Dims aligned = aligned_second(context.node(), x->size(), *slope);
  bool fits = aligned.size() <= x->size();
  for (size_t i = 0; fits && i < aligned.size(); ++i) {
    const Dim& dim = aligned[aligned.size() - 1 - i];
    const Dim& of_x = (*x)[x->size() - 1 - i];
    fits = dim == Dim(1) || !differ(dim, of_x);
  }
  if (!fits) context.reject("slope of shape {} does not broadcast to shape {}", to_string(*slope), to_string(*x));
  context.set_output(0, ValueInfo::tensor(context.type(0), *x));
}

void infer_clip(InferContext& context) {
  require_input_type(NumericTypes{}, context, 0);
  if (parse_clip(context.node()).bounds_are_inputs) {
    for (size_t i = 1; i <= 2; ++i) {
      if (!context.has_input(i)) continue;
      const DataType type = context.type(i);
      if (type != context.type(0) && type != DataType::undefined && context.type(0) != DataType::undefined) {
        context.reject("{} has {} elements, expected {} as in the input", i == 1 ? "min" : "max",
                       data_type_name(type), data_type_name(context.type(0)));
      }
      if (context.shape(i) != nullptr && product(*context.shape(i)).number_if_known().value_or(1) != 1) {
        context.reject("{} has shape {}, expected a scalar", i == 1 ? "min" : "max", to_string(*context.shape(i)));
      }
    }
  }
  infer_same_shape(context, context.type(0), nullptr);
}

/// Input `i` as one number, or `fallback` where it is left out.
template <typename T>
ComputeType<T> bound(const KernelContext& context, size_t i, ComputeType<T> fallback) {
  if (!context.has_input(i)) return fallback;
  const TensorView& view = context.input(i);
  if (view.elements() != 1) {
    context.reject("{} has shape {}, expected a scalar", i == 1 ? "min" : "max", view.shape().to_string());
  }
  return to_compute(view.values<T>()[0]);
}

ReferenceKernel make_clip(const Node& node) {
  return [attributes = parse_clip(node)](KernelContext& context) {
    const TensorView& x = context.input(0);
    visit_types(NumericTypes{}, x.type, "Clip", [&]<typename T>() {
      using Compute = ComputeType<T>;
      constexpr bool real = std::is_floating_point_v<Compute>;
      Compute low = real ? -std::numeric_limits<Compute>::infinity() : std::numeric_limits<Compute>::lowest();
      Compute high = real ? std::numeric_limits<Compute>::infinity() : std::numeric_limits<Compute>::max();
      if (attributes.bounds_are_inputs) {
        low = bound<T>(context, 1, low);
        high = bound<T>(context, 2, high);
      } else if constexpr (real) {
        low = static_cast<Compute>(attributes.min);
        high = static_cast<Compute>(attributes.max);
      }
      const std::span<const T> in = x.values<T>();
      const std::span<T> out = context.output(0, x.type, x.shape()).template values<T>();
      for (size_t i = 0; i < in.size(); ++i) out[i] = static_cast<T>(clamp<Compute>(to_compute(in[i]), low, high));
    });
  };
}

constexpr OpEntry kOps[] = {
    unary_op<TanhOp>("Tanh"),
    unary_op<SigmoidOp>("Sigmoid"),
    unary_op<ReluOp>("Relu"),
    unary_op<LeakyReluOp>("LeakyRelu"),
    {"", "PRelu", &infer_prelu, &make_binary<PReluOp>},
    unary_op<EluOp>("Elu"),
    unary_op<SeluOp>("Selu"),
    unary_op<CeluOp>("Celu"),
    unary_op<ThresholdedReluOp>("ThresholdedRelu"),
    unary_op<HardSigmoidOp>("HardSigmoid"),
    unary_op<HardSwishOp>("HardSwish"),
    unary_op<SoftplusOp>("Softplus"),
    unary_op<SoftsignOp>("Softsign"),
    unary_op<MishOp>("Mish"),
    unary_op<SwishOp>("Swish"),
    {"", "SwiGLU", &infer_swiglu, &make_binary<SwigluOp>},
    unary_op<GeluOp>("Gelu"),
    unary_op<ShrinkOp>("Shrink"),
    {"", "Clip", &infer_clip, &make_clip},
};

}  // namespace

std::span<const OpEntry> activation_ops() {
  return kOps;
}

}  // namespace overt
