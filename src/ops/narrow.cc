#include "ops/narrow.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.h"
#include "ops/convert.h"

namespace overt {
namespace {

/// A sign bit, then an exponent, then `mantissa` bits.
struct SmallFloat {
  int mantissa = 0;
  int bias = 0;
  uint8_t sign = 0x80;
  uint8_t largest = 0;   ///< bits of the largest number
  uint8_t infinity = 0;  ///< bits of what lies beyond it without saturation; the sign is added unless unsigned_nan
  uint8_t nan = 0;
  bool unsigned_nan = false;  ///< the bits of -0 are the only NaN, and there is no -0
};

SmallFloat small_float(DataType type) {
  switch (type) {
    case DataType::float8e4m3fn: return {3, 7, 0x80, 0x7e, 0x7f, 0x7f, false};
    case DataType::float8e4m3fnuz: return {3, 8, 0x80, 0x7f, 0x80, 0x80, true};
    case DataType::float8e5m2: return {2, 15, 0x80, 0x7b, 0x7c, 0x7e, false};
    case DataType::float8e5m2fnuz: return {2, 16, 0x80, 0x7f, 0x80, 0x80, true};
    case DataType::float4e2m1: return {1, 1, 0x08, 0x07, 0x07, 0x08, true};
    default: break;
  }
  fail(ErrorCode::internal, "{} is no small float", data_type_name(type));
}

double magnitude_value(const SmallFloat& format, int bits) {
  const int exponent = bits >> format.mantissa;
  const int fraction = bits & ((1 << format.mantissa) - 1);
  if (exponent == 0) return std::ldexp(fraction, 1 - format.bias - format.mantissa);
  return std::ldexp(fraction + (1 << format.mantissa), exponent - format.bias - format.mantissa);
}

float small_float_value(DataType type, uint8_t bits) {
  const SmallFloat format = small_float(type);
  const bool negative = (bits & format.sign) != 0;
  const int magnitude = bits & (format.sign - 1);
  const float quiet = negative ? -std::nanf("") : std::nanf("");
  if (type != DataType::float4e2m1 && format.unsigned_nan && bits == format.nan) return std::nanf("");
  if (type == DataType::float8e4m3fn && magnitude == format.nan) return quiet;
  if (type == DataType::float8e5m2 && magnitude > format.infinity) return quiet;
  if (type == DataType::float8e5m2 && magnitude == format.infinity) return negative ? -INFINITY : INFINITY;
  const auto value = static_cast<float>(magnitude_value(format, magnitude));
  return negative ? -value : value;
}

/// Bits of the magnitude nearest to x >= 0, ties to even; may be beyond the largest number.
int nearest_magnitude(const SmallFloat& format, double x) {
  if (x > 2 * magnitude_value(format, format.largest)) return format.largest + 1;
  const int exponent = x > 0 ? std::max(std::ilogb(x), 1 - format.bias) : 1 - format.bias;
  // Counted in units of the last place, the exponent and the fraction are one number that carries over by itself.
  const auto units = static_cast<int>(std::nearbyint(std::ldexp(x, format.mantissa - exponent)));
  return units + ((exponent - 1 + format.bias) << format.mantissa);
}

uint8_t small_float_bits(DataType type, double x, bool saturate) {
  const SmallFloat format = small_float(type);
  const uint8_t sign = std::signbit(x) ? format.sign : 0;
  const auto with_sign = [&](int magnitude) { return static_cast<uint8_t>(magnitude | sign); };
  if (std::isnan(x)) return format.unsigned_nan ? format.nan : with_sign(format.nan);
  const int magnitude = nearest_magnitude(format, std::fabs(x));
  if (magnitude > format.largest) {
    if (saturate || type == DataType::float4e2m1) return with_sign(format.largest);
    return format.unsigned_nan ? format.infinity : with_sign(format.infinity);
  }
  if (magnitude == 0 && format.unsigned_nan && type != DataType::float4e2m1) return 0;
  return with_sign(magnitude);
}

uint8_t power_bits(double x, NarrowRounding rounding) {
  constexpr uint8_t kNan = 0xff;
  constexpr uint8_t kLargest = 0xfe;
  if (std::isnan(x)) return kNan;
  const auto word = std::bit_cast<uint32_t>(std::fabs(static_cast<float>(x)));
  const uint32_t exponent = word >> 23;
  if (exponent == 0xff) return rounding.saturate ? kLargest : kNan;
  const uint32_t fraction = word & 0x7fffffu;
  // Below 2^-126 the fraction counts from 0, and 0x400000 is 2^-127, which code 0 stands for.
  bool up = rounding.power == PowerRounding::up && fraction > (exponent > 0 ? 0u : 0x400000u);
  if (rounding.power == PowerRounding::nearest) up = exponent > 0 ? fraction >= 0x400000u : fraction > 0x600000u;
  if (up && exponent == kLargest) return rounding.saturate ? kLargest : kNan;
  return static_cast<uint8_t>(exponent + (up ? 1 : 0));
}

}  // namespace

bool is_narrow_integer(DataType type) {
  return type == DataType::uint4 || type == DataType::int4 || type == DataType::uint2 || type == DataType::int2;
}

bool is_narrow(DataType type) {
  switch (type) {
    case DataType::float8e4m3fn:
    case DataType::float8e4m3fnuz:
    case DataType::float8e5m2:
    case DataType::float8e5m2fnuz:
    case DataType::float8e8m0:
    case DataType::float4e2m1: return true;
    default: return is_narrow_integer(type);
  }
}

uint8_t read_narrow(DataType type, const void* data, int64_t i) {
  const int bits = data_type_bits(type);
  const auto* bytes = static_cast<const uint8_t*>(data);
  if (bits == 8) return bytes[i];
  const int64_t per_byte = 8 / bits;
  return static_cast<uint8_t>((bytes[i / per_byte] >> (i % per_byte * bits)) & ((1 << bits) - 1));
}

void write_narrow(DataType type, void* data, int64_t i, uint8_t element) {
  const int bits = data_type_bits(type);
  auto* bytes = static_cast<uint8_t*>(data);
  if (bits == 8) {
    bytes[i] = element;
    return;
  }
  const int64_t per_byte = 8 / bits;
  const auto shift = static_cast<int>(i % per_byte * bits);
  const int mask = ((1 << bits) - 1) << shift;
  uint8_t& byte = bytes[i / per_byte];
  byte = static_cast<uint8_t>((byte & ~mask) | ((element << shift) & mask));
}

Tensor unpacked(const TensorView& view) {
  Tensor bytes(DataType::uint8, view.shape());
  int64_t i = 0;
  for (uint8_t& byte : bytes.mutable_values<uint8_t>()) byte = read_narrow(view.type, view.data, i++);
  return bytes;
}

void pack(const Tensor& bytes, const MutableTensorView& output) {
  const auto size = static_cast<size_t>(tensor_bytes(output.type, Shape(output.dims)));
  if (size == 0) return;
  static_cast<uint8_t*>(output.data)[size - 1] = 0;  // bits after the last element
  int64_t i = 0;
  for (const uint8_t byte : bytes.values<uint8_t>()) write_narrow(output.type, output.data, i++, byte);
}

float narrow_value(DataType type, uint8_t bits) {
  switch (type) {
    case DataType::uint4: return static_cast<float>(bits & 0xf);
    case DataType::uint2: return static_cast<float>(bits & 0x3);
    case DataType::int4: return static_cast<float>((bits & 0xf) - ((bits & 0x8) << 1));
    case DataType::int2: return static_cast<float>((bits & 0x3) - ((bits & 0x2) << 1));
    case DataType::float8e8m0: return bits == 0xff ? std::nanf("") : std::ldexp(1.0f, bits - 127);
    default: return small_float_value(type, bits);
  }
}

uint8_t narrow_bits(DataType type, double x, NarrowRounding rounding) {
  if (is_narrow_integer(type)) {
    const int mask = (1 << data_type_bits(type)) - 1;
    return static_cast<uint8_t>(static_cast<uint64_t>(truncated(x)) & static_cast<uint64_t>(mask));
  }
  if (type == DataType::float8e8m0) return power_bits(x, rounding);
  return small_float_bits(type, x, rounding.saturate);
}

}  // namespace overt
