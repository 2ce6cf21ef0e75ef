#ifndef OVERT_OPS_RESIZE_H_
#define OVERT_OPS_RESIZE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "ops/infer_context.h"

namespace overt {

enum class ResizeMode : uint8_t { nearest, linear, cubic };

/// How a coordinate becomes the nearest index.
enum class NearestMode : uint8_t {
  prefer_floor,  ///< halves go down
  prefer_ceil,   ///< halves go up
  floor,
  ceil,
  by_direction,  ///< before opset 11, which does not say: floor where the axis grows, ceil where it shrinks
};

/// How an output position becomes a coordinate in the input; the formulas are in `source_coordinate`.
enum class CoordinateMode : uint8_t {
  half_pixel,
  half_pixel_symmetric,
  pytorch_half_pixel,
  tf_half_pixel_for_nn,  ///< opset 11 alone
  align_corners,
  asymmetric,
  tf_crop_and_resize,
};

/// What `sizes` means.
enum class AspectPolicy : uint8_t { stretch, not_larger, not_smaller };

/// Resize and Upsample, by every opset.
struct ResizeAttributes {
  ResizeMode mode = ResizeMode::nearest;
  NearestMode nearest = NearestMode::prefer_floor;
  CoordinateMode coordinates = CoordinateMode::half_pixel;
  AspectPolicy policy = AspectPolicy::stretch;
  bool antialias = false;        ///< linear and cubic: the filter widens where an axis shrinks
  bool exclude_outside = false;  ///< taps outside the input have no weight
  float cubic_a = -0.75f;
  float extrapolation_value = 0;  ///< of tf_crop_and_resize outside the input
  std::vector<int64_t> axes;      ///< that roi, scales and sizes speak of, as in the model; empty: all
  std::vector<float> scales;      ///< Upsample-7 has them here; empty: an input
  int roi_input = -1;             ///< which input it is, -1 where the version has none
  int scales_input = -1;
  int sizes_input = -1;
};
/// Throws Error(invalid_model) for words that the standard does not know.
ResizeAttributes parse_resize(const Node& node);

/// One axis of a resize of concrete shapes.
struct ResizeAxis {
  int64_t input = 0;
  int64_t output = 0;
  double scale = 1;
  double roi_start = 0;  ///< of tf_crop_and_resize, in parts of input - 1
  double roi_end = 1;
  bool is_resized = false;  ///< false: the axis is copied
};

/// One entry per axis of x. `roi`, `scales` and `sizes` are the inputs' contents, empty where left out.
/// Throws Error(invalid_model) where they do not fit x, are not finite or positive, or overflow.
std::vector<ResizeAxis> resolve_resize(const Node& node, const ResizeAttributes& attributes, const Shape& x,
                                       std::span<const float> roi, std::span<const float> scales,
                                       std::span<const int64_t> sizes);

void infer_resize(InferContext& context);

}  // namespace overt

#endif  // OVERT_OPS_RESIZE_H_
