#ifndef OVERT_OPS_ONEHOT_H_
#define OVERT_OPS_ONEHOT_H_

#include <cstdint>

#include "graph/node.h"

namespace overt {

/// OneHot (indices, depth, values): a new axis of length depth, values[1] at the index and values[0] elsewhere.
struct OneHotAttributes {
  int64_t axis = -1;  ///< of the result: [-rank - 1, rank] for indices of that rank; inference checks it
};
OneHotAttributes parse_onehot(const Node& node);

}  // namespace overt

#endif  // OVERT_OPS_ONEHOT_H_
