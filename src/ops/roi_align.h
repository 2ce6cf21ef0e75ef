#ifndef OVERT_OPS_ROI_ALIGN_H_
#define OVERT_OPS_ROI_ALIGN_H_

#include <cstdint>

#include "ops/infer_context.h"

namespace overt {

/// RoiAlign, by every opset.
struct RoiAlignAttributes {
  bool takes_maximum = false;  ///< false: the mean of the samples
  bool half_pixel = false;     ///< regions are moved by half a pixel, and need not be a pixel large
  int64_t output_height = 1;
  int64_t output_width = 1;
  int64_t sampling_ratio = 0;  ///< samples per bin and axis; 0: as many as the bin has pixels, rounded up
  float spatial_scale = 1;     ///< from the regions' coordinates to x's
};
/// Throws Error(invalid_model) for words and numbers outside the standard.
RoiAlignAttributes parse_roi_align(const Node& node);

/// x: [batch, channels, height, width], regions: [n, 4] as x1, y1, x2, y2, batch indices: [n];
/// y: [n, channels, output_height, output_width]. Throws Error(invalid_model) where the shapes do not fit.
Dims roi_align_output_dims(const Node& node, const RoiAlignAttributes& attributes, const Dims& x, const Dims& regions,
                           const Dims& batch_indices);

void infer_roi_align(InferContext& context);

}  // namespace overt

#endif  // OVERT_OPS_ROI_ALIGN_H_
