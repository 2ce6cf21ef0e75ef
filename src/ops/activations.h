#ifndef OVERT_OPS_ACTIVATIONS_H_
#define OVERT_OPS_ACTIVATIONS_H_

#include <cstdint>

#include "graph/node.h"

namespace overt {

/// The parameters of an activation with one or two of them, with the operator's defaults.
struct ActivationAttributes {
  float alpha = 0.0f;  ///< `alpha`; Shrink: `lambd`
  float beta = 0.0f;   ///< HardSigmoid: `beta`; Selu: `gamma`; Shrink: `bias`; 0 for the others
};

/// For LeakyRelu, Elu, Selu, Celu, ThresholdedRelu, HardSigmoid, Swish, SwiGLU and Shrink. HardSwish gives the 1/6
/// and 1/2 that it stands for. Error(internal) for any other operator.
ActivationAttributes parse_activation(const Node& node);

enum class GeluForm : uint8_t {
  erf,   ///< x/2 (1 + erf(x/sqrt(2)))
  tanh,  ///< x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
};
/// Of the attribute `approximate`. Throws Error(invalid_model) for a value that the standard does not know.
GeluForm parse_gelu(const Node& node);

/// Where Clip finds its bounds. A bound that is left out is the end of the type's range.
struct ClipAttributes {
  bool bounds_are_inputs = true;  ///< opset >= 11: inputs 1 and 2, each a scalar that may be left out
  float min = 0.0f;               ///< before opset 11
  float max = 0.0f;
};
ClipAttributes parse_clip(const Node& node);

}  // namespace overt

#endif  // OVERT_OPS_ACTIVATIONS_H_
