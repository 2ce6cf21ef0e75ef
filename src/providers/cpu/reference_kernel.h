#ifndef OVERT_PROVIDERS_CPU_REFERENCE_KERNEL_H_
#define OVERT_PROVIDERS_CPU_REFERENCE_KERNEL_H_

#include <memory>

#include "providers/cpu/lowering.h"

namespace overt::cpu {

/// The operator family's reference kernel on row-major tensors; for a fused node, that of each of its parts.
/// Takes every node that an operator family knows.
Lowered lower_reference(const LowerContext& context);

/// A program of one node whose output shapes are known only after it ran: outputs come from
/// RunControl::dynamic_outputs.
std::unique_ptr<Program> make_dynamic_program(const PartitionView& partition);

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_REFERENCE_KERNEL_H_
