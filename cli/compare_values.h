#ifndef OVERT_CLI_COMPARE_VALUES_H_
#define OVERT_CLI_COMPARE_VALUES_H_

#include <cstdint>
#include <optional>
#include <string>

#include "overt/tensor.h"

namespace overt::cli {

/// Two floats differ where |a - b| > absolute + relative * |b|; other types where they are not equal.
struct Tolerance {
  double relative = 1e-3;
  /// Nothing: kShareOfLargest times the largest |b| of the tensor, as sums round with their largest terms.
  std::optional<double> absolute;

  static constexpr double kShareOfLargest = 1e-4;
};

/// How two tensors of one name differ.
struct Difference {
  bool within = true;
  std::string mismatch;  ///< types or shapes that differ, in words; then there is nothing below
  int64_t elements = 0;
  int64_t over = 0;          ///< elements over the tolerance
  double largest = 0;        ///< |a - b|; infinite where only one is NaN
  double excess = 0;         ///< largest |a - b| / (absolute + relative * |b|)
  int64_t worst_index = -1;  ///< row-major, of `excess`; -1 where nothing differs
  std::string worst_a;
  std::string worst_b;
};

/// NaN equals NaN, an infinity equals itself.
Difference compare_tensors(const Tensor& a, const Tensor& b, const Tolerance& tolerance);

/// "[0, 3, 17]" of a row-major index.
std::string index_text(const Shape& shape, int64_t index);

}  // namespace overt::cli

#endif  // OVERT_CLI_COMPARE_VALUES_H_
