#include "providers/cpu/lower_epilogue.h"

#include <fmt/core.h>

namespace overt::cpu {

LoweredEpilogue lower_epilogue(const LowerContext& context, const Layout& result) {
  LoweredEpilogue lowered;
  for (EpilogueStep step : context.node.epilogue) {
    if (step.operand >= 0) {
      const ValueId operand = context.input(static_cast<size_t>(step.operand));
      const Shape& shape = context.shape(operand);
      if (!context.is_float32(operand) || shape.rank() > result.shape.rank()) {
        lowered.refusal = fmt::format("an operand of the epilogue is {} {}", data_type_name(context.type(operand)),
                                      shape.to_string());
        return lowered;
      }
      Layout layout = result;
      if (shape != result.shape) {
        Shape padded;
        for (int64_t axis = shape.rank(); axis < result.shape.rank(); ++axis) padded.push_back(1);
        for (const int64_t dim : shape) padded.push_back(dim);
        layout = plain(std::move(padded));
      }
      step.operand = static_cast<int32_t>(lowered.spec.operands.size());
      lowered.spec.operands.push_back(layout);
      lowered.reads.push_back({operand, layout});
    }
    lowered.spec.steps.push_back(step);
  }
  return lowered;
}

}  // namespace overt::cpu
