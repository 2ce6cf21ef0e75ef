#include "ops/checks.h"

namespace overt {

int64_t normalise_axis(const Node& node, int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank) {
    reject_node(node, "axis {} is out of range for an input of rank {}, expected {} to {}", axis, rank, -rank,
                rank - 1);
  }
  return axis < 0 ? axis + rank : axis;
}

Dims to_dims(std::span<const int64_t> numbers) {
  return Dims(numbers.begin(), numbers.end());
}

Shape to_shape(const Node& node, std::span<const Dim> dims) {
  Shape shape;
  for (const Dim& dim : dims) {
    if (!dim.is_number()) reject_node(node, "the output shape {} does not fit 63 bits", to_string(dims));
    shape.push_back(dim.number());
  }
  return shape;
}

void set_output_like(InferContext& context, size_t output, size_t input) {
  ValueInfo info = context.input(input);
  info.elements.reset();
  context.set_output(output, std::move(info));
}

}  // namespace overt
