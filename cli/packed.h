#ifndef OVERT_CLI_PACKED_H_
#define OVERT_CLI_PACKED_H_

#include <cstdint>

#include "overt/tensor.h"

namespace overt::cli {

/// Bits of element `i` of a tensor whose elements take 2 or 4 bits, low bits of a byte first.
uint8_t packed_bits(const Tensor& tensor, int64_t i);
void set_packed_bits(Tensor& tensor, int64_t i, uint8_t bits);

/// True for the types that share bytes.
bool is_packed(DataType type);
/// The value of packed integer bits: int4 0xF is -1.
int packed_integer(DataType type, uint8_t bits);

}  // namespace overt::cli

#endif  // OVERT_CLI_PACKED_H_
