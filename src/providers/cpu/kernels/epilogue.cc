#include "providers/cpu/kernels/epilogue.h"

namespace overt::cpu {

std::string refuse_epilogue(const EpilogueSpec& epilogue, const Layout& destination) {
  if (epilogue.steps.size() > kMaxEpilogueSteps) {
    return "the epilogue has " + std::to_string(epilogue.steps.size()) + " steps, at most " +
           std::to_string(kMaxEpilogueSteps) + " are computed";
  }
  if (epilogue.scale != 1.0f) return "the result is scaled";
  for (const Layout& operand : epilogue.operands) {
    if (operand != destination) return "an operand of the epilogue is broadcast";
  }
  if (epilogue.first_operand_in_place && epilogue.steps[0].kind != EpilogueKind::add) {
    return "only an added operand can lie where the result is written";
  }
  return {};
}

size_t bind_epilogue(const EpilogueSpec& epilogue, std::span<void* const> pointers, const void* destination,
                     EpilogueRun& run) {
  size_t used = 0;
  run.count = 0;
  run.start = nullptr;
  for (size_t i = 0; i < epilogue.steps.size(); ++i) {
    const EpilogueStep& step = epilogue.steps[i];
    const bool in_place = i == 0 && epilogue.first_operand_in_place;
    const void* operand = in_place ? destination : nullptr;
    if (step.operand >= 0 && !in_place) operand = pointers[used++];
    const float* const values = static_cast<const float*>(operand);
    if (i == 0 && step.kind == EpilogueKind::add) {
      run.start = values;
    } else {
      run.steps[run.count++] = {step.kind, step.alpha, step.beta, values};
    }
  }
  return used;
}

}  // namespace overt::cpu
