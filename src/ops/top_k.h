#ifndef OVERT_OPS_TOP_K_H_
#define OVERT_OPS_TOP_K_H_

#include <cstdint>
#include <optional>

#include "graph/node.h"
#include "overt/error.h"

namespace overt {

/// TopK: the k largest or smallest elements along an axis, in order; of equal elements those with the lower index
/// come first, and NaN counts as larger than any number.
struct TopKAttributes {
  int64_t axis = -1;         ///< as in the model, [-rank, rank)
  bool largest = true;       ///< false: the smallest (opset >= 11)
  bool sorted = true;        ///< false: any order will do
  std::optional<int64_t> k;  ///< before opset 10; later it is input 1, one int64
};
/// Throws Error(invalid_model) where opset 1's required k is missing.
TopKAttributes parse_top_k(const Node& node);

/// k where it is in [0, length]. Throws an error of this code that names the node otherwise: invalid_model where k
/// is the model's, invalid_argument where it was computed.
int64_t checked_k(const Node& node, int64_t k, int64_t length, ErrorCode code);

}  // namespace overt

#endif  // OVERT_OPS_TOP_K_H_
