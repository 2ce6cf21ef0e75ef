#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "passes/match.h"
#include "passes/numbers.h"
#include "passes/passes.h"
#include "passes/rewriter.h"

namespace overt {
namespace {

/// Constant padding of the spatial axes (all but the first two).
struct SpatialPad {
  std::vector<int64_t> begin;
  std::vector<int64_t> end;
  double value = 0.0;
};

std::optional<std::vector<int64_t>> pad_lengths(const Graph& graph, const Node& pad) {
  if (pad.op.since_version < 11) {
    const auto pads = pad.integers(pad.op.since_version == 1 ? "paddings" : "pads");
    return std::vector<int64_t>(pads.begin(), pads.end());
  }
  if (!pad.has_input(1) || pad.has_input(3)) return std::nullopt;  // input 3: padding of chosen axes
  const Tensor& constant = graph.value(pad.inputs[1]).constant;
  if (constant.type() != DataType::int64) return std::nullopt;
  const auto values = constant.values<int64_t>();
  return std::vector<int64_t>(values.begin(), values.end());
}

std::optional<double> pad_value(const Graph& graph, const Node& pad) {
  if (pad.op.since_version < 11) return pad.real("value", 0.0f);
  return pad.has_input(2) ? scalar_value(graph, pad.inputs[2]) : 0.0;
}

std::optional<SpatialPad> read_pad(const Graph& graph, const Node& pad) {
  if (pad.string("mode", "constant") != "constant") return std::nullopt;
  const auto lengths = pad_lengths(graph, pad);
  const auto value = pad_value(graph, pad);
  if (!lengths || !value || lengths->size() < 6 || lengths->size() % 2 != 0) return std::nullopt;
  constexpr int64_t kMost = 1 << 20;
  if (std::ranges::any_of(*lengths, [](int64_t length) { return length < 0 || length > kMost; })) return std::nullopt;
  const size_t rank = lengths->size() / 2;
  if ((*lengths)[0] != 0 || (*lengths)[1] != 0 || (*lengths)[rank] != 0 || (*lengths)[rank + 1] != 0) {
    return std::nullopt;
  }
  const auto at = lengths->begin();
  const auto n = static_cast<ptrdiff_t>(rank);
  return SpatialPad{{at + 2, at + n}, {at + n + 2, at + 2 * n}, *value};
}

bool is_explicit(const Node& node) {
  return node.string("auto_pad", "NOTSET") == "NOTSET";
}

/// Whether the pads that the node has itself are of the kind that the new ones will be.
bool accepts(const Node& node, const SpatialPad& pad, DataType type) {
  if (!is_explicit(node)) return false;
  if (node.op.is("Conv")) return pad.value == 0.0;
  if (node.integer("ceil_mode", 0) != 0 || node.integers("kernel_shape").size() != pad.begin.size()) return false;
  const std::span<const int64_t> kernel = node.integers("kernel_shape");
  for (size_t i = 0; i < kernel.size(); ++i) {
    if (pad.begin[i] >= kernel[i] || pad.end[i] >= kernel[i]) return false;
  }
  if (node.op.is("AveragePool")) {
    const auto pads = node.integers("pads");
    const bool no_pads = std::ranges::all_of(pads, [](int64_t length) { return length == 0; });
    const bool counts = node.integer("count_include_pad", 0) != 0;
    return pad.value == 0.0 && node.op.since_version >= 7 && (no_pads || counts);
  }
  // MaxPool pads with what no element is below.
  return node.op.is("MaxPool") && node.outputs.size() == 1 && is_arithmetic_float(type) &&
         pad.value == -std::numeric_limits<double>::infinity();
}

void set_attribute(Node& node, Attribute attribute) {
  std::erase_if(node.attributes, [&](const Attribute& old) { return old.name == attribute.name; });
  node.attributes.push_back(std::move(attribute));
}

}  // namespace

bool fold_pads(PassContext& context) {
  Rewriter rewriter(context.graph);
  const Graph& graph = rewriter.graph();
  for (const NodeId id : rewriter.order()) {
    const Node& node = graph.node(id);
    if (!node.op.is("Conv") && !node.op.is("AveragePool") && !node.op.is("MaxPool")) continue;
    const Node* before = node.has_input(0) ? made_by(graph, node.inputs[0], "Pad") : nullptr;
    if (before == nullptr || graph.only_consumer(node.inputs[0]) == nullptr) continue;
    const auto pad = read_pad(graph, *before);
    if (!pad || !accepts(node, *pad, type_of(graph, node.inputs[0]))) continue;
    const size_t spatial = pad->begin.size();
    std::vector<int64_t> pads(node.integers("pads").begin(), node.integers("pads").end());
    if (pads.empty()) pads.assign(2 * spatial, 0);
    if (pads.size() != 2 * spatial) continue;
    for (size_t i = 0; i < spatial; ++i) {
      pads[i] += pad->begin[i];
      pads[spatial + i] += pad->end[i];
    }
    context.notes.add("{} pads for itself what {} padded for it", display_name(node), display_name(*before));
    Node& changed = rewriter.edit().edit_node(id);
    set_attribute(changed, Attribute::of("pads", std::move(pads)));
    if (node.op.is("AveragePool")) set_attribute(changed, Attribute::of("count_include_pad", int64_t{1}));
    merge_sources(changed.sources, before->sources);
    rewriter.edit().set_node_input(id, 0, before->inputs[0]);
    rewriter.remove_merged(before->id);
  }
  return rewriter.finish();
}

}  // namespace overt
