#ifndef OVERT_PROVIDERS_CPU_COMPILER_H_
#define OVERT_PROVIDERS_CPU_COMPILER_H_

#include <memory>

#include "provider_api/program.h"
#include "providers/cpu/device.h"

namespace overt::cpu {

/// Compiles a partition: picks a kernel for each node, keeps tensors in the layout that kernels want, reorders
/// only where two kernels differ, lets results take over memory that is no longer read, and lets the inputs of a
/// concatenation be written in place.
/// Throws Error(unsupported) where no kernel takes a node.
std::unique_ptr<Program> compile(const PartitionView& partition, Device& device);

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_COMPILER_H_
