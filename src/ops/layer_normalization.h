#ifndef OVERT_OPS_LAYER_NORMALIZATION_H_
#define OVERT_OPS_LAYER_NORMALIZATION_H_

#include <cstdint>

#include "ops/infer_context.h"

namespace overt {

/// LayerNormalization and RMSNormalization.
struct LayerNormalizationAttributes {
  int64_t axis = -1;  ///< as in the model, [-rank, rank): dims [axis, rank) are normalised together
  float epsilon = 1e-5f;
  DataType stash_type = DataType::float32;  ///< of the outputs Mean and InvStdDev
  bool subtract_mean = true;                ///< false: RMSNormalization
};
/// Throws Error(invalid_model) where the stash type is no floating-point type.
LayerNormalizationAttributes parse_layer_normalization(const Node& node);

/// x as [rows, length]; scale and bias broadcast to x's shape, which most often makes them [length].
struct LayerNormalizationGeometry {
  int64_t rows = 0;
  int64_t length = 0;
  Shape statistics;  ///< of Mean and InvStdDev: x's shape with ones from the axis on
};
/// Throws Error(invalid_model) where the axis is out of range.
LayerNormalizationGeometry resolve_layer_normalization(const Node& node,
                                                       const LayerNormalizationAttributes& attributes,
                                                       const Shape& x);

void infer_layer_normalization(InferContext& context);

}  // namespace overt

#endif  // OVERT_OPS_LAYER_NORMALIZATION_H_
