#ifndef OVERT_OPS_SHAPE_H_
#define OVERT_OPS_SHAPE_H_

#include <cstdint>
#include <optional>

#include "graph/node.h"

namespace overt {

/// Shape: the input's dims [start, end) as an int64 list. Negative ends count from the rank; both are clamped.
struct ShapeAttributes {
  int64_t start = 0;
  std::optional<int64_t> end;  ///< the rank where absent (always before opset 15)
};
ShapeAttributes parse_shape(const Node& node);

/// The dims that Shape gives of an input of this rank: [first, second), first <= second.
std::pair<int64_t, int64_t> shape_range(const ShapeAttributes& attributes, int64_t rank);

}  // namespace overt

#endif  // OVERT_OPS_SHAPE_H_
