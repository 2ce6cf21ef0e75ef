#ifndef OVERT_OPS_DROPOUT_H_
#define OVERT_OPS_DROPOUT_H_

#include <cstdint>

#include "graph/node.h"

namespace overt {

/// Dropout. Outside training (the default, and always before opset 12) the data pass through unchanged. In
/// training, elements are dropped by the Mersenne twister with this seed, 53 random bits an element.
struct DropoutAttributes {
  uint32_t seed = 0;
  bool mask_like_data = false;  ///< opset 7: the mask has the data's type; else bool
};
DropoutAttributes parse_dropout(const Node& node);

}  // namespace overt

#endif  // OVERT_OPS_DROPOUT_H_
