#ifndef OVERT_PROVIDERS_CPU_ONEDNN_CONVOLUTION_H_
#define OVERT_PROVIDERS_CPU_ONEDNN_CONVOLUTION_H_

#include <vector>

#include "providers/cpu/convolution_spec.h"
#include "providers/cpu/onednn/packed_weights.h"
#include "providers/cpu/onednn/post_ops.h"

namespace overt::cpu::onednn {

using cpu::ConvolutionSpec;

/// True where a convolution is fastest with its source blocked: with many input channels, or depthwise.
/// The few channels of a first layer are best read row-major. Destinations are best blocked always.
bool prefers_blocked_source(const Library& library, int64_t channels, int64_t groups);

/// Pointers of a run: source, weights (only where spec.weights is empty), one for each epilogue step that has an
/// operand (without the one in place), destination, scratch memory.
/// Refuses what oneDNN refuses: types other than float32, mixed layouts that no implementation takes.
MadeKernel make_convolution(const Library& library, PackedWeights& packed, const ConvolutionSpec& spec);

/// ConvTranspose. Same pointers. `pads_end` already includes what output padding asks for.
MadeKernel make_deconvolution(const Library& library, PackedWeights& packed, const ConvolutionSpec& spec);

}  // namespace overt::cpu::onednn

#endif  // OVERT_PROVIDERS_CPU_ONEDNN_CONVOLUTION_H_
