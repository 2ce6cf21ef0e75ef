#include "placement/segments.h"

#include <algorithm>
#include <map>
#include <utility>

#include "ops/op.h"

namespace overt {
namespace {

bool is_small(const ValueInfo& info) {
  return info.kind == ValueKind::tensor && info.rank() && *info.rank() <= 1;
}

class SegmentMaker {
 public:
  SegmentMaker(PlacedGraph& placed, std::span<Provider* const> providers)
      : placed_(placed), graph_(placed.graph), providers_(providers) {
    const size_t values = graph_.value_count();
    shape_level_.assign(values, 0);
    content_level_.assign(values, 0);
    made_in_.assign(values, -1);
    level_.assign(graph_.node_slots(), 0);
    known_shape_in_.assign(values, -1);
    known_content_in_.assign(values, -1);
    listed_in_.assign(values, -1);
    inside_.assign(graph_.node_slots(), -1);
    is_output_.assign(values, false);
    for (const ValueId output : graph_.outputs()) is_output_[index_of(output)] = true;
  }

  void run() {
    for (const NodeId id : graph_.order()) assign_level(graph_.node(id));
    for (const NodeId id : graph_.order()) segment_of(level_[index_of(id)]).order.push_back(id);
    if (placed_.segments.empty()) placed_.segments.emplace_back();
    for (size_t s = 0; s < placed_.segments.size(); ++s) fill(placed_.segments[s], static_cast<int32_t>(s));
    find_carried();
    find_copies();
  }

 private:
  int32_t provider(NodeId id) const { return placed_.provider_of[index_of(id)]; }

  Segment& segment_of(int32_t level) {
    if (static_cast<size_t>(level) >= placed_.segments.size())
      placed_.segments.resize(static_cast<size_t>(level) + 1);
    return placed_.segments[static_cast<size_t>(level)];
  }

  bool is_dynamic(const Node& node) const {
    if (provider(node.id) == kControl) return true;
    if (node.parts) return false;
    const OpEntry* op = find_op(node);
    return op != nullptr && op->output_shapes == OutputShapes::from_data;
  }

  void assign_level(const Node& node) {
    const bool planning = provider(node.id) == kPlanning;
    const InputMask contents = content_inputs(node);
    int32_t level = 0;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (node.inputs[i] == ValueId::none) continue;
      const size_t v = index_of(node.inputs[i]);
      const bool reads_contents = (planning && !reads_shape_only(node)) || (i < 32 && (contents >> i & 1) != 0);
      level = std::max(level, reads_contents ? content_level_[v] : shape_level_[v]);
    }
    level_[index_of(node.id)] = level;
    const bool dynamic = is_dynamic(node);
    for (const ValueId output : node.outputs) {
      if (output == ValueId::none) continue;
      made_in_[index_of(output)] = level;
      shape_level_[index_of(output)] = dynamic ? level + 1 : level;
      content_level_[index_of(output)] = planning ? level : level + 1;
    }
  }

  static bool reads_shape_only(const Node& node) { return node.op.is("Shape") || node.op.is("Size"); }

  void fill(Segment& segment, int32_t level) {
    std::vector<int32_t> depth(graph_.node_slots(), 0);
    std::map<std::pair<int32_t, int32_t>, size_t> partition_at;  // (depth, provider) -> index
    std::vector<std::pair<int32_t, PlacedPartition>> found;
    for (const NodeId id : segment.order) {
      const Node& node = graph_.node(id);
      const int32_t mine = provider(id);
      note_known(segment, node, level);
      if (mine == kPlanning) continue;
      int32_t my_depth = 0;
      for (const ValueId input : node.inputs) {
        const Node* producer = input == ValueId::none ? nullptr : graph_.producer(input);
        if (producer == nullptr || level_[index_of(producer->id)] != level || provider(producer->id) == kPlanning)
          continue;
        const int32_t theirs = depth[index_of(producer->id)];
        my_depth = std::max(my_depth, provider(producer->id) == mine ? theirs : theirs + 1);
      }
      depth[index_of(id)] = my_depth;
      if (is_dynamic(node)) {
        found.emplace_back(my_depth, PlacedPartition{mine, true, {id}, {}, {}});
        continue;
      }
      const auto key = std::pair(my_depth, mine);
      const auto [at, added] = partition_at.try_emplace(key, found.size());
      if (added) found.emplace_back(my_depth, PlacedPartition{mine, false, {}, {}, {}});
      found[at->second].second.nodes.push_back(id);
    }
    // A dynamic node may read what a partition of its own depth makes, so it runs after it.
    std::ranges::stable_sort(found, {}, [](const auto& f) { return std::pair(f.first, f.second.dynamic); });
    for (auto& [unused, partition] : found) {
      find_edges(partition);
      segment.partitions.push_back(std::move(partition));
    }
  }

  /// Values from before this segment: their shapes, and where needed their contents, select the plan.
  void note_known(Segment& segment, const Node& node, int32_t level) {
    const InputMask contents = content_inputs(node);
    const bool planning = provider(node.id) == kPlanning;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const ValueId input = node.inputs[i];
      if (input == ValueId::none || graph_.value(input).is_constant()) continue;
      const Node* producer = graph_.producer(input);
      if (producer != nullptr && level_[index_of(producer->id)] == level) continue;
      const bool planned_before = producer != nullptr && provider(producer->id) == kPlanning;
      const bool reads_contents =
          planned_before || (planning && !reads_shape_only(node)) || (i < 32 && (contents >> i & 1) != 0);
      if (std::exchange(known_shape_in_[index_of(input)], level) != level) segment.known_shapes.push_back(input);
      if (reads_contents && std::exchange(known_content_in_[index_of(input)], level) != level) {
        segment.known_contents.push_back(input);
      }
    }
  }

  void find_edges(PlacedPartition& partition) {
    const int32_t mark = partitions_seen_++;
    for (const NodeId id : partition.nodes) inside_[index_of(id)] = mark;
    for (const NodeId id : partition.nodes) {
      const Node& node = graph_.node(id);
      for (const ValueId input : node.inputs) {
        if (input == ValueId::none || graph_.value(input).is_constant()) continue;
        const NodeId producer = graph_.value(input).producer;
        if (producer != NodeId::none && inside_[index_of(producer)] == mark) continue;
        if (std::exchange(listed_in_[index_of(input)], mark) != mark) partition.inputs.push_back(input);
      }
      for (const ValueId output : node.outputs) {
        if (output == ValueId::none) continue;
        const auto& consumers = graph_.value(output).consumers;
        const bool leaves = std::ranges::any_of(consumers, [&](NodeId c) { return inside_[index_of(c)] != mark; });
        if (leaves || is_output_[index_of(output)]) partition.outputs.push_back(output);
      }
    }
  }

  void find_carried() {
    for (size_t v = 0; v < graph_.value_count(); ++v) {
      const int32_t made = made_in_[v];
      if (made < 0) continue;
      const auto& consumers = graph_.value(static_cast<ValueId>(v)).consumers;
      const NodeId producer = graph_.value(static_cast<ValueId>(v)).producer;
      const bool planned_output = is_output_[v] && provider(producer) == kPlanning;
      if (planned_output || std::ranges::any_of(consumers, [&](NodeId c) { return level_[index_of(c)] > made; })) {
        placed_.segments[static_cast<size_t>(made)].carried_out.push_back(static_cast<ValueId>(v));
      }
    }
  }

  /// The memory that a provider's tensors are in: providers whose memory the host can use share the host's (-1).
  int32_t memory_of(int32_t p) const {
    return p < 0 || providers_[static_cast<size_t>(p)]->memory().host_accessible() ? -1 : p;
  }

  void find_copies() {
    for (const NodeId id : graph_.order()) {
      const int32_t to = provider(id);
      if (to == kPlanning) continue;
      for (const ValueId input : graph_.node(id).inputs) {
        const Node* producer = input == ValueId::none ? nullptr : graph_.producer(input);
        if (producer == nullptr || provider(producer->id) == kPlanning) continue;
        const int32_t from = provider(producer->id);
        if (memory_of(from) == memory_of(to)) continue;
        const bool known = std::ranges::any_of(placed_.copies, [&](const PlacedCopy& copy) {
          return copy.value == input && memory_of(copy.to) == memory_of(to);
        });
        if (!known) placed_.copies.push_back({input, from, to, id});
      }
    }
  }

  PlacedGraph& placed_;
  const Graph& graph_;
  std::span<Provider* const> providers_;
  std::vector<int32_t> shape_level_;    // by value: segment from which on the shape is known
  std::vector<int32_t> content_level_;  // by value: segment from which on the contents are known
  std::vector<int32_t> made_in_;        // by value: segment that makes it, -1 for inputs and constants
  std::vector<int32_t> level_;          // by node
  // Marks of the last segment or partition that listed a value or node, so that each is listed once.
  std::vector<int32_t> known_shape_in_, known_content_in_, listed_in_, inside_;
  std::vector<bool> is_output_;
  int32_t partitions_seen_ = 0;
};

}  // namespace

bool is_planning_node(const Graph& graph, const Node& node, const std::vector<bool>& from_shapes) {
  if (node.parts) return false;
  const OpEntry* op = find_op(node);
  if (op == nullptr || op->purity != Purity::pure || op->output_shapes == OutputShapes::from_data ||
      op->reference == nullptr) {
    return false;
  }
  const bool outputs_small = std::ranges::all_of(
      node.outputs, [&](ValueId output) { return output == ValueId::none || is_small(graph.value(output).info); });
  if (!outputs_small) return false;
  if (node.op.is("Shape") || node.op.is("Size")) return graph.value(node.inputs[0]).info.kind == ValueKind::tensor;
  for (const ValueId input : node.inputs) {
    if (input == ValueId::none) continue;
    const Value& value = graph.value(input);
    if (!value.is_constant() && !from_shapes[index_of(input)]) return false;
    // Gathering one row of a large table by a shape is a device's work, not planning.
    if (value.is_constant() && value.constant.elements() > kMaxKnownElements) return false;
  }
  return true;
}

void make_segments(PlacedGraph& placed, std::span<Provider* const> providers) {
  SegmentMaker(placed, providers).run();
}

}  // namespace overt
