#ifndef OVERT_PROVIDERS_CPU_ONEDNN_REORDER_H_
#define OVERT_PROVIDERS_CPU_ONEDNN_REORDER_H_

#include "providers/cpu/onednn/primitive_kernel.h"

namespace overt::cpu::onednn {

/// Copies a tensor of one shape from one layout to another; padding lanes become zero.
/// Pointers of a run: source, destination, scratch memory.
MadeKernel make_reorder(const Library& library, const Layout& source, const Layout& destination);

/// Softmax over `axis` (0 <= axis < rank) of a row-major or blocked tensor.
/// Pointers of a run: source, destination (may be the source), scratch memory.
MadeKernel make_softmax(const Library& library, const Layout& layout, int64_t axis);

}  // namespace overt::cpu::onednn

#endif  // OVERT_PROVIDERS_CPU_ONEDNN_REORDER_H_
