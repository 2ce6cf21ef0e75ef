#ifndef OVERT_OPS_GRID_SAMPLE_H_
#define OVERT_OPS_GRID_SAMPLE_H_

#include <cstdint>

#include "ops/infer_context.h"

namespace overt {

enum class GridMode : uint8_t { nearest, linear, cubic };

/// What is read outside the image.
enum class GridPadding : uint8_t { zeros, border, reflection };

/// GridSample, by every opset.
struct GridSampleAttributes {
  GridMode mode = GridMode::linear;
  GridPadding padding = GridPadding::zeros;
  bool align_corners = false;  ///< -1 and 1 are the centres of the outer elements, else their outer edges
};
/// Throws Error(invalid_model) for words that the standard does not know.
GridSampleAttributes parse_grid_sample(const Node& node);

/// x: [batch, channels, spatial...], grid: [batch, positions..., r] with r spatial axes, the last axis' coordinate
/// first; y: [batch, channels, positions...]. Throws Error(invalid_model) where the shapes do not fit.
Dims grid_sample_output_dims(const Node& node, const Dims& x, const Dims& grid);

void infer_grid_sample(InferContext& context);

}  // namespace overt

#endif  // OVERT_OPS_GRID_SAMPLE_H_
