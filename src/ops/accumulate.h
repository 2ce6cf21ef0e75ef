#ifndef OVERT_OPS_ACCUMULATE_H_
#define OVERT_OPS_ACCUMULATE_H_

#include <cstdint>
#include <type_traits>

#include "ops/elementwise.h"

namespace overt {

/// What many values of T are added or multiplied up in: double for floats, wrapping 64 bits for integers.
template <typename T>
using Accumulator = std::conditional_t<std::is_integral_v<T>, uint64_t, double>;

/// An accumulated value as an element: rounded, or truncated and clamped where a double becomes an integer.
template <typename T, typename A>
T narrow(A value) {
  if constexpr (std::is_integral_v<T> && std::is_floating_point_v<A>) {
    return saturate<T>(value);
  } else {
    return static_cast<T>(static_cast<ComputeType<T>>(value));
  }
}

}  // namespace overt

#endif  // OVERT_OPS_ACCUMULATE_H_
