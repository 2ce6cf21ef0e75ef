#ifndef OVERT_OPS_CONVERT_H_
#define OVERT_OPS_CONVERT_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "overt/tensor.h"

namespace overt {

/// x rounded to float so that rounding once more to a 16-bit float gives what rounding x itself gives: towards 0,
/// with the last bit set where something was cut off (round to odd).
inline float round_to_odd(double x) {
  const auto nearest = static_cast<float>(x);
  if (static_cast<double>(nearest) == x || std::isnan(x) || std::isinf(x)) return nearest;
  const bool away = std::fabs(static_cast<double>(nearest)) > std::fabs(x);
  const uint32_t bits = std::bit_cast<uint32_t>(nearest) - (away ? 1u : 0u);
  return std::bit_cast<float>(bits | 1u);
}

/// A floating point number cut to a 64-bit integer; the nearest one beyond the ends, 0 for NaN.
template <typename Float>
int64_t truncated(Float x) {
  if (x >= static_cast<Float>(0x1p63)) return INT64_MAX;
  if (x > static_cast<Float>(-0x1p63)) return static_cast<int64_t>(x);
  return std::isnan(x) ? 0 : INT64_MIN;
}

template <typename T>
inline constexpr bool is_half = std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>;

/// A number as another type, by the rules of ONNX Cast.
///
/// Floats to floats round to nearest even and overflow to infinity. Integers to narrower integers keep the low
/// bits. Anything to bool is whether it is not 0; NaN is not. What the standard leaves open: a float beyond the
/// range of int32, int64 or uint64 gives the nearest value, beyond a narrower or unsigned type's range the low bits
/// of that as a 64-bit integer; NaN gives 0.
template <typename To, typename From>
To convert(From x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (is_half<From>) {
    return convert<To>(static_cast<float>(x));
  } else if constexpr (is_half<To>) {
    if constexpr (std::is_same_v<From, float>) return To(x);
    if constexpr (std::is_same_v<From, double>) return To(round_to_odd(x));
    if constexpr (std::is_integral_v<From>) return To(static_cast<float>(x));
  } else if constexpr (std::is_same_v<To, bool>) {
    return x != From{};
  } else if constexpr (std::is_floating_point_v<From> && std::is_same_v<To, uint64_t>) {
    if (x >= static_cast<From>(0x1p64)) return UINT64_MAX;
    return x >= static_cast<From>(0x1p63) ? static_cast<uint64_t>(x) : static_cast<uint64_t>(truncated(x));
  } else if constexpr (std::is_floating_point_v<From> && std::is_same_v<To, int32_t>) {
    const int64_t whole = truncated(x);
    return static_cast<int32_t>(whole < INT32_MIN ? INT32_MIN : (whole > INT32_MAX ? INT32_MAX : whole));
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return static_cast<To>(truncated(x));
  } else {
    return static_cast<To>(x);
  }
}

}  // namespace overt

#endif  // OVERT_OPS_CONVERT_H_
