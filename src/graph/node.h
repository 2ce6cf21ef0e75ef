#ifndef OVERT_GRAPH_NODE_H_
#define OVERT_GRAPH_NODE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/attribute.h"
#include "graph/epilogue.h"
#include "graph/value.h"

namespace overt {

/// An operator as the standard names it. The empty domain is ai.onnx; kPrivateDomain holds fused operators.
struct OpName {
  std::string domain;
  std::string type;
  int since_version = 0;  ///< version of the operator's schema that the model's opset selects

  bool is(std::string_view wanted_type, std::string_view wanted_domain = "") const {
    return type == wanted_type && domain == wanted_domain;
  }
  std::string to_string() const;  ///< "Conv-11", "overt.Conv"
  friend bool operator==(const OpName&, const OpName&) = default;
};

inline constexpr std::string_view kPrivateDomain = "overt";

/// One operation. Changed only through Graph, which keeps producers and consumers in step.
struct Node {
  NodeId id = NodeId::none;
  OpName op;
  std::string name;              ///< as in the file, may be empty; see `display_name`
  std::vector<ValueId> inputs;   ///< explicit inputs, then the outer values that subgraphs capture
  int32_t explicit_inputs = 0;   ///< how many of `inputs` the operator itself takes
  std::vector<ValueId> outputs;  ///< `none` where an optional output is not wanted
  std::vector<Attribute> attributes;

  /// What a fused node does to its result before it is stored; empty for operators of the standard.
  Epilogue epilogue;
  /// A fused node's meaning: a graph of the nodes it stands for, whose inputs and outputs are this node's, in
  /// order. A provider that refuses the fused node is offered these. Null for operators of the standard.
  std::unique_ptr<Graph> parts;
  /// Nodes of the file that this node stands for (index into Model::source_nodes).
  std::vector<int32_t> sources;

  Node();
  Node(Node&&) noexcept;
  Node& operator=(Node&&) noexcept;
  ~Node();
  Node clone() const;  ///< deep; keeps the id

  bool has_input(size_t i) const { return i < inputs.size() && inputs[i] != ValueId::none; }
  bool has_output(size_t i) const { return i < outputs.size() && outputs[i] != ValueId::none; }

  /// The attribute, or null where the node does not carry it.
  const Attribute* find_attribute(std::string_view name) const;
  bool has_attribute(std::string_view name) const { return find_attribute(name) != nullptr; }

  // Typed access with the standard's default. Throws Error(invalid_model) naming the node where the attribute
  // is there with another type.
  int64_t integer(std::string_view name, int64_t fallback) const;
  float real(std::string_view name, float fallback) const;
  std::string_view string(std::string_view name, std::string_view fallback) const;
  std::span<const int64_t> integers(std::string_view name) const;     ///< empty where absent
  std::span<const float> reals(std::string_view name) const;          ///< empty where absent
  std::span<const std::string> strings(std::string_view name) const;  ///< empty where absent
  const Tensor* tensor(std::string_view name) const;                  ///< null where absent
  const Graph* subgraph(std::string_view name) const;                 ///< null where absent
};

/// The name for people: "Conv 'backbone/stem'", or "Conv #17" where the file gives no name. Escaped, at most
/// 200 characters.
std::string display_name(const Node& node);

}  // namespace overt

#endif  // OVERT_GRAPH_NODE_H_
