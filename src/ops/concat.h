#ifndef OVERT_OPS_CONCAT_H_
#define OVERT_OPS_CONCAT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/node.h"

namespace overt {

struct ConcatAttributes {
  int64_t axis = 0;  ///< as in the model, [-rank, rank); inference checks it
};
ConcatAttributes parse_concat(const Node& node);

struct SplitAttributes {
  int64_t axis = 0;                           ///< as in the model; inference checks it
  std::optional<std::vector<int64_t>> sizes;  ///< before opset 13; later they are input 1
  /// Opset 18: parts of ceil(length / outputs), the last one smaller. Before that, or with sizes: nothing; then
  /// the parts are equal where there are no sizes.
  std::optional<int64_t> outputs;
};
SplitAttributes parse_split(const Node& node);

}  // namespace overt

#endif  // OVERT_OPS_CONCAT_H_
