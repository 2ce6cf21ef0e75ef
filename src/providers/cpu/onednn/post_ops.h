#ifndef OVERT_PROVIDERS_CPU_ONEDNN_POST_OPS_H_
#define OVERT_PROVIDERS_CPU_ONEDNN_POST_OPS_H_

#include <span>
#include <string>
#include <vector>

#include "providers/cpu/convolution_spec.h"
#include "providers/cpu/onednn/library.h"
#include "providers/cpu/onednn/primitive_kernel.h"

namespace overt::cpu::onednn {

using cpu::EpilogueSpec;

/// Attributes of a primitive: the epilogue as post-ops, scratch memory given by the caller, exact float32 unless
/// `precision` is bf16, which lets oneDNN round inputs to bfloat16 (sums stay float32).
/// Null, and `refusal` in words, where a step has no post-op.
Attributes make_attributes(const Library& library, const EpilogueSpec& epilogue, Precision precision,
                           std::string& refusal);

/// Adds a pointer to the kernel for each step that has an operand, in the order of the steps, without the one in
/// place.
void add_operands(const Library& library, const EpilogueSpec& epilogue, PrimitiveKernel& kernel);

}  // namespace overt::cpu::onednn

#endif  // OVERT_PROVIDERS_CPU_ONEDNN_POST_OPS_H_
