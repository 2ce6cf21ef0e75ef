#include "onnx/attribute_reader.h"

#include <array>

#include "base/error.h"
#include "base/escape.h"
#include "onnx/type_proto.h"

namespace overt {
namespace {

/// Field of AttributeProto that holds each type's value, by type code.
constexpr std::array<uint32_t, 15> kFieldOfType = {0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 22, 23, 14, 15};

AttributeType type_of_field(uint32_t field) {
  for (size_t type = 1; type < kFieldOfType.size(); ++type) {
    if (kFieldOfType[type] == field) return static_cast<AttributeType>(type);
  }
  return AttributeType::undefined;
}

bool may_lack_value(AttributeType type) {
  switch (type) {
    case AttributeType::tensor:
    case AttributeType::graph:
    case AttributeType::sparse_tensor:
    case AttributeType::type_proto: return false;
    default: return true;  // lists may be empty, and a serialiser may leave out a number that is 0
  }
}

/// What a type's value is when nothing of it is in the file.
Attribute::Payload empty_payload(AttributeType type) {
  switch (type) {
    case AttributeType::real: return 0.0f;
    case AttributeType::integer: return int64_t{0};
    case AttributeType::string: return std::string();
    case AttributeType::reals: return std::vector<float>();
    case AttributeType::integers: return std::vector<int64_t>();
    case AttributeType::strings: return std::vector<std::string>();
    case AttributeType::tensors:
    case AttributeType::sparse_tensors: return std::vector<Tensor>();
    default: return std::monostate();
  }
}

/// Adds the current field's value to the payload.
void read_value(const WireReader& reader, Attribute& attribute, TensorReader& tensors, TensorUse use,
                FileOrigin origin, const ProtoNode& owner) {
  Attribute::Payload& payload = attribute.payload;
  const auto tensor = [&] {
    return (use == TensorUse::shared ? tensors.read_shared(reader.bytes()) : tensors.read(reader.bytes())).tensor;
  };
  const auto sparse = [&] {
    return (use == TensorUse::shared ? tensors.read_sparse_shared(reader.bytes())
                                     : tensors.read_sparse(reader.bytes()))
        .tensor;
  };
  const auto what = [&] {
    return fmt::format("{}: attribute '{}'", describe(owner, origin), escape_name(attribute.name));
  };
  switch (attribute.type) {
    case AttributeType::real: payload = reader.real(); break;
    case AttributeType::integer: payload = reader.integer(); break;
    case AttributeType::string: payload = std::string(reader.bytes()); break;
    case AttributeType::tensor: payload = tensor(); break;
    case AttributeType::sparse_tensor: payload = sparse(); break;
    case AttributeType::reals: reader.append_reals(std::get<std::vector<float>>(payload)); break;
    case AttributeType::integers: reader.append_integers(std::get<std::vector<int64_t>>(payload)); break;
    case AttributeType::strings: std::get<std::vector<std::string>>(payload).emplace_back(reader.bytes()); break;
    case AttributeType::tensors: std::get<std::vector<Tensor>>(payload).push_back(tensor()); break;
    case AttributeType::sparse_tensors: std::get<std::vector<Tensor>>(payload).push_back(sparse()); break;
    case AttributeType::type_proto: payload = read_type_attribute(reader.bytes(), origin, what()); break;
    case AttributeType::type_protos: fail(ErrorCode::unsupported, "{} is a list of types, which is not read", what());
    default: break;
  }
}

}  // namespace

AttributeType attribute_type(const ProtoAttribute& attribute, FileOrigin origin, const ProtoNode& owner) {
  const auto fail_type = [&](std::string_view problem) {
    fail_at(ErrorCode::invalid_model, owner.name, "{}: attribute '{}' at byte {} {}", describe(owner, origin),
            escape_name(attribute.name), origin.offset_of(attribute.bytes), problem);
  };
  if (attribute.type < 0 || attribute.type >= static_cast<int64_t>(kFieldOfType.size())) {
    fail_type(fmt::format("has type {}, expected a code from 1 to {}", attribute.type, kFieldOfType.size() - 1));
  }
  const AttributeType held = type_of_field(attribute.kind_field);
  const auto said = static_cast<AttributeType>(attribute.type);
  const AttributeType type = said == AttributeType::undefined ? held : said;
  if (type == AttributeType::undefined) fail_type("has neither a type nor a value");
  if (held != AttributeType::undefined && held != type) {
    fail_type(fmt::format("is declared as {} and holds {}", attribute_type_name(type), attribute_type_name(held)));
  }
  if (held == AttributeType::undefined && !may_lack_value(type)) {
    fail_type(fmt::format("is declared as {} and holds nothing", attribute_type_name(type)));
  }
  return type;
}

Attribute read_attribute(const ProtoAttribute& proto, FileOrigin origin, const ProtoNode& owner,
                         TensorReader& tensors, TensorUse use) {
  const AttributeType type = attribute_type(proto, origin, owner);
  Attribute attribute(std::string(proto.name), type, empty_payload(type));
  WireReader reader(proto.bytes, origin, "AttributeProto");
  while (reader.next()) {
    if (reader.field() == proto.kind_field) read_value(reader, attribute, tensors, use, origin, owner);
  }
  return attribute;
}

}  // namespace overt
