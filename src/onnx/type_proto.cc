#include "onnx/type_proto.h"

#include "base/error.h"
#include "base/escape.h"
#include "onnx/tensor_reader.h"

namespace overt {
namespace {

constexpr int kMaxTypeDepth = 16;           // optional(sequence(map(..., tensor)))
constexpr size_t kMaxSymbolValueName = 64;  // longer names are not repeated in their unknown lengths

/// Element type, shape and kind, before names are given to unknown lengths.
struct RawType {
  ValueKind kind = ValueKind::tensor;
  int64_t element_code = 0;
  std::optional<std::string_view> shape;  ///< a TensorShapeProto
};

/// Follows a TypeProto to its innermost tensor; the kind is the outermost one.
RawType read_type(std::string_view type_proto, FileOrigin origin, std::string_view what) {
  RawType type;
  std::string_view at = type_proto;
  for (int depth = 0; depth < kMaxTypeDepth; ++depth) {
    uint32_t field = 0;
    std::string_view inner;
    WireReader reader(at, origin, "TypeProto");
    while (reader.next()) {
      if (reader.field() == 6) continue;  // denotation
      field = reader.field();
      inner = reader.bytes();
    }
    const auto outermost = [&](ValueKind kind) {
      if (depth == 0) type.kind = kind;
    };
    uint32_t element_field = 1;
    switch (field) {
      case 0: return type;
      case 1: break;
      case 4: outermost(ValueKind::sequence); break;
      case 5:
        outermost(ValueKind::map);
        element_field = 2;
        break;
      case 9: outermost(ValueKind::optional); break;
      default:
        fail(ErrorCode::unsupported, "{} is a {} value, expected a tensor, sequence, optional or map", what,
             field == 8 ? "sparse" : "non-standard");
    }
    std::string_view element;
    WireReader content(inner, origin, "TypeProto");
    while (content.next()) {
      if (field == 1 && content.field() == 1) type.element_code = content.integer();
      if (field == 1 && content.field() == 2) type.shape = content.bytes();
      if (field != 1 && content.field() == element_field) element = content.bytes();
    }
    if (field == 1) return type;
    at = element;
    if (at.data() == nullptr) return type;
  }
  fail(ErrorCode::invalid_model, "{} has a type nested more than {} deep", what, kMaxTypeDepth);
}

Dim unknown_length(const ProtoValueInfo& value, FileOrigin origin, size_t axis, NameReach reach) {
  const std::string_view name = value.name.substr(0, kMaxSymbolValueName);
  const bool unique = reach == NameReach::main_graph && name.size() == value.name.size();
  if (unique) return Dim::symbol(fmt::format("?{}.{}", name, axis));
  return Dim::symbol(fmt::format("?{}@{}.{}", name, origin.offset_of(value.bytes), axis));
}

Dim read_dim(std::string_view bytes, FileOrigin origin, const ProtoValueInfo& value, size_t axis, NameReach reach) {
  WireReader reader(bytes, origin, "TensorShapeProto.Dimension");
  std::optional<int64_t> number;
  std::string_view symbol;
  while (reader.next()) {
    if (reader.field() == 1) number = reader.integer();
    if (reader.field() == 2) symbol = reader.bytes();
  }
  if (number && *number < -1) {
    fail_at(ErrorCode::invalid_model, value.name, "value '{}' has the length {} on axis {}, expected 0 or more",
            escape_name(value.name), *number, axis);
  }
  if (number && *number >= 0) return Dim(*number);
  return symbol.empty() ? unknown_length(value, origin, axis, reach) : Dim::symbol(symbol);
}

}  // namespace

ValueInfo read_value_info(const ProtoValueInfo& proto, FileOrigin origin, int32_t max_rank, NameReach reach) {
  ValueInfo info;
  if (!proto.type) return info;
  const std::string what = fmt::format("value '{}'", escape_name(proto.name));
  const RawType type = read_type(*proto.type, origin, what);
  info.kind = type.kind;
  if (type.element_code != 0) info.type = data_type_from_code(type.element_code, what);
  if (type.kind != ValueKind::tensor || !type.shape) return info;
  Dims dims;
  WireReader reader(*type.shape, origin, "TensorShapeProto");
  while (reader.next()) {
    if (reader.field() != 1) continue;
    if (dims.size() == static_cast<size_t>(max_rank)) {
      fail_at(ErrorCode::unsupported, proto.name, "{} has more than {} dims", what, max_rank);
    }
    dims.push_back(read_dim(reader.bytes(), origin, proto, dims.size(), reach));
  }
  info.shape = std::move(dims);
  return info;
}

TypeAttribute read_type_attribute(std::string_view type_proto, FileOrigin origin, std::string_view what) {
  const RawType type = read_type(type_proto, origin, what);
  TypeAttribute attribute;
  attribute.kind = static_cast<uint8_t>(type.kind);
  if (type.element_code != 0) attribute.element = data_type_from_code(type.element_code, what);
  return attribute;
}

}  // namespace overt
