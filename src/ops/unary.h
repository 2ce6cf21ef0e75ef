#ifndef OVERT_OPS_UNARY_H_
#define OVERT_OPS_UNARY_H_

#include "graph/node.h"

namespace overt {

/// Which infinities IsInf reports.
struct IsInfAttributes {
  bool detect_negative = true;
  bool detect_positive = true;
};
IsInfAttributes parse_is_inf(const Node& node);

}  // namespace overt

#endif  // OVERT_OPS_UNARY_H_
