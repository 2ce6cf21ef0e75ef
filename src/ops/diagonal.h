#ifndef OVERT_OPS_DIAGONAL_H_
#define OVERT_OPS_DIAGONAL_H_

#include <cstdint>

#include "graph/node.h"

namespace overt {

/// Trilu (x, k): the last two axes at and above diagonal k (upper), or at and below it; 0 elsewhere.
struct TriluAttributes {
  bool upper = true;
};
TriluAttributes parse_trilu(const Node& node);

/// EyeLike (x): a matrix of x's shape, 1 on diagonal k and 0 elsewhere.
struct EyeLikeAttributes {
  DataType type = DataType::undefined;  ///< undefined: as the input
  int64_t diagonal = 0;                 ///< column - row; any number
};
EyeLikeAttributes parse_eye_like(const Node& node);

}  // namespace overt

#endif  // OVERT_OPS_DIAGONAL_H_
