#ifndef OVERT_OPS_CONV_H_
#define OVERT_OPS_CONV_H_

#include <cstdint>

#include "ops/infer_context.h"
#include "ops/window.h"

namespace overt {

/// Conv, by every opset.
struct ConvAttributes {
  WindowAttributes window;
  int64_t group = 1;
};
/// Throws Error(invalid_model) for numbers outside the standard.
ConvAttributes parse_conv(const Node& node);

/// A convolution of concrete shapes.
///   x: [batch, group*group_inputs, window[i].input...]
///   w: [group*group_outputs, group_inputs, window[i].kernel...]
///   bias: [group*group_outputs], or absent
///   y: [batch, group*group_outputs, window[i].output...]
struct ConvGeometry {
  int64_t batch = 0;
  int64_t group = 1;
  int64_t group_inputs = 0;   ///< input channels of one group
  int64_t group_outputs = 0;  ///< output channels of one group
  Window window;
  Shape output;
};

/// The output's shape, checking whatever is known of the inputs'. `bias` may be null.
/// Throws Error(invalid_model) where the shapes contradict each other or the attributes.
Dims conv_output_dims(const Node& node, const ConvAttributes& attributes, const Dims& x, const Dims& w,
                      const Dims* bias);

/// Attributes and shapes as numbers. Throws like `conv_output_dims`.
ConvGeometry resolve_conv(const Node& node, const ConvAttributes& attributes, const Shape& x, const Shape& w,
                          const Shape* bias);

void infer_conv(InferContext& context);

}  // namespace overt

#endif  // OVERT_OPS_CONV_H_
