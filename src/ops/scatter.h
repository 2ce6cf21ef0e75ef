#ifndef OVERT_OPS_SCATTER_H_
#define OVERT_OPS_SCATTER_H_

#include <cstdint>

#include "graph/node.h"

namespace overt {

/// How an update joins what is there. With `none`, the last of several updates of one element stays.
enum class ScatterReduction : uint8_t { none, add, mul, min, max };

/// ScatterElements, and Scatter, its older name.
struct ScatterElementsAttributes {
  int64_t axis = 0;  ///< as in the model, [-rank, rank); inference checks it
  ScatterReduction reduction = ScatterReduction::none;
};
ScatterElementsAttributes parse_scatter_elements(const Node& node);

struct ScatterNdAttributes {
  ScatterReduction reduction = ScatterReduction::none;
};
ScatterNdAttributes parse_scatter_nd(const Node& node);

}  // namespace overt

#endif  // OVERT_OPS_SCATTER_H_
