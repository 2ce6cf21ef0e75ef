#ifndef OVERT_OPS_CUMULATIVE_H_
#define OVERT_OPS_CUMULATIVE_H_

#include "graph/node.h"

namespace overt {

/// The attributes of CumSum and CumProd. The axis is input 1.
struct CumulativeAttributes {
  bool exclusive = false;  ///< element i is the sum or product of those before i
  bool reverse = false;    ///< from the last element to the first
};
CumulativeAttributes parse_cumulative(const Node& node);

}  // namespace overt

#endif  // OVERT_OPS_CUMULATIVE_H_
