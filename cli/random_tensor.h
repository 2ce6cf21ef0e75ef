#ifndef OVERT_CLI_RANDOM_TENSOR_H_
#define OVERT_CLI_RANDOM_TENSOR_H_

#include <random>

#include "overt/tensor.h"

namespace overt::cli {

/// Equal for equal generators on every machine: floats spread evenly over [0, 1), whole numbers and bools 0 or 1
/// (what most index, mask and token inputs take), strings "a" to "z". 8- and 4-bit floats are some values of [0, 2).
Tensor random_tensor(DataType type, Shape shape, std::mt19937_64& generator);

}  // namespace overt::cli

#endif  // OVERT_CLI_RANDOM_TENSOR_H_
