#include <array>
#include <bit>

#include "overt/tensor.h"

namespace overt {
namespace {

struct TypeFacts {
  std::string_view name;
  int bits;
};

constexpr std::array<TypeFacts, 27> kTypes = {{
    {"undefined", 0},      {"float32", 32},   {"uint8", 8},
    {"int8", 8},           {"uint16", 16},    {"int16", 16},
    {"int32", 32},         {"int64", 64},     {"string", 8 * sizeof(std::string)},
    {"bool", 8},           {"float16", 16},   {"float64", 64},
    {"uint32", 32},        {"uint64", 64},    {"complex64", 64},
    {"complex128", 128},   {"bfloat16", 16},  {"float8e4m3fn", 8},
    {"float8e4m3fnuz", 8}, {"float8e5m2", 8}, {"float8e5m2fnuz", 8},
    {"uint4", 4},          {"int4", 4},       {"float4e2m1", 4},
    {"float8e8m0", 8},     {"uint2", 2},      {"int2", 2},
}};

}  // namespace

std::string_view data_type_name(DataType type) {
  const auto index = static_cast<size_t>(type);
  return index < kTypes.size() ? kTypes[index].name : kTypes[0].name;
}

int data_type_bits(DataType type) {
  const auto index = static_cast<size_t>(type);
  return index < kTypes.size() ? kTypes[index].bits : 0;
}

bool is_floating_point(DataType type) {
  switch (type) {
    case DataType::float32:
    case DataType::float64:
    case DataType::float16:
    case DataType::bfloat16:
    case DataType::float8e4m3fn:
    case DataType::float8e4m3fnuz:
    case DataType::float8e5m2:
    case DataType::float8e5m2fnuz:
    case DataType::float8e8m0:
    case DataType::float4e2m1: return true;
    default: return false;
  }
}

// Round to nearest, ties to even; subnormals kept, NaN stays NaN (IEEE 754-2019, 5.4.2).
Float16::Float16(float value) {
  const auto word = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((word >> 16) & 0x8000u);
  const uint32_t magnitude = word & 0x7fffffffu;
  if (magnitude > 0x7f800000u) {
    bits = static_cast<uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x1ffu));
  } else if (magnitude >= 0x477ff000u) {  // rounds to 2^16 or more
    bits = static_cast<uint16_t>(sign | 0x7c00u);
  } else if (magnitude < 0x38800000u) {  // below 2^-14: subnormal; adding 0.5 aligns the bits and rounds
    const float aligned = std::bit_cast<float>(magnitude) + 0.5f;
    bits = static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(aligned) - 0x3f000000u));
  } else {
    const uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u) - 0x38000000u;
    bits = static_cast<uint16_t>(sign | (rounded >> 13));
  }
}

Float16::operator float() const {
  const uint32_t sign = (bits & 0x8000u) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1fu;
  const uint32_t mantissa = bits & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent == 0) {
    const float value = static_cast<float>(mantissa) * 0x1p-24f;
    return sign != 0 ? -value : value;
  }
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

BFloat16::BFloat16(float value) {
  const auto word = std::bit_cast<uint32_t>(value);
  if ((word & 0x7fffffffu) > 0x7f800000u) {
    bits = static_cast<uint16_t>((word >> 16) | 0x40u);
    return;
  }
  bits = static_cast<uint16_t>((word + 0x7fffu + ((word >> 16) & 1u)) >> 16);
}

BFloat16::operator float() const {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

}  // namespace overt
