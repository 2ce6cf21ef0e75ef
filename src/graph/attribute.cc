#include "graph/attribute.h"

#include <array>

#include "graph/graph.h"

namespace overt {
namespace {

Attribute::Payload clone_payload(const Attribute::Payload& payload) {
  return std::visit(
      [](const auto& held) -> Attribute::Payload {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, std::unique_ptr<Graph>>) {
          return held ? std::make_unique<Graph>(held->clone()) : nullptr;
        } else if constexpr (std::is_same_v<T, std::vector<std::unique_ptr<Graph>>>) {
          T graphs;
          for (const auto& graph : held) graphs.push_back(std::make_unique<Graph>(graph->clone()));
          return graphs;
        } else {
          return held;
        }
      },
      payload);
}

}  // namespace

std::string_view attribute_type_name(AttributeType type) {
  static constexpr std::array<std::string_view, 15> kNames = {
      "undefined", "float",   "int",    "string",        "tensor",         "graph",      "floats",     "ints",
      "strings",   "tensors", "graphs", "sparse_tensor", "sparse_tensors", "type_proto", "type_protos"};
  const auto index = static_cast<size_t>(type);
  return index < kNames.size() ? kNames[index] : kNames[0];
}

Attribute::Attribute() = default;
Attribute::Attribute(std::string attribute_name, AttributeType attribute_type, Payload held)
    : name(std::move(attribute_name)), type(attribute_type), payload(std::move(held)) {}
Attribute::Attribute(Attribute&&) noexcept = default;
Attribute& Attribute::operator=(Attribute&&) noexcept = default;
Attribute::~Attribute() = default;

Attribute Attribute::clone() const {
  return {name, type, clone_payload(payload)};
}

Attribute Attribute::of(std::string name, float value) {
  return {std::move(name), AttributeType::real, value};
}
Attribute Attribute::of(std::string name, int64_t value) {
  return {std::move(name), AttributeType::integer, value};
}
Attribute Attribute::of(std::string name, std::string value) {
  return {std::move(name), AttributeType::string, std::move(value)};
}
Attribute Attribute::of(std::string name, Tensor value) {
  return {std::move(name), AttributeType::tensor, std::move(value)};
}
Attribute Attribute::of(std::string name, std::vector<float> value) {
  return {std::move(name), AttributeType::reals, std::move(value)};
}
Attribute Attribute::of(std::string name, std::vector<int64_t> value) {
  return {std::move(name), AttributeType::integers, std::move(value)};
}
Attribute Attribute::of(std::string name, std::vector<std::string> value) {
  return {std::move(name), AttributeType::strings, std::move(value)};
}
Attribute Attribute::of(std::string name, std::unique_ptr<Graph> value) {
  return {std::move(name), AttributeType::graph, std::move(value)};
}

}  // namespace overt
