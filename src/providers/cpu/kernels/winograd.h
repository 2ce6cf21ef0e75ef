#ifndef OVERT_PROVIDERS_CPU_KERNELS_WINOGRAD_H_
#define OVERT_PROVIDERS_CPU_KERNELS_WINOGRAD_H_

#include "base/threads.h"
#include "providers/cpu/convolution_spec.h"
#include "providers/cpu/kernel.h"
#include "providers/cpu/packed_constants.h"

namespace overt::cpu {

/// A 3x3 convolution with stride 1 by Winograd's minimal filtering F(4x4, 3x3): 36 products for 16 results of one
/// input channel, where the formula has 144.
///
/// A tile d of 6 x 6 inputs and a filter g give y = A^T [(G g G^T) * (B^T d B)] A, where * is element by element and
/// summed over input channels. The matrices are those of the points 0, +-p, +-1/p and infinity. With p = sqrt(2)
/// instead of the usual 2 (and 1) the transforms enlarge rounding errors least: measured on random data the error of
/// float32 is about twice that of the formula summed in order, in units of the result's spread 1e-6.
///
/// Pointers of a run: source, the first epilogue step's operand (unless it is in place), destination, scratch memory.
/// Layouts are blocked. The epilogue may begin with an addition of an operand of the destination's layout; other
/// steps have none. `threads` outlives the kernel.
/// Refuses what would not gain: few channels, and pictures with so few tiles that reading the weights, four times as
/// many as the filter's, costs more than the products saved.
/// Source: Winograd 1980; Lavin & Gray 2015 (arXiv 1509.09308); the choice of points: Barabasz et al. 2018
/// (arXiv 1803.10986).
MadeKernel make_winograd(const ConvolutionSpec& spec, PackedConstants& packed, Threads& threads);

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_KERNELS_WINOGRAD_H_
