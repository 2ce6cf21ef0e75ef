#ifndef OVERT_OPS_SELECT_H_
#define OVERT_OPS_SELECT_H_

#include <cstdint>
#include <optional>

#include "graph/node.h"

namespace overt {

/// Compress (input, condition): the slices along an axis where the condition holds.
struct CompressAttributes {
  std::optional<int64_t> axis;  ///< as in the model; absent: the input is seen as one list
};
CompressAttributes parse_compress(const Node& node);

// Where (condition, x, y) and NonZero (x) have no attributes.

}  // namespace overt

#endif  // OVERT_OPS_SELECT_H_
