#ifndef OVERT_OPS_RESHAPE_H_
#define OVERT_OPS_RESHAPE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/node.h"

namespace overt {

// Operators that give an input's elements in their order under another shape: Reshape, Flatten, Squeeze, Unsqueeze
// and Identity. A provider may alias the memory; the shape is known from inference.

struct ReshapeAttributes {
  bool allow_zero = false;  ///< a 0 in the shape is a length of 0; else it copies the input's dim (always before 14)
};
ReshapeAttributes parse_reshape(const Node& node);

struct FlattenAttributes {
  int64_t axis = 1;  ///< dims [0, axis) form the first output dim; [-rank, rank], checked by inference
};
FlattenAttributes parse_flatten(const Node& node);

/// Squeeze and Unsqueeze.
struct SqueezeAttributes {
  std::optional<std::vector<int64_t>> axes;  ///< before opset 13; later they are input 1
};
SqueezeAttributes parse_squeeze(const Node& node);

}  // namespace overt

#endif  // OVERT_OPS_RESHAPE_H_
