#ifndef OVERT_OPS_GROUP_NORMALIZATION_H_
#define OVERT_OPS_GROUP_NORMALIZATION_H_

#include <cstdint>

#include "ops/infer_context.h"

namespace overt {

/// GroupNormalization and InstanceNormalization (groups of one channel each).
struct GroupNormalizationAttributes {
  int64_t groups = 0;  ///< 0: as many as channels
  float epsilon = 1e-5f;
  bool scale_per_group = false;  ///< GroupNormalization-18: scale and bias are [groups], else [channels]
};
/// Throws Error(invalid_model) where num_groups is missing or below 1.
GroupNormalizationAttributes parse_group_normalization(const Node& node);

/// x as [batch, groups, group_channels, inner]; each [group_channels, inner] is normalised together.
struct GroupNormalizationGeometry {
  int64_t batch = 0;
  int64_t groups = 0;
  int64_t group_channels = 0;
  int64_t inner = 0;
};
/// Throws Error(invalid_model) where the channels do not divide into the groups.
GroupNormalizationGeometry resolve_group_normalization(const Node& node,
                                                       const GroupNormalizationAttributes& attributes,
                                                       const Shape& x);

void infer_group_normalization(InferContext& context);

}  // namespace overt

#endif  // OVERT_OPS_GROUP_NORMALIZATION_H_
