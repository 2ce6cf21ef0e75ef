#include "ops/bitwise.h"

#include "base/escape.h"
#include "ops/checks.h"
#include "ops/elementwise.h"
#include "ops/families.h"

namespace overt {

ShiftDirection parse_bit_shift(const Node& node) {
  const std::string_view direction = node.string("direction", "");
  if (direction == "LEFT") return ShiftDirection::left;
  if (direction == "RIGHT") return ShiftDirection::right;
  reject_node(node, "direction is '{}', expected LEFT or RIGHT", escape_name(direction));
}

namespace {

using BoolTypes = TypeList<bool>;
using IntTypes = TypeList<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>;

struct AndOp {
  using Types = BoolTypes;
  bool operator()(bool a, bool b) const { return a && b; }
  static std::optional<Dim> element(const Dim& a, const Dim& b) {
    if (a == Dim(0) || b == Dim(0)) return Dim(0);
    return a == Dim(1) ? std::optional(b) : b == Dim(1) ? std::optional(a) : std::nullopt;
  }
};

struct OrOp {
  using Types = BoolTypes;
  bool operator()(bool a, bool b) const { return a || b; }
  static std::optional<Dim> element(const Dim& a, const Dim& b) {
    if (a == Dim(1) || b == Dim(1)) return Dim(1);
    return a == Dim(0) ? std::optional(b) : b == Dim(0) ? std::optional(a) : std::nullopt;
  }
};

struct XorOp {
  using Types = BoolTypes;
  bool operator()(bool a, bool b) const { return a != b; }
  static std::optional<Dim> element(const Dim& a, const Dim& b) {
    if (!a.is_number() || !b.is_number()) return std::nullopt;
    return Dim(a.number() != b.number() ? 1 : 0);
  }
};

/// A shift by a negative number or by the type's width or more leaves no bit of the operand; to the right, copies
/// of a negative number's sign remain.
struct BitShiftOp {
  using Types = IntTypes;
  ShiftDirection direction;
  explicit BitShiftOp(const Node& node) : direction(parse_bit_shift(node)) {}
  template <typename T>
  T operator()(T a, T b) const {
    const bool is_in_range = b >= 0 && static_cast<uint64_t>(b) < sizeof(T) * 8;
    if (direction == ShiftDirection::left) return is_in_range ? from_modular<T>(to_modular(a) << b) : T{0};
    if (is_in_range) return static_cast<T>(a >> b);
    return a < 0 ? static_cast<T>(-1) : T{0};
  }
};

struct BitwiseAndOp {
  using Types = IntTypes;
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};

struct BitwiseOrOp {
  using Types = IntTypes;
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};

struct BitwiseXorOp {
  using Types = IntTypes;
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

constexpr OpEntry kOps[] = {
    binary_op<AndOp>("And"),
    binary_op<OrOp>("Or"),
    binary_op<XorOp>("Xor"),
    binary_op<BitShiftOp>("BitShift"),
    binary_op<BitwiseAndOp>("BitwiseAnd"),
    binary_op<BitwiseOrOp>("BitwiseOr"),
    binary_op<BitwiseXorOp>("BitwiseXor"),
};

}  // namespace

std::span<const OpEntry> bitwise_ops() {
  return kOps;
}

}  // namespace overt
