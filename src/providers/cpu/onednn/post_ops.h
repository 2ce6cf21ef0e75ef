#ifndef OVERT_PROVIDERS_CPU_ONEDNN_POST_OPS_H_
#define OVERT_PROVIDERS_CPU_ONEDNN_POST_OPS_H_

#include <span>
#include <string>
#include <vector>

#include "graph/epilogue.h"
#include "overt/options.h"
#include "providers/cpu/onednn/library.h"
#include "providers/cpu/onednn/primitive_kernel.h"

namespace overt::cpu::onednn {

/// What follows an operator's result, and how its extra inputs lie in memory.
struct EpilogueSpec {
  float scale = 1.0f;  ///< multiplies the result, bias included, before the steps
  Epilogue steps;      ///< EpilogueStep::operand indexes `operands`
  /// Layouts of the extra inputs, all of the result's rank: its own shape, or 1 on broadcast axes (and then plain).
  std::vector<Layout> operands;
  /// The operand of the first step, which adds it, lies where the result shall be written: the run's destination
  /// pointer holds it beforehand, and no pointer is given for it. Saves reading it from elsewhere.
  bool first_operand_in_place = false;
};

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
