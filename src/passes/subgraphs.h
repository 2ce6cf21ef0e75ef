#ifndef OVERT_PASSES_SUBGRAPHS_H_
#define OVERT_PASSES_SUBGRAPHS_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "graph/graph.h"

namespace overt {

/// The bodies that a node owns (If's branches, Loop's body); those of fused nodes' parts are not among them.
std::vector<Graph*> subgraphs_of(Node& node);
bool has_subgraphs(const Node& node);

/// Calls `visit(graph, is_subgraph)` for the graph, then for the bodies that it holds after the visit, and so on
/// inwards. No recursion.
template <typename Visit>
void for_each_graph(Graph& main, Visit&& visit) {
  std::vector<Graph*> waiting = {&main};
  while (!waiting.empty()) {
    Graph& graph = *waiting.back();
    waiting.pop_back();
    visit(graph, &graph != &main);
    for (const NodeId id : graph.order()) {
      if (!has_subgraphs(graph.node(id))) continue;
      for (Graph* body : subgraphs_of(graph.edit_node(id))) waiting.push_back(body);
    }
  }
}

/// Live nodes of the graph and of the bodies in it.
int64_t count_nodes(Graph& graph);

/// Gives captured values the infos that they have outside, then infers the bodies of If. Bodies of Loop and Scan
/// keep what the file declares, as their inputs' shapes may change from round to round. A body that cannot be
/// inferred keeps what it has: it may never run.
void infer_subgraphs(Graph& main);

/// Makes captured constants constants of the bodies, sharing their memory, and drops captures that a body does
/// not read. True where the node was changed.
bool tidy_captures(Graph& graph, NodeId owner);

}  // namespace overt

#endif  // OVERT_PASSES_SUBGRAPHS_H_
