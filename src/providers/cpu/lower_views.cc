#include "providers/cpu/lowerings.h"

namespace overt::cpu {

Lowered lower_reshape_view(const LowerContext& context) {
  const ValueId x = context.input(0);
  const ValueId y = context.node.outputs[0];
  if (context.type(x) == DataType::string) return Lowered::refused("strings are not memory of fixed size");
  const bool same_shape = context.shape(x) == context.shape(y);
  LoweredNode lowered;
  const Layout source = same_shape ? context.layout(x) : plain(context.shape(x));
  lowered.reads.push_back({x, source});
  lowered.writes.push_back({y, same_shape ? source : plain(context.shape(y))});
  lowered.view_offset_bytes = {0};
  return {std::move(lowered), {}};
}

Lowered lower_split_view(const LowerContext& context) {
  const ValueId x = context.input(0);
  const Shape& shape = context.shape(x);
  if (context.type(x) == DataType::string || data_type_bits(context.type(x)) < 8) {
    return Lowered::refused("elements of no whole bytes");
  }
  int64_t axis = context.node.integer("axis", 0);
  if (axis < 0) axis += shape.rank();
  if (shape.elements(0, axis) != 1) return Lowered::refused("the parts do not lie one after the other");
  const int64_t block = context.layout(x).block;
  bool whole_groups = axis == 1;
  for (const ValueId part : context.node.outputs) {
    if (part == ValueId::none) return Lowered::refused("an output is left out");
    whole_groups = whole_groups && context.shape(part)[axis] % block == 0;
  }
  const Layout source = whole_groups ? Layout{shape, block} : plain(shape);
  LoweredNode lowered;
  lowered.reads.push_back({x, source});
  int64_t offset = 0;
  for (const ValueId part : context.node.outputs) {
    lowered.writes.push_back({part, Layout{context.shape(part), source.block}});
    lowered.view_offset_bytes.push_back(offset);
    offset += tensor_bytes(context.type(part), context.shape(part));
  }
  return {std::move(lowered), {}};
}

}  // namespace overt::cpu
