#ifndef OVERT_OPS_BITWISE_H_
#define OVERT_OPS_BITWISE_H_

#include <cstdint>

#include "graph/node.h"

namespace overt {

enum class ShiftDirection : uint8_t { left, right };

/// BitShift's direction. Throws Error(invalid_model) where the required attribute is not LEFT or RIGHT.
ShiftDirection parse_bit_shift(const Node& node);

}  // namespace overt

#endif  // OVERT_OPS_BITWISE_H_
