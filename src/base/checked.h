#ifndef OVERT_BASE_CHECKED_H_
#define OVERT_BASE_CHECKED_H_

#include <cstdint>
#include <optional>

namespace overt {

/// 64-bit arithmetic that gives nothing instead of wrapping.
inline std::optional<int64_t> checked_mul(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

inline std::optional<int64_t> checked_add(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}

}  // namespace overt

#endif  // OVERT_BASE_CHECKED_H_
