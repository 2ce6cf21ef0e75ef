#ifndef OVERT_OPS_ARG_REDUCE_H_
#define OVERT_OPS_ARG_REDUCE_H_

#include <cstdint>

#include "graph/node.h"

namespace overt {

/// The attributes of ArgMax and ArgMin.
struct ArgReduceAttributes {
  int64_t axis = 0;                ///< as in the model, [-rank, rank)
  bool keepdims = true;            ///< the axis stays, with length 1
  bool select_last_index = false;  ///< of equal elements the last, not the first
};
ArgReduceAttributes parse_arg_reduce(const Node& node);

struct HardmaxAttributes {
  int64_t axis = -1;              ///< as in the model, [-rank, rank)
  bool flatten_trailing = false;  ///< opset < 13: dims [axis, rank) form one row
};
HardmaxAttributes parse_hardmax(const Node& node);

}  // namespace overt

#endif  // OVERT_OPS_ARG_REDUCE_H_
