#include "onnx/tensor_proto.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/escape.h"
#include "onnx/proto.h"

namespace overt {
namespace {

constexpr uint32_t kFloatData = 4, kInt32Data = 5, kStringData = 6, kInt64Data = 7, kDoubleData = 10,
                   kUint64Data = 11;

std::string_view field_name(uint32_t field) {
  switch (field) {
    case kFloatData: return "float_data";
    case kInt32Data: return "int32_data";
    case kStringData: return "string_data";
    case kInt64Data: return "int64_data";
    case kDoubleData: return "double_data";
    case kUint64Data: return "uint64_data";
    default: return "no field";
  }
}

uint32_t field_of(DataType type) {
  switch (type) {
    case DataType::float32:
    case DataType::complex64: return kFloatData;
    case DataType::float64:
    case DataType::complex128: return kDoubleData;
    case DataType::string: return kStringData;
    case DataType::int64: return kInt64Data;
    case DataType::uint32:
    case DataType::uint64: return kUint64Data;
    default: return kInt32Data;
  }
}

[[noreturn]] void fail_count(const ProtoTensor& proto, FileOrigin origin, DataType type, const Shape& shape,
                             size_t found, size_t expected) {
  fail_at(ErrorCode::invalid_model, proto.name, "{} has {} values in {}, expected {} for {} {}",
          proto.describe(origin), found, field_name(proto.data_field), expected, data_type_name(type),
          shape.to_string());
}

/// float_data and double_data: the numbers as they are in memory, in one or many pieces.
Tensor decode_fixed(const ProtoTensor& proto, DataType type, const Shape& shape, FileOrigin origin,
                    std::string_view& view) {
  const size_t number_bytes = proto.data_field == kFloatData ? 4 : 8;
  const auto expected = static_cast<size_t>(tensor_bytes(type, shape));
  size_t found = 0;
  for (const std::string_view part : proto.data) found += part.size();
  if (found != expected) fail_count(proto, origin, type, shape, found / number_bytes, expected / number_bytes);
  if (proto.data.size() == 1 && reinterpret_cast<uintptr_t>(proto.data[0].data()) % number_bytes == 0) {
    view = proto.data[0];
    return {};
  }
  Tensor tensor(type, shape);
  auto* out = static_cast<char*>(tensor.mutable_data());
  for (const std::string_view part : proto.data) {
    if (!part.empty()) std::memcpy(out, part.data(), part.size());
    out += part.size();
  }
  return tensor;
}

Tensor decode_strings(const ProtoTensor& proto, const Shape& shape, FileOrigin origin) {
  const auto expected = static_cast<size_t>(shape.elements());
  if (proto.data.size() != expected) {
    fail_count(proto, origin, DataType::string, shape, proto.data.size(), expected);
  }
  Tensor tensor(DataType::string, shape);
  std::ranges::copy(proto.data, tensor.mutable_values<std::string>().begin());
  return tensor;
}

/// The values that int32_data and uint64_data may hold for a type: what fits it, signed or as its bits.
std::pair<int64_t, int64_t> range_of(DataType type) {
  switch (type) {
    case DataType::boolean: return {0, 1};
    case DataType::int8: return {-128, 127};
    case DataType::uint8: return {0, 255};
    case DataType::int16: return {-32768, 32767};
    case DataType::uint16:
    case DataType::float16:
    case DataType::bfloat16: return {0, 65535};
    case DataType::int32: return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
    case DataType::uint32: return {0, std::numeric_limits<uint32_t>::max()};
    case DataType::int64:
    case DataType::uint64: return {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()};
    default: return {-128, 255};  // one byte: an 8-bit float, or packed elements of fewer bits
  }
}

template <typename T>
void narrow(std::span<const int64_t> numbers, void* out) {
  auto* elements = static_cast<T*>(out);
  for (size_t i = 0; i < numbers.size(); ++i) elements[i] = static_cast<T>(numbers[i]);
}

/// Numbers to memory, each in as many bytes as `number_bytes` says.
void store(std::span<const int64_t> numbers, size_t number_bytes, void* out) {
  switch (number_bytes) {
    case 1: return narrow<uint8_t>(numbers, out);
    case 2: return narrow<uint16_t>(numbers, out);
    case 4: return narrow<uint32_t>(numbers, out);
    default: return narrow<uint64_t>(numbers, out);
  }
}

/// int32_data, int64_data and uint64_data: varints, one for each element, or for each byte of packed elements.
Tensor decode_numbers(const ProtoTensor& proto, DataType type, const Shape& shape, FileOrigin origin) {
  const auto element_bits = static_cast<size_t>(data_type_bits(type));
  const size_t number_bytes = std::max<size_t>(element_bits / 8, 1);
  const size_t expected = static_cast<size_t>(tensor_bytes(type, shape)) / number_bytes;
  size_t found = 0;
  for (const std::string_view part : proto.data) found += count_varints(part);
  if (found != expected) fail_count(proto, origin, type, shape, found, expected);

  Tensor tensor(type, shape);
  auto* out = static_cast<char*>(tensor.mutable_data());
  const auto [lowest, highest] = range_of(type);
  std::vector<int64_t> numbers;
  for (const std::string_view part : proto.data) {
    numbers.resize(count_varints(part));
    decode_varints(part, origin, numbers);
    for (const int64_t number : numbers) {
      if (number >= lowest && number <= highest) continue;
      fail_at(ErrorCode::invalid_model, proto.name, "{} has the value {} in {}, which does not fit {}",
              proto.describe(origin), number, field_name(proto.data_field), data_type_name(type));
    }
    store(numbers, number_bytes, out);
    out += numbers.size() * number_bytes;
  }
  return tensor;
}

/// One occurrence of a typed data field.
void add_data(const WireReader& reader, ProtoTensor& proto) {
  std::string_view part;
  switch (reader.field()) {
    case kStringData: part = reader.bytes(); break;
    case kFloatData: part = reader.fixed32_run(); break;
    case kDoubleData: part = reader.fixed64_run(); break;
    default: part = reader.varint_run(); break;
  }
  if (part.empty() && reader.field() != kStringData) return;
  if (proto.data_field != 0 && proto.data_field != reader.field()) {
    reader.fail_here(
        fmt::format("data lies in both {} and {}", field_name(proto.data_field), field_name(reader.field())));
  }
  proto.data_field = reader.field();
  proto.data.push_back(part);
}

}  // namespace

std::string ProtoTensor::describe(FileOrigin origin) const {
  if (!name.empty()) return fmt::format("tensor '{}'", escape_name(name));
  return fmt::format("the tensor at byte {}", origin.offset_of(bytes));
}

ProtoTensor read_proto_tensor(std::string_view bytes, FileOrigin origin, int32_t max_rank) {
  ProtoTensor proto;
  proto.bytes = bytes;
  int64_t location = 0;
  WireReader reader(bytes, origin, "TensorProto");
  while (reader.next()) {
    switch (reader.field()) {
      case 1: {
        if (proto.dims.size() + count_varints(reader.varint_run()) > static_cast<size_t>(max_rank)) {
          fail(ErrorCode::unsupported, "a tensor at byte {} has more than {} dims", origin.offset_of(bytes),
               max_rank);
        }
        reader.append_integers(proto.dims);
        break;
      }
      case 2: proto.type_code = reader.integer(); break;
      case 3: fail(ErrorCode::unsupported, "the tensor at byte {} is a segment", origin.offset_of(bytes));
      case kFloatData:
      case kInt32Data:
      case kStringData:
      case kInt64Data:
      case kDoubleData:
      case kUint64Data: add_data(reader, proto); break;
      case 8: proto.name = reader.bytes(); break;
      case 9:
        if (proto.raw) reader.fail_here("raw_data is there twice");
        proto.raw = reader.bytes();
        break;
      case 13: proto.external.push_back(read_string_entry(reader.bytes(), origin)); break;
      case 14: location = reader.integer(); break;
      default: break;
    }
  }
  if (location != 0 && location != 1) {
    fail_at(ErrorCode::invalid_model, proto.name, "{} has data_location {}, expected 0 or 1", proto.describe(origin),
            location);
  }
  proto.is_external = location == 1;
  const bool has_raw = proto.raw && !proto.raw->empty();
  if (static_cast<int>(has_raw) + static_cast<int>(proto.data_field != 0) + static_cast<int>(proto.is_external) > 1) {
    fail_at(ErrorCode::invalid_model, proto.name, "{} has data in several places: {}{}{}", proto.describe(origin),
            has_raw ? "raw_data " : "", field_name(proto.data_field), proto.is_external ? " external_data" : "");
  }
  return proto;
}

Tensor decode_typed_data(const ProtoTensor& proto, DataType type, const Shape& shape, FileOrigin origin,
                         std::string_view& view) {
  const uint32_t expected = field_of(type);
  if (proto.data_field != expected) {
    fail_at(ErrorCode::invalid_model, proto.name, "{} of type {} has its data in {}, expected {} or raw_data",
            proto.describe(origin), data_type_name(type), field_name(proto.data_field), field_name(expected));
  }
  switch (expected) {
    case kFloatData:
    case kDoubleData: return decode_fixed(proto, type, shape, origin, view);
    case kStringData: return decode_strings(proto, shape, origin);
    default: return decode_numbers(proto, type, shape, origin);
  }
}

}  // namespace overt
