#ifndef OVERT_OPS_CAST_H_
#define OVERT_OPS_CAST_H_

#include "graph/node.h"
#include "ops/narrow.h"

namespace overt {

/// Cast, and CastLike, whose target type is that of input 1.
struct CastAttributes {
  DataType to = DataType::undefined;  ///< undefined for CastLike
  NarrowRounding rounding;            ///< to the 8-bit floats
};
CastAttributes parse_cast(const Node& node);
CastAttributes parse_cast_like(const Node& node);

}  // namespace overt

#endif  // OVERT_OPS_CAST_H_
