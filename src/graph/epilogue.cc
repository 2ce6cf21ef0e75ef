#include "graph/epilogue.h"

#include <fmt/core.h>

namespace overt {
namespace {

std::string step_text(const EpilogueStep& step) {
  switch (step.kind) {
    case EpilogueKind::add: return fmt::format("add(input {})", step.operand);
    case EpilogueKind::multiply: return fmt::format("multiply(input {})", step.operand);
    case EpilogueKind::relu: return "relu";
    case EpilogueKind::clip: return fmt::format("clip({}, {})", step.alpha, step.beta);
    case EpilogueKind::leaky_relu: return fmt::format("leaky_relu({})", step.alpha);
    case EpilogueKind::sigmoid: return "sigmoid";
    case EpilogueKind::tanh: return "tanh";
    case EpilogueKind::silu: return step.alpha == 1.0f ? "silu" : fmt::format("silu({})", step.alpha);
    case EpilogueKind::hard_sigmoid: return fmt::format("hard_sigmoid({}, {})", step.alpha, step.beta);
    case EpilogueKind::hard_swish: return "hard_swish";
    case EpilogueKind::gelu_erf: return "gelu_erf";
    case EpilogueKind::gelu_tanh: return "gelu_tanh";
    case EpilogueKind::elu: return fmt::format("elu({})", step.alpha);
  }
  return "?";
}

}  // namespace

std::string to_string(const Epilogue& epilogue) {
  std::string text;
  for (const EpilogueStep& step : epilogue) {
    if (!text.empty()) text += ", ";
    text += step_text(step);
  }
  return text;
}

}  // namespace overt
