#include "elements.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "overt/text.h"
#include "packed.h"
#include "text.h"

namespace overt::cli {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A float format of eight bits or fewer: sign, exponent, mantissa.
struct SmallFloat {
  int exponent_bits;
  int mantissa_bits;
  int bias;
};

double decode(SmallFloat format, unsigned bits) {
  const unsigned mantissa = bits & ((1U << format.mantissa_bits) - 1);
  const unsigned exponent = (bits >> format.mantissa_bits) & ((1U << format.exponent_bits) - 1);
  const bool negative = (bits >> (format.mantissa_bits + format.exponent_bits)) & 1U;
  const double fraction = std::ldexp(static_cast<double>(mantissa), -format.mantissa_bits);
  const double magnitude = exponent == 0 ? std::ldexp(fraction, 1 - format.bias)
                                         : std::ldexp(1 + fraction, static_cast<int>(exponent) - format.bias);
  return negative ? -magnitude : magnitude;
}

/// Source: ONNX, "Float stored in 8 bits"; OCP Microscaling Formats 1.0 for e2m1 and e8m0.
double decode_byte(DataType type, unsigned bits) {
  switch (type) {
    case DataType::float8e4m3fn: return (bits & 0x7F) == 0x7F ? kNan : decode({4, 3, 7}, bits);
    case DataType::float8e4m3fnuz: return bits == 0x80 ? kNan : decode({4, 3, 8}, bits);
    case DataType::float8e5m2fnuz: return bits == 0x80 ? kNan : decode({5, 2, 16}, bits);
    case DataType::float8e8m0: return bits == 0xFF ? kNan : std::ldexp(1.0, static_cast<int>(bits) - 127);
    case DataType::float8e5m2:
      if ((bits & 0x7F) > 0x7C) return kNan;
      if ((bits & 0x7F) == 0x7C) return (bits & 0x80) != 0 ? -kInfinity : kInfinity;
      return decode({5, 2, 15}, bits);
    default: return kNan;
  }
}

template <typename T>
const T& at(const Tensor& tensor, int64_t i) {
  return static_cast<const T*>(tensor.data())[i];
}

/// The element as an integer, for the types of up to 64 signed bits.
std::optional<int64_t> integer_at(const Tensor& tensor, int64_t i) {
  switch (tensor.type()) {
    case DataType::int8: return at<int8_t>(tensor, i);
    case DataType::int16: return at<int16_t>(tensor, i);
    case DataType::int32: return at<int32_t>(tensor, i);
    case DataType::int64: return at<int64_t>(tensor, i);
    case DataType::uint8: return at<uint8_t>(tensor, i);
    case DataType::uint16: return at<uint16_t>(tensor, i);
    case DataType::uint32: return at<uint32_t>(tensor, i);
    case DataType::int4:
    case DataType::uint4:
    case DataType::int2:
    case DataType::uint2: return packed_integer(tensor.type(), packed_bits(tensor, i));
    default: return std::nullopt;
  }
}

bool is_complex(DataType type) {
  return type == DataType::complex64 || type == DataType::complex128;
}

}  // namespace

std::complex<double> element_as_complex(const Tensor& tensor, int64_t i) {
  if (tensor.type() == DataType::complex128) return at<std::complex<double>>(tensor, i);
  return std::complex<double>(at<std::complex<float>>(tensor, i));
}

double element_as_double(const Tensor& tensor, int64_t i) {
  switch (tensor.type()) {
    case DataType::float32: return at<float>(tensor, i);
    case DataType::float64: return at<double>(tensor, i);
    case DataType::float16: return static_cast<float>(at<Float16>(tensor, i));
    case DataType::bfloat16: return static_cast<float>(at<BFloat16>(tensor, i));
    case DataType::boolean: return at<uint8_t>(tensor, i) != 0 ? 1 : 0;
    case DataType::uint64: return static_cast<double>(at<uint64_t>(tensor, i));
    case DataType::float4e2m1: return decode({2, 1, 1}, packed_bits(tensor, i));
    case DataType::complex64:
    case DataType::complex128: return element_as_complex(tensor, i).real();
    case DataType::string:
    case DataType::undefined: return kNan;
    default: break;
  }
  if (const auto integer = integer_at(tensor, i)) return static_cast<double>(*integer);
  return decode_byte(tensor.type(), at<uint8_t>(tensor, i));
}

std::string element_text(const Tensor& tensor, int64_t i) {
  if (tensor.type() == DataType::string) return "\"" + escape_name(at<std::string>(tensor, i), 40) + "\"";
  if (tensor.type() == DataType::boolean) return at<uint8_t>(tensor, i) != 0 ? "true" : "false";
  if (tensor.type() == DataType::uint64) return std::to_string(at<uint64_t>(tensor, i));
  if (const auto integer = integer_at(tensor, i)) return std::to_string(*integer);
  if (!is_complex(tensor.type())) return number_text(element_as_double(tensor, i));
  const std::complex<double> value = element_as_complex(tensor, i);
  return number_text(value.real()) + (std::signbit(value.imag()) ? "-" : "+") + number_text(std::abs(value.imag())) +
         "i";
}

Json element_json(const Tensor& tensor, int64_t i) {
  if (tensor.type() == DataType::string) return at<std::string>(tensor, i);
  if (tensor.type() == DataType::boolean) return at<uint8_t>(tensor, i) != 0;
  if (tensor.type() == DataType::uint64) return at<uint64_t>(tensor, i);
  if (const auto integer = integer_at(tensor, i)) return *integer;
  if (!is_complex(tensor.type())) return element_as_double(tensor, i);
  const std::complex<double> value = element_as_complex(tensor, i);
  return Json::array({value.real(), value.imag()});
}

std::optional<Statistics> statistics_of(const Tensor& tensor) {
  if (tensor.type() == DataType::string || is_complex(tensor.type())) return std::nullopt;
  const int64_t count = tensor.elements();
  Statistics found{kInfinity, -kInfinity, 0, 0};
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double value = element_as_double(tensor, i);
    if (!std::isfinite(value)) {
      ++found.not_finite;
      continue;
    }
    found.min = std::min(found.min, value);
    found.max = std::max(found.max, value);
    sum += value;
  }
  if (found.not_finite == count) return std::nullopt;
  found.mean = sum / static_cast<double>(count - found.not_finite);
  return found;
}

int64_t count_not_finite(const Tensor& tensor) {
  if (tensor.type() == DataType::string) return 0;
  const int64_t count = tensor.elements();
  int64_t found = 0;
  for (int64_t i = 0; i < count; ++i) found += std::isfinite(element_as_double(tensor, i)) ? 0 : 1;
  return found;
}

}  // namespace overt::cli
