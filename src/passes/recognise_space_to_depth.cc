#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "ops/fused.h"
#include "passes/fuse.h"
#include "passes/match.h"
#include "passes/passes.h"
#include "passes/rewriter.h"

namespace overt {
namespace {

/// Every `step`th element of an axis from `start` on; step 0: the axis is not sliced.
struct Stride {
  int64_t start = 0;
  int64_t step = 0;
};

/// One input of the concatenation: which pixels of `source` it holds. Axes 2 and 3 are rows and columns.
struct Pixels {
  ValueId source = ValueId::none;
  Stride rows;
  Stride columns;
  std::vector<NodeId> nodes;
};

std::span<const int64_t> constant_int64(const Graph& graph, const Node& node, size_t i) {
  if (!node.has_input(i)) return {};
  const Tensor& constant = graph.value(node.inputs[i]).constant;
  return constant.type() == DataType::int64 ? constant.values<int64_t>() : std::span<const int64_t>();
}

/// Takes the strides of one Slice into `pixels`; false where it is no strided slice of rows or columns to the end.
bool add_slice(const Graph& graph, const Node& slice, Pixels& pixels) {
  const auto& shape = graph.value(slice.inputs[0]).info.shape;
  const auto starts = constant_int64(graph, slice, 1);
  const auto ends = constant_int64(graph, slice, 2);
  const auto axes = constant_int64(graph, slice, 3);
  const auto steps = constant_int64(graph, slice, 4);
  if (!shape || shape->size() != 4 || starts.empty() || ends.size() != starts.size() ||
      axes.size() != starts.size() || steps.size() != starts.size()) {
    return false;
  }
  for (size_t i = 0; i < starts.size(); ++i) {
    const int64_t axis = axes[i] < 0 ? axes[i] + 4 : axes[i];
    if (axis != 2 && axis != 3) return false;
    Stride& stride = axis == 2 ? pixels.rows : pixels.columns;
    const int64_t length =
        (*shape)[static_cast<size_t>(axis)].number_if_known().value_or(std::numeric_limits<int32_t>::max());
    if (stride.step != 0 || steps[i] < 2 || starts[i] < 0 || starts[i] >= steps[i] || ends[i] < length) return false;
    stride = {starts[i], steps[i]};
  }
  return true;
}

Pixels trace(const Graph& graph, ValueId value) {
  Pixels pixels;
  pixels.source = value;
  while (pixels.rows.step == 0 || pixels.columns.step == 0) {
    const Node* slice = made_by(graph, pixels.source, "Slice");
    if (slice == nullptr || !add_slice(graph, *slice, pixels)) break;
    pixels.nodes.push_back(slice->id);
    pixels.source = slice->inputs[0];
  }
  return pixels;
}

struct Found {
  ValueId source = ValueId::none;
  FusedSpaceToDepthAttributes attributes;
  std::vector<NodeId> nodes;
};

std::optional<Found> find_space_to_depth(const Graph& graph, const Node& concat) {
  const int64_t axis = concat.integer("axis", 1);
  constexpr size_t kMostPieces = 64;  // blocks of 8
  if ((axis != 1 && axis != -3) || concat.inputs.size() < 4 || concat.inputs.size() > kMostPieces)
    return std::nullopt;
  Found found;
  found.nodes = {concat.id};
  for (const ValueId input : concat.inputs) {
    const Pixels pixels = trace(graph, input);
    const int64_t block = pixels.rows.step;
    if (block == 0 || pixels.columns.step != block) return std::nullopt;
    if (block * block != static_cast<int64_t>(concat.inputs.size())) return std::nullopt;
    if (found.source != ValueId::none && found.source != pixels.source) return std::nullopt;
    found.source = pixels.source;
    found.attributes.block = block;
    const std::array<int64_t, 2> offset = {pixels.rows.start, pixels.columns.start};
    if (std::ranges::find(found.attributes.offsets, offset) != found.attributes.offsets.end()) return std::nullopt;
    found.attributes.offsets.push_back(offset);
    for (const NodeId id : pixels.nodes) {
      if (std::ranges::find(found.nodes, id) == found.nodes.end()) found.nodes.push_back(id);
    }
  }
  if (!is_closed(graph, found.nodes, concat.id)) return std::nullopt;
  return found;
}

}  // namespace

bool recognise_space_to_depth(PassContext& context) {
  Rewriter rewriter(context.graph);
  for (const NodeId id : rewriter.order()) {
    const Node& concat = rewriter.graph().node(id);
    if (!concat.op.is("Concat") || !concat.has_output(0)) continue;
    auto found = find_space_to_depth(rewriter.graph(), concat);
    if (!found) continue;
    context.notes.add("{} puts together {} slices: space to depth with blocks of {}", display_name(concat),
                      concat.inputs.size(), found->attributes.block);
    Node fused;
    fused.op = {std::string(kPrivateDomain), std::string(kFusedSpaceToDepth), 1};
    fused.name = concat.name;
    fused.inputs = {found->source};
    set_fused_space_to_depth(fused, found->attributes);
    fuse(rewriter, found->nodes, id, std::move(fused));
  }
  return rewriter.finish();
}

}  // namespace overt
