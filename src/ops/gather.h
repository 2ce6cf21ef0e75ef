#ifndef OVERT_OPS_GATHER_H_
#define OVERT_OPS_GATHER_H_

#include <cstdint>

#include "graph/node.h"

namespace overt {

/// Gather and GatherElements. Indices may be negative, from the end.
struct GatherAttributes {
  int64_t axis = 0;  ///< as in the model, [-rank, rank); inference checks it
};
GatherAttributes parse_gather(const Node& node);

struct GatherNdAttributes {
  int64_t batch_dims = 0;  ///< leading dims that data and indices share; >= 0
};
GatherNdAttributes parse_gather_nd(const Node& node);

}  // namespace overt

#endif  // OVERT_OPS_GATHER_H_
