#include "placement/place.h"

#include <algorithm>

#include "base/error.h"
#include "base/escape.h"
#include "ops/op.h"
#include "passes/fuse.h"
#include "placement/segments.h"

namespace overt {
namespace {

bool has_subgraphs(const Node& node) {
  return std::ranges::any_of(node.attributes, [](const Attribute& attribute) {
    return attribute.type == AttributeType::graph || attribute.type == AttributeType::graphs;
  });
}

class Placer {
 public:
  Placer(Graph graph, std::span<Provider* const> providers, Fallback fallback)
      : providers_(providers), fallback_(fallback) {
    placed_.graph = std::move(graph);
    for (const Provider* provider : providers) placed_.provider_names.emplace_back(provider->name());
  }

  PlacedGraph run() {
    expand_refused();
    const size_t slots = placed_.graph.node_slots();
    placed_.provider_of.assign(slots, kNobody);
    placed_.refusals.resize(slots);
    placed_.branches.resize(slots);
    from_shapes_.assign(placed_.graph.value_count(), false);
    for (const NodeId id : placed_.graph.order()) place_node(placed_.graph.node(id));
    report_orphans();
    make_segments(placed_, providers_);
    return std::move(placed_);
  }

 private:
  /// Replaces each fused node that the first provider refuses by its parts, which may be fused themselves.
  void expand_refused() {
    std::vector<NodeId> refused;
    do {
      refused.clear();
      for (const NodeId id : placed_.graph.order()) {
        const Node& node = placed_.graph.node(id);
        if (node.parts && providers_[0]->supports(placed_.graph, node)) refused.push_back(id);
      }
      expand_all(placed_.graph, refused);
    } while (!refused.empty());
  }

  void place_node(const Node& node) {
    const size_t slot = index_of(node.id);
    if (is_planning_node(placed_.graph, node, from_shapes_)) {
      placed_.provider_of[slot] = kPlanning;
      for (const ValueId output : node.outputs) {
        if (output != ValueId::none) from_shapes_[index_of(output)] = true;
      }
      return;
    }
    if (has_subgraphs(node) && node.op.is("If")) {
      placed_.provider_of[slot] = kControl;
      for (const Attribute& attribute : node.attributes) {
        const auto* branch = std::get_if<std::unique_ptr<Graph>>(&attribute.payload);
        if (branch == nullptr) continue;
        placed_.branches[slot].push_back(
            std::make_unique<PlacedGraph>(place((*branch)->clone(), providers_, fallback_)));
      }
      return;
    }
    for (size_t i = 0; i < providers_.size(); ++i) {
      const auto refusal = providers_[i]->supports(placed_.graph, node);
      if (!refusal) {
        placed_.provider_of[slot] = static_cast<int32_t>(i);
        break;
      }
      placed_.refusals[slot].push_back({std::string(providers_[i]->name()), refusal->reason});
    }
  }

  void report_orphans() const {
    std::string lines;
    int64_t count = 0;
    for (const NodeId id : placed_.graph.order()) {
      const int32_t provider = placed_.provider_of[index_of(id)];
      const bool orphan = provider == kNobody || (fallback_ == Fallback::error && provider > 0);
      if (!orphan) continue;
      ++count;
      lines += "\n  " + display_name(placed_.graph.node(id));
      for (const RefusalReport& refusal : placed_.refusals[index_of(id)]) {
        lines += fmt::format("; {}: {}", refusal.provider, refusal.reason);
      }
    }
    if (count == 0) return;
    if (fallback_ == Fallback::error) {
      fail(ErrorCode::unsupported, "{} node(s) cannot run on {}, and fallback is not allowed:{}", count,
           placed_.provider_names[0], lines);
    }
    fail(ErrorCode::unsupported, "{} node(s) are refused by every provider of the session:{}", count, lines);
  }

  PlacedGraph placed_;
  std::span<Provider* const> providers_;
  Fallback fallback_;
  std::vector<bool> from_shapes_;
};

}  // namespace

PlacedGraph place(Graph graph, std::span<Provider* const> providers, Fallback fallback) {
  if (providers.empty()) fail(ErrorCode::invalid_argument, "the session has no provider; name at least one");
  return Placer(std::move(graph), providers, fallback).run();
}

std::string dump(const PlacedGraph& placed) {
  std::string out;
  const auto who = [&](int32_t provider) -> std::string {
    if (provider == kPlanning) return "planning";
    if (provider == kControl) return "control";
    return placed.provider_names[static_cast<size_t>(provider)];
  };
  for (size_t s = 0; s < placed.segments.size(); ++s) {
    const Segment& segment = placed.segments[s];
    out += fmt::format("segment {}: {} nodes\n", s, segment.order.size());
    for (const NodeId id : segment.order) {
      out += fmt::format("  {:10} {}\n", who(placed.provider_of[index_of(id)]), display_name(placed.graph.node(id)));
    }
    for (const PlacedPartition& partition : segment.partitions) {
      out += fmt::format("  partition on {}: {} nodes, {} inputs, {} outputs{}\n", who(partition.provider),
                         partition.nodes.size(), partition.inputs.size(), partition.outputs.size(),
                         partition.dynamic ? ", shapes from data" : "");
    }
  }
  for (const PlacedCopy& copy : placed.copies) {
    out += fmt::format("copy {} from {} to {}\n", escape_name(placed.graph.value(copy.value).name), who(copy.from),
                       who(copy.to));
  }
  return out;
}

}  // namespace overt
