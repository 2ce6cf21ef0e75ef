#ifndef OVERT_OPS_BATCH_NORMALIZATION_H_
#define OVERT_OPS_BATCH_NORMALIZATION_H_

#include <cstdint>
#include <span>

#include "ops/infer_context.h"

namespace overt {

/// BatchNormalization, by every opset.
struct BatchNormalizationAttributes {
  float epsilon = 1e-5f;
  float momentum = 0.9f;
  bool training = false;        ///< normalises with the batch's own mean and variance, and updates the running ones
  bool per_activation = false;  ///< opset 7 with spatial = 0: each element of an image has statistics of its own
};
BatchNormalizationAttributes parse_batch_normalization(const Node& node);

/// x as [batch, channels, inner]; the statistics are [channels].
struct BatchNormalizationGeometry {
  int64_t batch = 0;
  int64_t channels = 0;
  int64_t inner = 0;
};
BatchNormalizationGeometry resolve_batch_normalization(const BatchNormalizationAttributes& attributes,
                                                       const Shape& x);

/// y = x*factor + offset, for each channel: what inference amounts to, for those who fuse it with a neighbour.
///
/// All spans have one element per channel. factor = scale / sqrt(variance + epsilon), offset = bias - mean*factor,
/// computed in double. Cannot fail.
void batch_normalization_factors(std::span<const float> scale, std::span<const float> bias,
                                 std::span<const float> mean, std::span<const float> variance, float epsilon,
                                 std::span<float> factor, std::span<float> offset);

void infer_batch_normalization(InferContext& context);

}  // namespace overt

#endif  // OVERT_OPS_BATCH_NORMALIZATION_H_
