#ifndef OVERT_OPS_VISIT_H_
#define OVERT_OPS_VISIT_H_

#include <type_traits>

#include "base/error.h"
#include "overt/tensor.h"

namespace overt {

/// Lists of element types for `visit_types`.
template <typename... Ts>
struct TypeList {};

using FloatTypes = TypeList<float, double, Float16, BFloat16>;
using SignedIntTypes = TypeList<int8_t, int16_t, int32_t, int64_t>;
using UnsignedIntTypes = TypeList<uint8_t, uint16_t, uint32_t, uint64_t>;
using NumericTypes = TypeList<float, double, Float16, BFloat16, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t,
                              uint32_t, uint64_t>;
using AllTypes = TypeList<float, double, Float16, BFloat16, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t,
                          uint32_t, uint64_t, bool, std::string>;

/// Calls `visitor.operator()<T>()` for the T of the list that `type` names.
/// Throws Error(unsupported) naming `what` and the type where it is not in the list.
template <typename... Ts, typename Visitor>
void visit_types(TypeList<Ts...>, DataType type, std::string_view what, Visitor&& visitor) {
  const bool found = ((type == data_type_of<Ts> ? (visitor.template operator()<Ts>(), true) : false) || ...);
  if (!found) fail(ErrorCode::unsupported, "{} has no kernel for {} elements", what, data_type_name(type));
}

/// The type that arithmetic on T is done in: float for the 16-bit floats, else T.
template <typename T>
using ComputeType = std::conditional_t<std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>, float, T>;

/// Moves elements of `type` without looking at them: calls the visitor with uint8_t, uint16_t, uint32_t,
/// uint64_t, a 16-byte struct or std::string, by the element's size. For Transpose, Gather, Concat and the like.
/// Throws Error(unsupported) for sub-byte types.
struct Bytes16 {
  uint64_t words[2];
};
template <typename Visitor>
void visit_element_size(DataType type, std::string_view what, Visitor&& visitor) {
  if (type == DataType::string) return visitor.template operator()<std::string>();
  switch (data_type_bits(type)) {
    case 8: return visitor.template operator()<uint8_t>();
    case 16: return visitor.template operator()<uint16_t>();
    case 32: return visitor.template operator()<uint32_t>();
    case 64: return visitor.template operator()<uint64_t>();
    case 128: return visitor.template operator()<Bytes16>();
    default: fail(ErrorCode::unsupported, "{} has no kernel for {} elements", what, data_type_name(type));
  }
}

}  // namespace overt

#endif  // OVERT_OPS_VISIT_H_
