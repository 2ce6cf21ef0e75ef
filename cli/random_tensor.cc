#include "random_tensor.h"

#include <algorithm>
#include <complex>
#include <string>

#include "packed.h"

namespace overt::cli {
namespace {

template <typename T, typename Make>
void fill(Tensor& tensor, Make make) {
  T* out = static_cast<T*>(tensor.mutable_data());
  const int64_t count = tensor.elements();
  for (int64_t i = 0; i < count; ++i) out[i] = make();
}

void fill_packed(Tensor& tensor, std::mt19937_64& generator) {
  const int64_t count = tensor.elements();
  const unsigned mask = tensor.type() == DataType::float4e2m1 ? 3 : 1;  // 0, 0.5, 1, 1.5
  for (int64_t i = 0; i < count; ++i) set_packed_bits(tensor, i, static_cast<uint8_t>(generator() & mask));
}

}  // namespace

Tensor random_tensor(DataType type, Shape shape, std::mt19937_64& generator) {
  Tensor tensor(type, std::move(shape));
  // The standard's distributions differ between libraries; these lines do not.
  const auto real = [&] { return static_cast<double>(generator() >> 11) * 0x1p-53; };
  const auto single = [&] { return static_cast<float>(generator() >> 40) * 0x1p-24F; };
  const auto bit = [&] { return static_cast<uint8_t>(generator() >> 63); };
  switch (type) {
    case DataType::float32: fill<float>(tensor, single); break;
    case DataType::float64: fill<double>(tensor, real); break;
    case DataType::float16: fill<Float16>(tensor, [&] { return Float16(single()); }); break;
    case DataType::bfloat16: fill<BFloat16>(tensor, [&] { return BFloat16(single()); }); break;
    case DataType::complex64:
      fill<std::complex<float>>(tensor, [&] { return std::complex<float>(single(), single()); });
      break;
    case DataType::complex128:
      fill<std::complex<double>>(tensor, [&] { return std::complex<double>(real(), real()); });
      break;
    case DataType::string:
      fill<std::string>(tensor, [&] { return std::string(1, static_cast<char>('a' + generator() % 26)); });
      break;
    case DataType::int8:
    case DataType::uint8:
    case DataType::boolean: fill<uint8_t>(tensor, bit); break;
    case DataType::int16:
    case DataType::uint16: fill<uint16_t>(tensor, bit); break;
    case DataType::int32:
    case DataType::uint32: fill<uint32_t>(tensor, bit); break;
    case DataType::int64:
    case DataType::uint64: fill<uint64_t>(tensor, bit); break;
    case DataType::float8e8m0: fill<uint8_t>(tensor, [&] { return static_cast<uint8_t>(126 + bit()); }); break;
    case DataType::float8e4m3fn:
    case DataType::float8e4m3fnuz:
    case DataType::float8e5m2:
    case DataType::float8e5m2fnuz:
      // Positive, exponent at most that of 1 in every one of the formats.
      fill<uint8_t>(tensor, [&] { return static_cast<uint8_t>(generator() & 0x3F); });
      break;
    default:
      if (is_packed(type)) fill_packed(tensor, generator);
      break;
  }
  return tensor;
}

}  // namespace overt::cli
