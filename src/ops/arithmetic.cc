#include "ops/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/elementwise.h"
#include "ops/families.h"

// Integer arithmetic wraps around. Integer division by zero is an error of the caller; the least integer divided
// by -1 is itself.

namespace overt {

ModForm parse_mod(const Node& node) {
  return node.integer("fmod", 0) != 0 ? ModForm::of_dividend : ModForm::of_divisor;
}

namespace {

struct AddOp {
  using Types = NumericTypes;
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) return a + b;
    return from_modular<T>(to_modular(a) + to_modular(b));
  }
  static std::optional<Dim> element(const Dim& a, const Dim& b) { return a + b; }
};

struct SubOp {
  using Types = NumericTypes;
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) return a - b;
    return from_modular<T>(to_modular(a) - to_modular(b));
  }
  static std::optional<Dim> element(const Dim& a, const Dim& b) { return a - b; }
};

struct MulOp {
  using Types = NumericTypes;
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) return a * b;
    return from_modular<T>(to_modular(a) * to_modular(b));
  }
  static std::optional<Dim> element(const Dim& a, const Dim& b) { return a * b; }
};

/// Rejects a zero among integer divisors.
template <typename T>
void reject_zero_divisor(const KernelContext& context, std::span<const T> divisors) {
  if constexpr (std::is_integral_v<T>) {
    const auto zero = std::ranges::find(divisors, T{0});
    if (zero == divisors.end()) return;
    context.reject("element {} of input 1 is 0, and integers cannot be divided by it", zero - divisors.begin());
  }
}

struct DivOp {
  using Types = NumericTypes;
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_signed_v<T> && std::is_integral_v<T>) {
      if (b == -1) return from_modular<T>(0 - to_modular(a));
    }
    return static_cast<T>(a / b);
  }
  template <typename T>
  void check(const KernelContext& context, std::span<const T> b) const {
    reject_zero_divisor(context, b);
  }
  static std::optional<Dim> element(const Dim& a, const Dim& b) {
    if (a.is_number() && b.is_number()) {
      if (b.number() == 0) return std::nullopt;
      return b.number() == -1 ? Dim(0) - a : Dim(a.number() / b.number());
    }
    if (b.is_number() && b.number() == 0) return std::nullopt;
    if (std::optional<Dim> exact = exact_div(a, b)) return exact;
    if (is_certainly_non_negative(a) && is_certainly_positive(b)) return floor_div(a, b);
    return std::nullopt;
  }
};

struct ModOp {
  using Types = NumericTypes;
  ModForm form;
  explicit ModOp(const Node& node) : form(parse_mod(node)) {}
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      const T remainder = std::fmod(a, b);
      if (form == ModForm::of_dividend) return remainder;
      if (remainder == T{0}) return std::copysign(T{0}, b);
      return (remainder < T{0}) != (b < T{0}) ? remainder + b : remainder;
    } else {
      if constexpr (std::is_signed_v<T>) {
        if (b == -1) return 0;
      }
      const T remainder = static_cast<T>(a % b);
      const bool signs_differ = remainder != 0 && (remainder < 0) != (b < 0);
      return form == ModForm::of_divisor && signs_differ ? static_cast<T>(remainder + b) : remainder;
    }
  }
  template <typename T>
  void check(const KernelContext& context, std::span<const T> b) const {
    reject_zero_divisor(context, b);
  }
  static std::optional<Dim> element(const Dim& a, const Dim& b) {
    if (!is_certainly_non_negative(a) || !is_certainly_positive(b)) return std::nullopt;
    return modulo(a, b);
  }
};

void infer_mod(InferContext& context) {
  const bool may_follow_divisor = !is_floating_point(context.type(0)) || context.node().op.since_version >= 28;
  if (!may_follow_divisor && parse_mod(context.node()) == ModForm::of_divisor) {
    context.reject("fmod is 0 for {} elements, expected 1 before opset 28", data_type_name(context.type(0)));
  }
  infer_binary<ModOp>(context);
}

/// Pow's exponents of whatever type: as int64 (clamped) where they are integers, as double otherwise.
struct Exponents {
  std::vector<int64_t> integers;
  std::vector<double> reals;

  explicit Exponents(const TensorView& view) {
    visit_types(NumericTypes{}, view.type, "Pow", [&]<typename T>() {
      for (const T& value : view.values<T>()) {
        if constexpr (std::is_integral_v<T>) {
          const bool fits = std::in_range<int64_t>(value);
          integers.push_back(fits ? static_cast<int64_t>(value) : std::numeric_limits<int64_t>::max());
        } else {
          reals.push_back(static_cast<double>(to_compute(value)));
        }
      }
    });
  }
};

/// base^exponent by squaring, wrapping around. Of the negative powers, those of 1 and -1 are integers; any other
/// is a fraction, truncated to 0 (0 itself has none, and is 0 too).
template <typename T>
T integer_power(T base, int64_t exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    return 0;
  }
  uint64_t result = 1;
  for (uint64_t square = to_modular(base); exponent > 0; exponent >>= 1, square *= square) {
    if ((exponent & 1) != 0) result *= square;
  }
  return from_modular<T>(result);
}

using PowBaseTypes = TypeList<float, double, Float16, BFloat16, int32_t, int64_t>;

/// out = base^exponent over the loop; floats are computed in double.
template <typename T, typename Exponent>
void map_power(const BroadcastLoop& loop, const T* base, const Exponent* exponent, T* out) {
  for (StridedWalk walk = loop.runs(); !walk.done(); walk.next()) {
    const T* row = base + walk.offset(0);
    const Exponent* exponents = exponent + walk.offset(1);
    for (int64_t i = 0; i < loop.run(); ++i) {
      const auto x = to_compute(row[i * loop.run_stride(0)]);
      const Exponent y = exponents[i * loop.run_stride(1)];
      if constexpr (!std::is_integral_v<T>) {
        out[i] =
            static_cast<T>(static_cast<ComputeType<T>>(std::pow(static_cast<double>(x), static_cast<double>(y))));
      } else if constexpr (std::is_integral_v<Exponent>) {
        out[i] = integer_power(x, y);
      } else {
        out[i] = saturate<T>(std::pow(static_cast<double>(x), y));
      }
    }
    out += loop.run();
  }
}

void infer_pow(InferContext& context) {
  require_input_type(PowBaseTypes{}, context, 0);
  require_input_type(NumericTypes{}, context, 1);
  infer_broadcast_mixed(context, context.type(0));
}

ReferenceKernel make_pow(const Node&) {
  return [](KernelContext& context) {
    const BinaryOperands operands(context, /*mixed_types=*/true);
    const Exponents exponents(operands.b);
    const MutableTensorView y = context.output(0, operands.a.type, operands.shape);
    visit_types(PowBaseTypes{}, operands.a.type, "Pow", [&]<typename T>() {
      const T* base = operands.a.values<T>().data();
      T* out = y.values<T>().data();
      if (exponents.integers.empty()) {
        map_power(operands.loop, base, exponents.reals.data(), out);
      } else {
        map_power(operands.loop, base, exponents.integers.data(), out);
      }
    });
  };
}

constexpr OpEntry kOps[] = {
    binary_op<AddOp>("Add"),
    binary_op<SubOp>("Sub"),
    binary_op<MulOp>("Mul"),
    binary_op<DivOp>("Div"),
    {"", "Mod", &infer_mod, &make_binary<ModOp>},
    {"", "Pow", &infer_pow, &make_pow},
};

}  // namespace

std::span<const OpEntry> arithmetic_ops() {
  return kOps;
}

}  // namespace overt
