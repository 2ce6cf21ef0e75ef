#include <algorithm>
#include <map>

#include "base/escape.h"
#include "fmt/core.h"
#include "overt/report.h"
#include "run/session_state.h"

namespace overt {
namespace {

class PlacementMaker {
 public:
  explicit PlacementMaker(const SessionState& state) : state_(state) {}

  Placement run() {
    placement_.model = state_.options.model_name;
    placement_.precision = std::string(precision_name(state_.options.precision));
    for (const SourceNode& source : state_.model.source_nodes) {
      NodePlacement node;
      node.name = source.name;
      node.op = source.domain.empty() ? source.op_type : source.domain + "." + source.op_type;
      node.provider = "planning";
      placement_.nodes.push_back(std::move(node));
    }
    add_runner(*state_.runner);
    return std::move(placement_);
  }

 private:
  std::string who(const PlacedGraph& placed, int32_t provider) const {
    if (provider == kPlanning) return "planning";
    // The host decides a branch; for people that is the host's provider.
    if (provider == kControl) return placed.provider_names.back();
    return placed.provider_names[static_cast<size_t>(provider)];
  }

  void add_runner(const GraphRunner& runner) {
    const PlacedGraph& placed = runner.placed();
    std::map<NodeId, KernelChoice> kernels;
    for (const auto& plan : runner.latest_plans()) {
      for (const auto& program : plan->programs) {
        for (const KernelChoice& choice : program->choices()) kernels[choice.node] = choice;
      }
    }
    for (const NodeId id : placed.graph.order()) {
      const Node& node = placed.graph.node(id);
      const int32_t provider = placed.provider_of[index_of(id)];
      for (const int32_t source : node.sources) {
        if (static_cast<size_t>(source) >= placement_.nodes.size()) continue;
        NodePlacement& report = placement_.nodes[static_cast<size_t>(source)];
        report.provider = who(placed, provider);
        if (provider == kPlanning) report.note = "worked out from shapes when a plan is made";
        if (provider == kControl) report.kernel = "control flow";
        if (node.sources.size() > 1) report.fused_into = display_name(node);
        report.refusals = placed.refusals[index_of(id)];
        if (const auto kernel = kernels.find(id); kernel != kernels.end()) {
          report.kernel = kernel->second.kernel;
          report.refusals.insert(report.refusals.end(), kernel->second.refusals.begin(),
                                 kernel->second.refusals.end());
        }
      }
      if (const auto* branches = runner.branches(id)) {
        for (const auto& branch : *branches) add_runner(*branch);
      }
    }
    for (const RemovedNode& removed : placed.graph.removed) {
      if (static_cast<size_t>(removed.source) >= placement_.nodes.size()) continue;
      NodePlacement& report = placement_.nodes[static_cast<size_t>(removed.source)];
      if (report.provider == "planning" && report.note.empty()) report.note = removed.reason;
    }
    for (const PlacedCopy& copy : placed.copies) {
      const Value& value = placed.graph.value(copy.value);
      const auto shape = value.info.concrete_shape();
      placement_.copies.push_back(
          {value.name, shape ? tensor_bytes(value.info.type, *shape) : 0, who(placed, copy.from),
           who(placed, copy.to),
           fmt::format("{} runs on {}", display_name(placed.graph.node(copy.reader)), who(placed, copy.to))});
    }
  }

  const SessionState& state_;
  Placement placement_;
};

}  // namespace

Placement make_placement(const SessionState& state) {
  return PlacementMaker(state).run();
}

std::vector<std::pair<std::string, int64_t>> Placement::nodes_by_provider() const {
  std::vector<std::pair<std::string, int64_t>> counts;
  int64_t planning = 0;
  for (const NodePlacement& node : nodes) {
    if (node.provider == "planning") {
      ++planning;
      continue;
    }
    const auto known = std::ranges::find(counts, node.provider, [](const auto& count) { return count.first; });
    if (known == counts.end()) {
      counts.emplace_back(node.provider, 1);
    } else {
      ++known->second;
    }
  }
  if (planning > 0) counts.emplace_back("planning", planning);
  return counts;
}

std::string Placement::summary() const {
  std::string text = fmt::format("{}: {} nodes", escape_name(model), nodes.size());
  for (const auto& [provider, count] : nodes_by_provider()) text += fmt::format(", {} {}", count, provider);
  return text + fmt::format(", {} copies, {}", copies.size(), precision);
}

}  // namespace overt
