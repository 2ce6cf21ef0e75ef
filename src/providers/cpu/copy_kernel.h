#ifndef OVERT_PROVIDERS_CPU_COPY_KERNEL_H_
#define OVERT_PROVIDERS_CPU_COPY_KERNEL_H_

#include <cstdint>
#include <memory>

#include "providers/cpu/device.h"
#include "providers/cpu/kernel.h"
#include "providers/cpu/layout.h"

namespace overt::cpu {

/// Copies `bytes` contiguous bytes on all threads. Pointers of a run: source, destination, scratch memory.
std::unique_ptr<const Kernel> make_copy(const Device& device, int64_t bytes);

/// Between the row-major and the blocked layout of one shape (float32). Pointers: source, destination, scratch.
MadeKernel make_layout_change(const Device& device, const Layout& source, const Layout& destination);

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_COPY_KERNEL_H_
