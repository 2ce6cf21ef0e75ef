#include <vector>

#include "passes/passes.h"
#include "passes/rewriter.h"
#include "passes/subgraphs.h"

namespace overt {
namespace {

/// Whether a graph output or a live consumer reads one of the node's outputs.
bool is_read(const Graph& graph, const Node& node, const std::vector<bool>& live) {
  for (const ValueId output : node.outputs) {
    if (output == ValueId::none) continue;
    if (graph.is_output(output)) return true;
    for (const NodeId consumer : graph.value(output).consumers) {
      if (live[index_of(consumer)]) return true;
    }
  }
  return false;
}

/// Lets go of the memory of constants that were folded into others or belonged to nodes that are gone.
void release_unread_constants(Graph& graph) {
  for (size_t i = 0; i < graph.value_count(); ++i) {
    const auto id = static_cast<ValueId>(i);
    const Value& value = graph.value(id);
    if (value.is_constant() && value.consumers.empty() && value.output_uses == 0) graph.set_constant(id, Tensor());
  }
}

}  // namespace

bool remove_dead_nodes(PassContext& context) {
  Rewriter rewriter(context.graph);
  const Graph& graph = rewriter.graph();
  std::vector<bool> live(graph.node_slots(), false);
  const std::span<const NodeId> order = rewriter.order();
  for (size_t i = order.size(); i-- > 0;) live[index_of(order[i])] = is_read(graph, graph.node(order[i]), live);
  for (const NodeId id : order) {
    if (!live[index_of(id)]) {
      context.notes.add("{} is gone: nobody reads its results", display_name(graph.node(id)));
      rewriter.remove(id, "its results are not read");
    } else if (has_subgraphs(graph.node(id)) && tidy_captures(context.graph, id)) {
      context.notes.add("{} captures only what its bodies read", display_name(graph.node(id)));
      rewriter.edit();
    }
  }
  const bool changed = rewriter.finish();
  release_unread_constants(context.graph);
  return changed;
}

}  // namespace overt
