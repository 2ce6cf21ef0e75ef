#include "ops/unary.h"

#include <cmath>
#include <limits>

#include "ops/elementwise.h"
#include "ops/families.h"

namespace overt {

IsInfAttributes parse_is_inf(const Node& node) {
  return {node.integer("detect_negative", 1) != 0, node.integer("detect_positive", 1) != 0};
}

namespace {

using IntTypes = TypeList<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>;
using SignedTypes = TypeList<float, double, Float16, BFloat16, int8_t, int16_t, int32_t, int64_t>;

/// 0 - x; the least integer stays itself.
template <typename T>
T negated(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    return -x;
  } else {
    return from_modular<T>(0 - to_modular(x));
  }
}

struct AbsOp {
  using Types = NumericTypes;
  template <typename T>
  T operator()(T x) const {
    if constexpr (std::is_floating_point_v<T>) return std::abs(x);
    return x < 0 ? negated(x) : x;
  }
  static std::optional<Dim> element(const Dim& x) {
    if (is_certainly_non_negative(x)) return x;
    if (less(x, Dim(0)) == std::optional(true)) return Dim(0) - x;
    return std::nullopt;
  }
};

struct NegOp {
  using Types = SignedTypes;
  template <typename T>
  T operator()(T x) const {
    return negated(x);
  }
  static std::optional<Dim> element(const Dim& x) { return Dim(0) - x; }
};

struct SignOp {
  using Types = NumericTypes;
  template <typename T>
  T operator()(T x) const {
    if (x > T{0}) return T{1};
    if (x < T{0}) return static_cast<T>(-1);
    return x;  // zero, and NaN
  }
};

struct ReciprocalOp {
  using Types = FloatTypes;
  template <typename T>
  T operator()(T x) const {
    return T{1} / x;
  }
};

struct ErfOp {
  using Types = NumericTypes;
  template <typename T>
  T operator()(T x) const {
    if constexpr (std::is_floating_point_v<T>) return std::erf(x);
    return saturate<T>(std::erf(static_cast<double>(x)));
  }
};

/// One function of <cmath> on floats; the functor's name is the function's.
struct CeilOp {
  using Types = FloatTypes;
  auto operator()(auto x) const { return std::ceil(x); }
};
struct FloorOp {
  using Types = FloatTypes;
  auto operator()(auto x) const { return std::floor(x); }
};
struct RoundOp {  // halves go to the even neighbour, as in the default rounding mode
  using Types = FloatTypes;
  auto operator()(auto x) const { return std::nearbyint(x); }
};
struct SqrtOp {
  using Types = FloatTypes;
  auto operator()(auto x) const { return std::sqrt(x); }
};
struct ExpOp {
  using Types = FloatTypes;
  auto operator()(auto x) const { return std::exp(x); }
};
struct LogOp {
  using Types = FloatTypes;
  auto operator()(auto x) const { return std::log(x); }
};
struct SinOp {
  using Types = FloatTypes;
  auto operator()(auto x) const { return std::sin(x); }
};
struct CosOp {
  using Types = FloatTypes;
  auto operator()(auto x) const { return std::cos(x); }
};
struct TanOp {
  using Types = FloatTypes;
  auto operator()(auto x) const { return std::tan(x); }
};
struct AsinOp {
  using Types = FloatTypes;
  auto operator()(auto x) const { return std::asin(x); }
};
struct AcosOp {
  using Types = FloatTypes;
  auto operator()(auto x) const { return std::acos(x); }
};
struct AtanOp {
  using Types = FloatTypes;
  auto operator()(auto x) const { return std::atan(x); }
};
struct SinhOp {
  using Types = FloatTypes;
  auto operator()(auto x) const { return std::sinh(x); }
};
struct CoshOp {
  using Types = FloatTypes;
  auto operator()(auto x) const { return std::cosh(x); }
};
struct AsinhOp {
  using Types = FloatTypes;
  auto operator()(auto x) const { return std::asinh(x); }
};
struct AcoshOp {
  using Types = FloatTypes;
  auto operator()(auto x) const { return std::acosh(x); }
};
struct AtanhOp {
  using Types = FloatTypes;
  auto operator()(auto x) const { return std::atanh(x); }
};

struct IsNanOp {
  using Types = FloatTypes;
  bool operator()(auto x) const { return std::isnan(x); }
};

struct IsInfOp {
  using Types = FloatTypes;
  IsInfAttributes attributes;
  explicit IsInfOp(const Node& node) : attributes(parse_is_inf(node)) {}
  bool operator()(auto x) const {
    return std::isinf(x) && (x < 0 ? attributes.detect_negative : attributes.detect_positive);
  }
};

struct NotOp {
  using Types = TypeList<bool>;
  bool operator()(bool x) const { return !x; }
  static std::optional<Dim> element(const Dim& x) { return as_dim(equal(x, Dim(0))); }
};

struct BitwiseNotOp {
  using Types = IntTypes;
  template <typename T>
  T operator()(T x) const {
    return static_cast<T>(~x);
  }
};

constexpr OpEntry kOps[] = {
    unary_op<AbsOp>("Abs"),     unary_op<NegOp>("Neg"),
    unary_op<CeilOp>("Ceil"),   unary_op<FloorOp>("Floor"),
    unary_op<RoundOp>("Round"), unary_op<SignOp>("Sign"),
    unary_op<SqrtOp>("Sqrt"),   unary_op<ReciprocalOp>("Reciprocal"),
    unary_op<ExpOp>("Exp"),     unary_op<LogOp>("Log"),
    unary_op<ErfOp>("Erf"),     unary_op<SinOp>("Sin"),
    unary_op<CosOp>("Cos"),     unary_op<TanOp>("Tan"),
    unary_op<AsinOp>("Asin"),   unary_op<AcosOp>("Acos"),
    unary_op<AtanOp>("Atan"),   unary_op<SinhOp>("Sinh"),
    unary_op<CoshOp>("Cosh"),   unary_op<AsinhOp>("Asinh"),
    unary_op<AcoshOp>("Acosh"), unary_op<AtanhOp>("Atanh"),
    unary_op<IsNanOp>("IsNaN"), unary_op<IsInfOp>("IsInf"),
    unary_op<NotOp>("Not"),     unary_op<BitwiseNotOp>("BitwiseNot"),
};

}  // namespace

std::span<const OpEntry> unary_ops() {
  return kOps;
}

}  // namespace overt
