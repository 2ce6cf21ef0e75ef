#include "providers/cpu/concat_plan.h"

#include <algorithm>
#include <optional>

namespace overt::cpu {
namespace {

int64_t concat_axis(const Node& concat, int64_t rank) {
  const int64_t axis = concat.integer("axis", 1);
  return axis < 0 ? axis + rank : axis;
}

}  // namespace

std::optional<Layout> adjacent_layout(const PartitionView& partition, const Node& concat, int64_t block) {
  const Shape& shape = partition.values.shapes[index_of(concat.outputs[0])];
  const int64_t axis = concat_axis(concat, shape.rank());
  if (shape.elements(0, axis) != 1) return std::nullopt;
  const bool is_float = partition.values.types[index_of(concat.outputs[0])] == DataType::float32;
  const bool whole_groups = std::ranges::all_of(concat.inputs, [&](ValueId input) {
    return axis == 1 && partition.values.shapes[index_of(input)][1] % block == 0;
  });
  if (is_float && block > 1 && shape.rank() >= 3 && axis == 1 && whole_groups) return blocked(shape, block);
  return plain(shape);
}

std::vector<ConcatTarget> plan_concats(const PartitionView& partition, int64_t block) {
  std::vector<ConcatTarget> targets(partition.graph.value_count());
  std::vector<bool> made_here(partition.graph.value_count(), false);
  for (const NodeId id : partition.nodes) {
    for (const ValueId output : partition.graph.node(id).outputs) {
      if (output != ValueId::none) made_here[index_of(output)] = true;
    }
  }
  for (const ValueId output : partition.outputs) made_here[index_of(output)] = false;  // these have a place already

  for (const NodeId id : partition.nodes) {
    const Node& node = partition.graph.node(id);
    if (!node.op.is("Concat")) continue;
    const auto layout = adjacent_layout(partition, node, block);
    if (!layout || tensor_bytes(partition.values.types[index_of(node.outputs[0])], layout->shape) == 0) continue;
    int64_t offset = 0;
    for (const ValueId input : node.inputs) {
      const Shape& shape = partition.values.shapes[index_of(input)];
      ConcatTarget& target = targets[index_of(input)];
      const bool once = std::ranges::count(node.inputs, input) == 1;
      if (made_here[index_of(input)] && once && target.whole == ValueId::none) {
        target = {node.outputs[0], offset, Layout{shape, layout->block}};
      }
      offset += tensor_bytes(partition.values.types[index_of(input)], shape);
    }
  }
  return targets;
}

}  // namespace overt::cpu
