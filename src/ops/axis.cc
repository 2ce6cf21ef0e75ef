#include "ops/axis.h"

#include "base/error.h"

namespace overt {
namespace {

int64_t product_of(std::span<const int64_t> dims) {
  int64_t product = 1;
  for (const int64_t dim : dims) product *= dim;
  return product;
}

}  // namespace

int64_t checked_axis(const Node& node, int64_t axis, int64_t rank, std::string_view name) {
  if (axis < -rank || axis >= rank) {
    if (rank == 0)
      fail_at(ErrorCode::invalid_model, node.name, "{}: a scalar has no {} {}", display_name(node), name, axis);
    fail_at(ErrorCode::invalid_model, node.name, "{}: {} {} is out of range for rank {}, expected {} to {}",
            display_name(node), name, axis, rank, -rank, rank - 1);
  }
  return axis < 0 ? axis + rank : axis;
}

AxisSplit split_at(std::span<const int64_t> dims, int64_t axis) {
  const auto position = static_cast<size_t>(axis);
  return {product_of(dims.first(position)), dims[position], product_of(dims.subspan(position + 1))};
}

AxisSplit split_from(std::span<const int64_t> dims, int64_t axis) {
  const auto position = static_cast<size_t>(axis);
  return {product_of(dims.first(position)), product_of(dims.subspan(position)), 1};
}

}  // namespace overt
