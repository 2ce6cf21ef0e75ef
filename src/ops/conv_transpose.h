#ifndef OVERT_OPS_CONV_TRANSPOSE_H_
#define OVERT_OPS_CONV_TRANSPOSE_H_

#include <cstdint>
#include <vector>

#include "ops/infer_context.h"
#include "ops/window.h"

namespace overt {

/// ConvTranspose, by every opset.
struct ConvTransposeAttributes {
  WindowAttributes window;
  std::vector<int64_t> output_padding;  ///< extra elements at the end of each spatial axis; empty: 0
  std::vector<int64_t> output_shape;    ///< spatial lengths, from which the pads follow; empty: from the pads
  int64_t group = 1;
};
/// Throws Error(invalid_model) for numbers outside the standard.
ConvTransposeAttributes parse_conv_transpose(const Node& node);

/// A transposed convolution of concrete shapes: the convolution from y to x read backwards, so that each x is
/// added to the y under its window. Mind that window[i].input is y's length and window[i].output is x's.
///   x: [batch, group*group_inputs, window[i].output...]
///   w: [group*group_inputs, group_outputs, window[i].kernel...]
///   bias: [group*group_outputs], or absent
///   y: [batch, group*group_outputs, window[i].input...]
struct ConvTransposeGeometry {
  int64_t batch = 0;
  int64_t group = 1;
  int64_t group_inputs = 0;   ///< channels of x in one group
  int64_t group_outputs = 0;  ///< channels of y in one group
  Window window;
  Shape output;
};

/// The output's shape, checking whatever is known of the inputs'. `bias` may be null.
/// Throws Error(invalid_model) where the shapes contradict each other or the attributes.
Dims conv_transpose_output_dims(const Node& node, const ConvTransposeAttributes& attributes, const Dims& x,
                                const Dims& w, const Dims* bias);

/// Attributes and shapes as numbers. Throws like `conv_transpose_output_dims`.
ConvTransposeGeometry resolve_conv_transpose(const Node& node, const ConvTransposeAttributes& attributes,
                                             const Shape& x, const Shape& w, const Shape* bias);

void infer_conv_transpose(InferContext& context);

}  // namespace overt

#endif  // OVERT_OPS_CONV_TRANSPOSE_H_
