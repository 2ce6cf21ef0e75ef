#include "graph/node.h"

#include "base/error.h"
#include "base/escape.h"
#include "graph/graph.h"

namespace overt {
namespace {

/// The attribute's payload as T; null where the node does not carry it. Throws where it holds another type.
template <typename T>
const T* payload(const Node& node, std::string_view name, AttributeType expected) {
  const Attribute* attribute = node.find_attribute(name);
  if (attribute == nullptr) return nullptr;
  if (const T* held = std::get_if<T>(&attribute->payload)) return held;
  fail_at(ErrorCode::invalid_model, node.name, "{}: attribute {} is {}, expected {}", display_name(node), name,
          attribute_type_name(attribute->type), attribute_type_name(expected));
}

}  // namespace

std::string OpName::to_string() const {
  std::string text = domain.empty() ? type : domain + "." + type;
  if (since_version > 0 && domain != kPrivateDomain) text += "-" + std::to_string(since_version);
  return text;
}

Node::Node() = default;
Node::Node(Node&&) noexcept = default;
Node& Node::operator=(Node&&) noexcept = default;
Node::~Node() = default;

Node Node::clone() const {
  Node copy;
  copy.id = id;
  copy.op = op;
  copy.name = name;
  copy.inputs = inputs;
  copy.explicit_inputs = explicit_inputs;
  copy.outputs = outputs;
  copy.attributes.reserve(attributes.size());
  for (const Attribute& attribute : attributes) copy.attributes.push_back(attribute.clone());
  copy.epilogue = epilogue;
  if (parts) copy.parts = std::make_unique<Graph>(parts->clone());
  copy.sources = sources;
  return copy;
}

const Attribute* Node::find_attribute(std::string_view wanted) const {
  for (const Attribute& attribute : attributes) {
    if (attribute.name == wanted) return &attribute;
  }
  return nullptr;
}

int64_t Node::integer(std::string_view wanted, int64_t fallback) const {
  const int64_t* held = payload<int64_t>(*this, wanted, AttributeType::integer);
  return held != nullptr ? *held : fallback;
}

float Node::real(std::string_view wanted, float fallback) const {
  const float* held = payload<float>(*this, wanted, AttributeType::real);
  return held != nullptr ? *held : fallback;
}

std::string_view Node::string(std::string_view wanted, std::string_view fallback) const {
  const std::string* held = payload<std::string>(*this, wanted, AttributeType::string);
  return held != nullptr ? std::string_view(*held) : fallback;
}

std::span<const int64_t> Node::integers(std::string_view wanted) const {
  const auto* held = payload<std::vector<int64_t>>(*this, wanted, AttributeType::integers);
  return held != nullptr ? std::span<const int64_t>(*held) : std::span<const int64_t>();
}

std::span<const float> Node::reals(std::string_view wanted) const {
  const auto* held = payload<std::vector<float>>(*this, wanted, AttributeType::reals);
  return held != nullptr ? std::span<const float>(*held) : std::span<const float>();
}

std::span<const std::string> Node::strings(std::string_view wanted) const {
  const auto* held = payload<std::vector<std::string>>(*this, wanted, AttributeType::strings);
  return held != nullptr ? std::span<const std::string>(*held) : std::span<const std::string>();
}

const Tensor* Node::tensor(std::string_view wanted) const {
  return payload<Tensor>(*this, wanted, AttributeType::tensor);
}

const Graph* Node::subgraph(std::string_view wanted) const {
  const auto* held = payload<std::unique_ptr<Graph>>(*this, wanted, AttributeType::graph);
  return held != nullptr ? held->get() : nullptr;
}

std::string display_name(const Node& node) {
  const std::string op = node.op.domain.empty() ? node.op.type : node.op.domain + "." + node.op.type;
  if (node.name.empty()) return fmt::format("{} #{}", escape_name(op), static_cast<int32_t>(node.id));
  return fmt::format("{} '{}'", escape_name(op), escape_name(node.name));
}

}  // namespace overt
