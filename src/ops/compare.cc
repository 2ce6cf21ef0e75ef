#include "ops/elementwise.h"
#include "ops/families.h"

// Comparisons: bools of the broadcast shape. Nothing equals, or is less or greater than, NaN.

namespace overt {
namespace {

std::optional<bool> not_of(std::optional<bool> truth) {
  return truth ? std::optional(!*truth) : std::nullopt;
}

struct EqualOp {
  using Types = AllTypes;
  template <typename T>
  bool operator()(const T& a, const T& b) const {
    return a == b;
  }
  static std::optional<Dim> element(const Dim& a, const Dim& b) { return as_dim(equal(a, b)); }
};

struct LessOp {
  using Types = NumericTypes;
  bool operator()(auto a, auto b) const { return a < b; }
  static std::optional<Dim> element(const Dim& a, const Dim& b) { return as_dim(less(a, b)); }
};

struct LessOrEqualOp {
  using Types = NumericTypes;
  bool operator()(auto a, auto b) const { return a <= b; }
  static std::optional<Dim> element(const Dim& a, const Dim& b) { return as_dim(not_of(less(b, a))); }
};

struct GreaterOp {
  using Types = NumericTypes;
  bool operator()(auto a, auto b) const { return a > b; }
  static std::optional<Dim> element(const Dim& a, const Dim& b) { return as_dim(less(b, a)); }
};

struct GreaterOrEqualOp {
  using Types = NumericTypes;
  bool operator()(auto a, auto b) const { return a >= b; }
  static std::optional<Dim> element(const Dim& a, const Dim& b) { return as_dim(not_of(less(a, b))); }
};

constexpr OpEntry kOps[] = {
    binary_op<EqualOp>("Equal"),
    binary_op<LessOp>("Less"),
    binary_op<LessOrEqualOp>("LessOrEqual"),
    binary_op<GreaterOp>("Greater"),
    binary_op<GreaterOrEqualOp>("GreaterOrEqual"),
};

}  // namespace

std::span<const OpEntry> compare_ops() {
  return kOps;
}

}  // namespace overt
