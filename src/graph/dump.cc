#include <fmt/core.h>

#include "base/escape.h"
#include "graph/graph.h"

namespace overt {
namespace {

std::string value_text(const Graph& graph, ValueId id) {
  if (id == ValueId::none) return "-";
  return "%" + escape_name(graph.value(id).name, 60);
}

std::string tensor_text(const Tensor& tensor) {
  return fmt::format("{} {}", data_type_name(tensor.type()), tensor.shape().to_string());
}

template <typename T>
std::string list_text(const std::vector<T>& values) {
  std::string text = "[";
  constexpr size_t kMost = 16;
  for (size_t i = 0; i < values.size() && i < kMost; ++i) {
    if (i > 0) text += ", ";
    if constexpr (std::is_same_v<T, std::string>) {
      text += "'" + escape_name(values[i], 60) + "'";
    } else {
      text += fmt::format("{}", values[i]);
    }
  }
  return text + (values.size() > kMost ? ", ...]" : "]");
}

std::string payload_text(const Attribute& attribute) {
  return std::visit(
      [](const auto& held) -> std::string {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, float> || std::is_same_v<T, int64_t>) {
          return fmt::format("{}", held);
        } else if constexpr (std::is_same_v<T, std::string>) {
          return "'" + escape_name(held, 60) + "'";
        } else if constexpr (std::is_same_v<T, Tensor>) {
          return tensor_text(held);
        } else if constexpr (std::is_same_v<T, std::vector<float>> || std::is_same_v<T, std::vector<int64_t>> ||
                             std::is_same_v<T, std::vector<std::string>>) {
          return list_text(held);
        } else if constexpr (std::is_same_v<T, std::unique_ptr<Graph>>) {
          return "graph";
        } else {
          return "...";
        }
      },
      attribute.payload);
}

void dump_graph(const Graph& graph, const std::string& indent, std::string& out);

void dump_node(const Graph& graph, const Node& node, const std::string& indent, std::string& out) {
  out += indent;
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (i > 0) out += ", ";
    out += value_text(graph, node.outputs[i]);
    if (node.outputs[i] != ValueId::none) out += ":" + graph.value(node.outputs[i]).info.to_string();
  }
  out += " = " + escape_name(node.op.to_string()) + "(";
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (i > 0) out += ", ";
    out += value_text(graph, node.inputs[i]);
  }
  out += ")";
  if (!node.attributes.empty()) {
    out += " {";
    for (size_t i = 0; i < node.attributes.size(); ++i) {
      if (i > 0) out += ", ";
      out += escape_name(node.attributes[i].name, 60) + "=" + payload_text(node.attributes[i]);
    }
    out += "}";
  }
  if (!node.epilogue.empty()) out += " then " + to_string(node.epilogue);
  if (!node.name.empty()) out += " '" + escape_name(node.name, 60) + "'";
  out += "\n";
  if (node.parts) dump_graph(*node.parts, indent + "  | ", out);
  for (const Attribute& attribute : node.attributes) {
    if (const auto* held = std::get_if<std::unique_ptr<Graph>>(&attribute.payload)) {
      out += indent + "  " + escape_name(attribute.name, 60) + ":\n";
      dump_graph(**held, indent + "    ", out);
    }
  }
}

void dump_graph(const Graph& graph, const std::string& indent, std::string& out) {
  out += indent + "inputs:";
  for (const ValueId id : graph.inputs()) {
    out += " " + value_text(graph, id) + ":" + graph.value(id).info.to_string();
  }
  out += "\n";
  for (const NodeId id : graph.order()) dump_node(graph, graph.node(id), indent, out);
  out += indent + "outputs:";
  for (const ValueId id : graph.outputs()) out += " " + value_text(graph, id);
  out += "\n";
}

}  // namespace

std::string dump(const Graph& graph) {
  std::string out;
  dump_graph(graph, "", out);
  return out;
}

}  // namespace overt
