#ifndef OVERT_PASSES_NUMBERS_H_
#define OVERT_PASSES_NUMBERS_H_

#include <span>
#include <vector>

#include "overt/tensor.h"

namespace overt {

/// float16, bfloat16, float32 or float64: the types whose arithmetic passes rearrange.
bool is_arithmetic_float(DataType type);
/// float16, bfloat16 or float32: the types of fused operators.
bool is_fusable_float(DataType type);

/// The elements as doubles, exactly for floats and for integers below 2^53. Empty for other types (is_numeric).
std::vector<double> to_doubles(const Tensor& tensor);
bool is_numeric(DataType type);

/// A tensor of a float type of is_arithmetic_float with these elements, rounded.
Tensor from_doubles(DataType type, const Shape& shape, std::span<const double> values);

}  // namespace overt

#endif  // OVERT_PASSES_NUMBERS_H_
