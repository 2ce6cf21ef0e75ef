#ifndef OVERT_PASSES_REWRITER_H_
#define OVERT_PASSES_REWRITER_H_

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph.h"

namespace overt {

/// The changes of one pass to one graph. Edges change at once; the order of nodes is put right in `finish`, so
/// that any number of changes costs time linear in the graph. Removed nodes stay in the graph's order, without
/// edges, until then: walk over `order()` and pass by what is `gone`.
class Rewriter {
 public:
  explicit Rewriter(Graph& graph);

  const Graph& graph() const { return graph_; }
  /// For edits that leave nodes in place: infos, inputs, attributes, added values and constants.
  Graph& edit() {
    changed_ = true;
    return graph_;
  }
  /// The nodes in order as they were when the rewriter was made.
  std::span<const NodeId> order() const { return order_; }
  bool gone(NodeId id) const { return index_of(id) < gone_.size() && gone_[index_of(id)]; }

  /// Takes a node out and records why in the graph's list of removed nodes.
  void remove(NodeId id, std::string_view reason);
  /// Takes a node out whose sources another node has taken over.
  void remove_merged(NodeId id);
  /// Puts another node in the place of `at`, under its id.
  void replace(NodeId at, Node node);
  /// Adds a node that will stand before `at`, after those added there earlier.
  NodeId insert_before(NodeId at, Node node);

  /// Brings the order up to date. True where anything was changed.
  bool finish();

 private:
  Graph& graph_;
  std::vector<NodeId> order_;
  std::vector<bool> gone_;
  std::vector<NodeId> removed_;
  std::vector<std::pair<NodeId, NodeId>> inserted_;  ///< (place, new node)
  bool changed_ = false;
};

/// Adds `more` to `sources`, each once, in ascending order.
void merge_sources(std::vector<int32_t>& sources, std::span<const int32_t> more);

}  // namespace overt

#endif  // OVERT_PASSES_REWRITER_H_
