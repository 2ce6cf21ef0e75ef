#include "passes/inline_branch.h"

#include <memory>
#include <vector>

#include "passes/subgraphs.h"

namespace overt {

void inline_branch(Rewriter& rewriter, NodeId owner, std::string_view branch) {
  Graph& graph = rewriter.edit();
  Node& node = graph.edit_node(owner);
  std::unique_ptr<Graph> body;
  for (Attribute& attribute : node.attributes) {
    auto* held = std::get_if<std::unique_ptr<Graph>>(&attribute.payload);
    if (held != nullptr && attribute.name == branch) {
      body = std::move(*held);
    } else if (held != nullptr) {
      for_each_graph(**held, [&](const Graph& unused, bool) {
        for (const NodeId id : unused.order()) {
          for (const int32_t source : unused.node(id).sources) {
            graph.removed.push_back({source, "in a branch that is never taken"});
          }
        }
      });
    }
  }
  const std::vector<ValueId> inputs = node.inputs;
  const std::vector<ValueId> outputs = node.outputs;
  rewriter.remove(owner, "its condition is constant");
  graph.removed.insert(graph.removed.end(), body->removed.begin(), body->removed.end());

  std::vector<ValueId> outer(body->value_count(), ValueId::none);
  for (const Capture& capture : body->captures) {
    outer[index_of(capture.inner)] = inputs[static_cast<size_t>(capture.node_input)];
  }
  const auto to_outer = [&](ValueId inner) {
    if (inner == ValueId::none) return inner;
    ValueId& mapped = outer[index_of(inner)];
    if (mapped != ValueId::none) return mapped;
    const Value& value = body->value(inner);
    mapped = value.is_constant() ? graph.add_constant(value.name, value.constant)
                                 : graph.add_value(value.name, value.info);
    return mapped;
  };
  const std::vector<NodeId> order(body->order().begin(), body->order().end());
  for (const NodeId id : order) {
    Node moved = body->node(id).clone();
    for (ValueId& input : moved.inputs) input = to_outer(input);
    for (ValueId& output : moved.outputs) output = to_outer(output);
    rewriter.insert_before(owner, std::move(moved));
  }
  for (size_t i = 0; i < outputs.size() && i < body->outputs().size(); ++i) {
    if (outputs[i] != ValueId::none) graph.replace_uses(outputs[i], to_outer(body->outputs()[i]));
  }
}

}  // namespace overt
