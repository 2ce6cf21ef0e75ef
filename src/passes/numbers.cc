#include "passes/numbers.h"

#include "ops/visit.h"

namespace overt {

bool is_arithmetic_float(DataType type) {
  return is_fusable_float(type) || type == DataType::float64;
}

bool is_fusable_float(DataType type) {
  return type == DataType::float32 || type == DataType::float16 || type == DataType::bfloat16;
}

bool is_numeric(DataType type) {
  switch (type) {
    case DataType::int8:
    case DataType::int16:
    case DataType::int32:
    case DataType::int64:
    case DataType::uint8:
    case DataType::uint16:
    case DataType::uint32:
    case DataType::uint64: return true;
    default: return is_arithmetic_float(type);
  }
}

std::vector<double> to_doubles(const Tensor& tensor) {
  std::vector<double> doubles;
  if (!is_numeric(tensor.type())) return doubles;
  doubles.reserve(static_cast<size_t>(tensor.elements()));
  visit_types(NumericTypes{}, tensor.type(), "reading a constant", [&]<typename T>() {
    const Tensor aligned = tensor.aligned();
    for (const T value : aligned.values<T>())
      doubles.push_back(static_cast<double>(static_cast<ComputeType<T>>(value)));
  });
  return doubles;
}

Tensor from_doubles(DataType type, const Shape& shape, std::span<const double> values) {
  Tensor tensor(type, shape);
  visit_types(FloatTypes{}, type, "making a constant", [&]<typename T>() {
    const std::span<T> elements = tensor.mutable_values<T>();
    detail::require_count(values.size(), static_cast<int64_t>(elements.size()));
    for (size_t i = 0; i < elements.size(); ++i) elements[i] = T(static_cast<ComputeType<T>>(values[i]));
  });
  return tensor;
}

}  // namespace overt
