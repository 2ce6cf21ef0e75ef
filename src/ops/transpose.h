#ifndef OVERT_OPS_TRANSPOSE_H_
#define OVERT_OPS_TRANSPOSE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/node.h"

namespace overt {

struct TransposeAttributes {
  std::optional<std::vector<int64_t>> permutation;  ///< axis i of the output is axis permutation[i] of the input
};
TransposeAttributes parse_transpose(const Node& node);

/// The permutation, the axes reversed where the node names none. Inference has checked it.
std::vector<int64_t> permutation_of(const TransposeAttributes& attributes, int64_t rank);

/// DepthToSpace: [B, C, H, W] -> [B, C/(b*b), H*b, W*b], and SpaceToDepth, its inverse.
struct DepthToSpaceAttributes {
  int64_t block = 0;
  /// Mode CRD: the block is the inner part of the deep channel; else DCR, the outer. SpaceToDepth has it since
  /// opset 28.
  bool column_row_depth = false;
};
DepthToSpaceAttributes parse_depth_to_space(const Node& node);

}  // namespace overt

#endif  // OVERT_OPS_TRANSPOSE_H_
