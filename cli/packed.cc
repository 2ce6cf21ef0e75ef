#include "packed.h"

namespace overt::cli {

bool is_packed(DataType type) {
  const int bits = data_type_bits(type);
  return bits > 0 && bits < 8;
}

uint8_t packed_bits(const Tensor& tensor, int64_t i) {
  const int width = data_type_bits(tensor.type());
  const int64_t at = i * width;
  const auto* bytes = static_cast<const uint8_t*>(tensor.data());
  return static_cast<uint8_t>((bytes[at / 8] >> (at % 8)) & ((1 << width) - 1));
}

void set_packed_bits(Tensor& tensor, int64_t i, uint8_t bits) {
  const int width = data_type_bits(tensor.type());
  const int64_t at = i * width;
  const int mask = ((1 << width) - 1) << (at % 8);
  auto* bytes = static_cast<uint8_t*>(tensor.mutable_data());
  bytes[at / 8] = static_cast<uint8_t>((bytes[at / 8] & ~mask) | ((bits << (at % 8)) & mask));
}

int packed_integer(DataType type, uint8_t bits) {
  const int width = data_type_bits(type);
  const bool is_signed = type == DataType::int4 || type == DataType::int2;
  const int value = bits & ((1 << width) - 1);
  return is_signed && value >= (1 << (width - 1)) ? value - (1 << width) : value;
}

}  // namespace overt::cli
