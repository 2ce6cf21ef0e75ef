#include "ops/axis.h"

namespace overt {
namespace {

int64_t product_of(std::span<const int64_t> dims) {
  int64_t product = 1;
  for (const int64_t dim : dims) product *= dim;
  return product;
}

}  // namespace

AxisSplit split_at(std::span<const int64_t> dims, int64_t axis) {
  const auto position = static_cast<size_t>(axis);
  return {product_of(dims.first(position)), dims[position], product_of(dims.subspan(position + 1))};
}

AxisSplit split_from(std::span<const int64_t> dims, int64_t axis) {
  const auto position = static_cast<size_t>(axis);
  return {product_of(dims.first(position)), product_of(dims.subspan(position)), 1};
}

}  // namespace overt
