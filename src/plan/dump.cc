#include "base/escape.h"
#include "fmt/core.h"
#include "plan/plan.h"

namespace overt {
namespace {

std::string place_text(const PlacedGraph& placed, const SegmentPlan& plan, int32_t index) {
  if (index < 0) return "-";
  const ValuePlace& place = plan.places[static_cast<size_t>(index)];
  const std::string name = escape_name(placed.graph.value(place.value).name, 60);
  switch (place.kind) {
    case ValuePlace::Kind::graph_input: return fmt::format("{}@input{}", name, place.index);
    case ValuePlace::Kind::graph_output: return fmt::format("{}@output{}", name, place.index);
    case ValuePlace::Kind::slab: return fmt::format("{}@{}", name, place.offset);
    case ValuePlace::Kind::carried: return fmt::format("{}@carried", name);
  }
  return name;
}

}  // namespace

std::string dump(const PlacedGraph& placed, const SegmentPlan& plan) {
  std::string out = fmt::format("slab {} bytes, workspace {}\n", plan.slab_bytes.empty() ? 0 : plan.slab_bytes[0],
                                plan.workspace_bytes);
  for (const PlanStep& step : plan.steps) {
    switch (step.kind) {
      case PlanStep::Kind::run: out += fmt::format("run program {}:", step.program); break;
      case PlanStep::Kind::copy: out += "copy:"; break;
      case PlanStep::Kind::control: out += "control " + display_name(placed.graph.node(step.node)) + ":"; break;
    }
    for (const int32_t input : step.inputs) out += " " + place_text(placed, plan, input);
    out += " ->";
    for (const int32_t output : step.outputs) out += " " + place_text(placed, plan, output);
    out += "\n";
    if (step.kind == PlanStep::Kind::run) out += plan.programs[static_cast<size_t>(step.program)]->describe();
  }
  return out;
}

}  // namespace overt
