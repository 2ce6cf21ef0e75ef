#include <algorithm>
#include <queue>

#include "base/error.h"
#include "graph/graph.h"

namespace overt {
namespace {

/// Names of the nodes on one cycle among those that could not be ordered.
std::string describe_cycle(const Graph& graph, const std::vector<int32_t>& waiting) {
  NodeId at = NodeId::none;
  for (size_t i = 0; i < waiting.size(); ++i) {
    if (waiting[i] > 0) at = static_cast<NodeId>(i);
  }
  std::vector<bool> seen(waiting.size(), false);
  std::vector<NodeId> path;
  while (!seen[index_of(at)]) {  // each unordered node waits for another unordered one, so this walk must close
    seen[index_of(at)] = true;
    path.push_back(at);
    for (const ValueId input : graph.node(at).inputs) {
      if (input == ValueId::none) continue;
      const NodeId producer = graph.value(input).producer;
      if (producer != NodeId::none && waiting[index_of(producer)] > 0) {
        at = producer;
        break;
      }
    }
  }
  std::string text = display_name(graph.node(at));
  constexpr size_t kMostNames = 8;
  const auto start = std::ranges::find(path, at);
  size_t named = 0;
  for (auto it = path.end(); it != start + 1 && named < kMostNames; ++named) {
    --it;
    text += " -> " + display_name(graph.node(*it));
  }
  if (static_cast<size_t>(path.end() - start) > kMostNames) text += " -> ...";
  return text + " -> " + display_name(graph.node(at));
}

}  // namespace

void Graph::sort() {
  std::vector<int32_t> waiting(nodes_.size(), 0);  // inputs whose producer is not ordered yet
  std::vector<int64_t> position(nodes_.size(), 0);
  for (size_t i = 0; i < order_.size(); ++i) position[index_of(order_[i])] = static_cast<int64_t>(i);

  using Ready = std::pair<int64_t, NodeId>;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  for (const NodeId id : order_) {
    for (const ValueId input : node(id).inputs) {
      if (input != ValueId::none && value(input).producer != NodeId::none) ++waiting[index_of(id)];
    }
    if (waiting[index_of(id)] == 0) ready.emplace(position[index_of(id)], id);
  }

  std::vector<NodeId> sorted;
  sorted.reserve(order_.size());
  while (!ready.empty()) {
    const NodeId id = ready.top().second;
    ready.pop();
    sorted.push_back(id);
    for (const ValueId output : node(id).outputs) {
      if (output == ValueId::none) continue;
      for (const NodeId consumer : value(output).consumers) {
        if (--waiting[index_of(consumer)] == 0) ready.emplace(position[index_of(consumer)], consumer);
      }
    }
  }
  if (sorted.size() != order_.size()) {
    fail(ErrorCode::invalid_model, "the graph has a cycle: {}; a node may read only what comes before it",
         describe_cycle(*this, waiting));
  }
  order_ = std::move(sorted);
}

}  // namespace overt
