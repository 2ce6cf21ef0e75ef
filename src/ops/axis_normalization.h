#ifndef OVERT_OPS_AXIS_NORMALIZATION_H_
#define OVERT_OPS_AXIS_NORMALIZATION_H_

#include <cstdint>
#include <vector>

#include "ops/infer_context.h"

namespace overt {

/// LpNormalization: x divided by the norm of its line along the axis; a line of norm 0 becomes 0.
struct LpNormalizationAttributes {
  int64_t axis = -1;  ///< as in the model, [-rank, rank)
  int64_t p = 2;      ///< 1 or 2
};
/// Throws Error(invalid_model) where p is neither.
LpNormalizationAttributes parse_lp_normalization(const Node& node);
void infer_lp_normalization(InferContext& context);

/// MeanVarianceNormalization: (x - mean) / (deviation + 1e-9), both taken over these axes.
struct MeanVarianceAttributes {
  std::vector<int64_t> axes;  ///< as in the model, each in [-rank, rank)
};
MeanVarianceAttributes parse_mean_variance(const Node& node);
void infer_mean_variance(InferContext& context);

/// LRN: x / (bias + alpha/size * sum of squares over `size` neighbouring channels)^beta.
struct LrnAttributes {
  int64_t size = 1;
  float alpha = 1e-4f;
  float beta = 0.75f;
  float bias = 1;
};
/// Throws Error(invalid_model) where size is below 1.
LrnAttributes parse_lrn(const Node& node);
void infer_lrn(InferContext& context);

}  // namespace overt

#endif  // OVERT_OPS_AXIS_NORMALIZATION_H_
