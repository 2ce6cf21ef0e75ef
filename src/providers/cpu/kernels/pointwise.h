#ifndef OVERT_PROVIDERS_CPU_KERNELS_POINTWISE_H_
#define OVERT_PROVIDERS_CPU_KERNELS_POINTWISE_H_

#include "base/threads.h"
#include "providers/cpu/convolution_spec.h"
#include "providers/cpu/kernel.h"
#include "providers/cpu/packed_constants.h"

namespace overt::cpu {

/// Channels in a group of the blocked layouts that kernels of our own compute on this CPU: the lanes of its vectors.
/// 0 where it has vectors of less than 8 lanes, and these kernels refuse everything.
int64_t own_channel_block();

/// A convolution of one pixel, stride 1, without padding or groups, on blocked layouts: a matrix product.
///
/// Pointers of a run: source, one for each epilogue step that has an operand (without the one in place),
/// destination, scratch memory (none is needed). `threads` outlives the kernel.
MadeKernel make_pointwise(const ConvolutionSpec& spec, PackedConstants& packed, Threads& threads);

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_KERNELS_POINTWISE_H_
