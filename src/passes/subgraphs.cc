#include "passes/subgraphs.h"

#include <algorithm>
#include <optional>

#include "ops/infer_context.h"
#include "overt/error.h"

namespace overt {
namespace {

/// Makes the captured value a constant of the body where the outer one is; true where the capture can go.
bool settle_capture(const Value& outer, Graph& body, ValueId inner) {
  if (outer.is_constant()) body.set_constant(inner, outer.constant);
  const Value& value = body.value(inner);
  return outer.is_constant() || (value.consumers.empty() && value.output_uses == 0);
}

void infer_body(Graph& body) {
  try {
    infer_graph(body, nullptr);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::internal || error.code() == ErrorCode::out_of_memory) throw;
  }
}

}  // namespace

bool has_subgraphs(const Node& node) {
  return std::ranges::any_of(node.attributes, [](const Attribute& attribute) {
    return std::holds_alternative<std::unique_ptr<Graph>>(attribute.payload) ||
           std::holds_alternative<std::vector<std::unique_ptr<Graph>>>(attribute.payload);
  });
}

std::vector<Graph*> subgraphs_of(Node& node) {
  std::vector<Graph*> bodies;
  for (Attribute& attribute : node.attributes) {
    if (auto* one = std::get_if<std::unique_ptr<Graph>>(&attribute.payload)) bodies.push_back(one->get());
    if (auto* many = std::get_if<std::vector<std::unique_ptr<Graph>>>(&attribute.payload)) {
      for (const auto& body : *many) bodies.push_back(body.get());
    }
  }
  return bodies;
}

int64_t count_nodes(Graph& graph) {
  int64_t count = 0;
  for_each_graph(graph, [&](const Graph& visited, bool) { count += static_cast<int64_t>(visited.order().size()); });
  return count;
}

void infer_subgraphs(Graph& main) {
  for_each_graph(main, [](Graph& graph, bool) {
    for (const NodeId id : graph.order()) {
      if (!has_subgraphs(graph.node(id))) continue;
      Node& owner = graph.edit_node(id);
      for (Graph* body : subgraphs_of(owner)) {
        for (const Capture& capture : body->captures) {
          body->info(capture.inner) = graph.value(owner.inputs[static_cast<size_t>(capture.node_input)]).info;
        }
        if (owner.op.is("If")) infer_body(*body);
      }
    }
  });
}

bool tidy_captures(Graph& graph, NodeId owner) {
  Node& node = graph.edit_node(owner);
  std::vector<bool> needed(node.inputs.size(), false);
  std::fill_n(needed.begin(), static_cast<size_t>(node.explicit_inputs), true);
  bool changed = false;
  const std::vector<Graph*> bodies = subgraphs_of(node);
  for (Graph* body : bodies) {
    std::vector<ValueId> dropped;
    std::erase_if(body->captures, [&](const Capture& capture) {
      const auto input = static_cast<size_t>(capture.node_input);
      if (settle_capture(graph.value(node.inputs[input]), *body, capture.inner)) {
        dropped.push_back(capture.inner);
        return true;
      }
      needed[input] = true;
      return false;
    });
    if (dropped.empty()) continue;
    std::ranges::sort(dropped);
    std::vector<ValueId> inputs(body->inputs().begin(), body->inputs().end());
    std::erase_if(inputs, [&](ValueId input) { return std::ranges::binary_search(dropped, input); });
    body->set_inputs(std::move(inputs));
    changed = true;
  }
  if (std::ranges::find(needed, false) == needed.end()) return changed;

  std::vector<ValueId> inputs;
  std::vector<int32_t> moved_to(needed.size(), -1);
  for (size_t i = 0; i < needed.size(); ++i) {
    if (!needed[i]) continue;
    moved_to[i] = static_cast<int32_t>(inputs.size());
    inputs.push_back(node.inputs[i]);
  }
  for (Graph* body : bodies) {
    for (Capture& capture : body->captures) capture.node_input = moved_to[static_cast<size_t>(capture.node_input)];
  }
  graph.set_node_inputs(owner, std::move(inputs), node.explicit_inputs);
  return true;
}

}  // namespace overt
