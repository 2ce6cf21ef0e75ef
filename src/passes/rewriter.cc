#include "passes/rewriter.h"

#include <algorithm>

namespace overt {

Rewriter::Rewriter(Graph& graph)
    : graph_(graph), order_(graph.order().begin(), graph.order().end()), gone_(graph.node_slots(), false) {}

void Rewriter::remove(NodeId id, std::string_view reason) {
  for (const int32_t source : graph_.node(id).sources) graph_.removed.push_back({source, std::string(reason)});
  remove_merged(id);
}

void Rewriter::remove_merged(NodeId id) {
  graph_.disconnect_node(id);
  if (gone_.size() < graph_.node_slots()) gone_.resize(graph_.node_slots(), false);
  gone_[index_of(id)] = true;
  removed_.push_back(id);
  changed_ = true;
}

void Rewriter::replace(NodeId at, Node node) {
  graph_.replace_node(at, std::move(node));
  changed_ = true;
}

NodeId Rewriter::insert_before(NodeId at, Node node) {
  const NodeId id = graph_.add_node(std::move(node));
  inserted_.emplace_back(at, id);
  changed_ = true;
  return id;
}

bool Rewriter::finish() {
  if (!inserted_.empty()) {
    std::ranges::stable_sort(inserted_, {}, [](const auto& entry) { return entry.first; });
    std::vector<NodeId> order;
    order.reserve(graph_.order().size());
    for (const NodeId id : order_) {
      const auto [first, last] =
          std::ranges::equal_range(inserted_, id, {}, [](const auto& entry) { return entry.first; });
      for (auto it = first; it != last; ++it) order.push_back(it->second);
      order.push_back(id);
    }
    graph_.reorder(std::move(order));
    inserted_.clear();
  }
  if (!removed_.empty()) graph_.remove_nodes(removed_);
  removed_.clear();
  return changed_;
}

void merge_sources(std::vector<int32_t>& sources, std::span<const int32_t> more) {
  sources.insert(sources.end(), more.begin(), more.end());
  std::ranges::sort(sources);
  const auto repeated = std::ranges::unique(sources);
  sources.erase(repeated.begin(), repeated.end());
}

}  // namespace overt
