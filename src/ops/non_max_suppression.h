#ifndef OVERT_OPS_NON_MAX_SUPPRESSION_H_
#define OVERT_OPS_NON_MAX_SUPPRESSION_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ops/infer_context.h"

namespace overt {

/// NonMaxSuppression, by every opset.
struct NonMaxSuppressionAttributes {
  /// True: boxes are [x_center, y_center, width, height]; false: two opposite corners [y1, x1, y2, x2].
  bool center_point_box = false;
};
/// Throws Error(invalid_model) where center_point_box is neither 0 nor 1.
NonMaxSuppressionAttributes parse_non_max_suppression(const Node& node);

/// The numbers that the inputs carry.
struct NonMaxSuppressionLimits {
  int64_t boxes_per_class = 0;           ///< at most, for each batch and class; below 0 counts as 0
  float iou_threshold = 0;               ///< a box that overlaps a better one by more than this is dropped, in [0, 1]
  std::optional<float> score_threshold;  ///< only boxes above it are looked at
};

/// boxes: [batches, boxes, 4], scores: [batches, classes, boxes].
struct NonMaxSuppressionGeometry {
  int64_t batches = 0;
  int64_t classes = 0;
  int64_t boxes = 0;
};
/// Throws Error(invalid_model) where the shapes do not fit.
NonMaxSuppressionGeometry resolve_non_max_suppression(const Node& node, const Dims& boxes, const Dims& scores);

/// The selected [batch, class, box] triples, flat: by batch, then class, then falling score; equal scores by rising
/// box index, so that the result is the same everywhere. A box whose score is NaN is never selected.
/// Time: boxes * selected boxes for each class. Safe to call from several threads.
std::vector<int64_t> non_max_suppression(const NonMaxSuppressionAttributes& attributes,
                                         const NonMaxSuppressionGeometry& geometry,
                                         const NonMaxSuppressionLimits& limits, std::span<const float> boxes,
                                         std::span<const float> scores);

void infer_non_max_suppression(InferContext& context);

}  // namespace overt

#endif  // OVERT_OPS_NON_MAX_SUPPRESSION_H_
