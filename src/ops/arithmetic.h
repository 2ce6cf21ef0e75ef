#ifndef OVERT_OPS_ARITHMETIC_H_
#define OVERT_OPS_ARITHMETIC_H_

#include <cstdint>

#include "graph/node.h"

namespace overt {

/// How Mod chooses the remainder's sign.
enum class ModForm : uint8_t {
  of_divisor,   ///< as Python's %; before opset 28 of integers only
  of_dividend,  ///< as C's fmod
};
ModForm parse_mod(const Node& node);

}  // namespace overt

#endif  // OVERT_OPS_ARITHMETIC_H_
