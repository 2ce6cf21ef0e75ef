#ifndef OVERT_OPS_CONSTANT_H_
#define OVERT_OPS_CONSTANT_H_

#include "graph/node.h"

namespace overt {

/// The tensor of a Constant node, from whichever of the value attributes it carries. Shares its memory.
/// Throws Error(invalid_model) where it carries none or several.
Tensor parse_constant(const Node& node);

struct ConstantOfShapeAttributes {
  Tensor value;  ///< one element; a float32 0 where the node names none
};
ConstantOfShapeAttributes parse_constant_of_shape(const Node& node);

}  // namespace overt

#endif  // OVERT_OPS_CONSTANT_H_
