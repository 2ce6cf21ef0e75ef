#include "passes/follow_epilogue.h"

#include <limits>

#include "passes/match.h"

namespace overt {
namespace {

constexpr size_t kMostSteps = 4;
constexpr size_t kMostOperands = 2;

/// A bound of Clip as a float: `absent` where the node has none, nothing where it is no constant.
std::optional<float> clip_bound(const Graph& graph, const Node& clip, size_t i, float absent) {
  if (!clip.has_input(i)) return absent;
  const auto bound = scalar_value(graph, clip.inputs[i]);
  if (!bound) return std::nullopt;
  return static_cast<float>(*bound);
}

std::optional<EpilogueStep> clip_step(const Graph& graph, const Node& clip) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (clip.op.since_version < 11) {
    return EpilogueStep{EpilogueKind::clip, clip.real("min", -kInfinity), clip.real("max", kInfinity)};
  }
  const auto low = clip_bound(graph, clip, 1, -kInfinity);
  const auto high = clip_bound(graph, clip, 2, kInfinity);
  if (!low || !high) return std::nullopt;
  return EpilogueStep{EpilogueKind::clip, *low, *high};
}

/// The other operand of a sum, where it has the shape of `value`; else none.
ValueId residual(const Graph& graph, const Node& node, ValueId value) {
  if (!node.op.is("Add") || node.inputs.size() != 2) return ValueId::none;
  const ValueId other = node.inputs[0] == value ? node.inputs[1] : node.inputs[0];
  return other != ValueId::none && other != value && same_shape(graph, other, value) ? other : ValueId::none;
}

}  // namespace

std::optional<EpilogueStep> activation_step(const Graph& graph, const Node& node) {
  if (!node.op.domain.empty()) return std::nullopt;
  const std::string& type = node.op.type;
  if (type == "Relu") return EpilogueStep{EpilogueKind::relu};
  if (type == "Sigmoid") return EpilogueStep{EpilogueKind::sigmoid};
  if (type == "Tanh") return EpilogueStep{EpilogueKind::tanh};
  if (type == "HardSwish") return EpilogueStep{EpilogueKind::hard_swish};
  if (type == "Swish") return EpilogueStep{EpilogueKind::silu, node.real("alpha", 1.0f)};
  if (type == "LeakyRelu") return EpilogueStep{EpilogueKind::leaky_relu, node.real("alpha", 0.01f)};
  if (type == "Elu") return EpilogueStep{EpilogueKind::elu, node.real("alpha", 1.0f)};
  if (type == "Clip") return clip_step(graph, node);
  if (type == "HardSigmoid") {
    return EpilogueStep{EpilogueKind::hard_sigmoid, node.real("alpha", 0.2f), node.real("beta", 0.5f)};
  }
  if (type == "Gelu") {
    const bool tanh = node.string("approximate", "none") == "tanh";
    return EpilogueStep{tanh ? EpilogueKind::gelu_tanh : EpilogueKind::gelu_erf};
  }
  return std::nullopt;
}

EpilogueMatch follow_epilogue(const Graph& graph, ValueId start, size_t first_operand) {
  EpilogueMatch match;
  ValueId end = start;
  while (match.steps.size() < kMostSteps) {
    const Node* node = graph.only_consumer(end);
    if (node == nullptr || node->outputs.size() != 1 || !node->has_output(0)) break;
    if (const ValueId other = residual(graph, *node, end); other != ValueId::none) {
      if (match.operands.size() == kMostOperands) break;
      const auto operand = static_cast<int32_t>(first_operand + match.operands.size());
      match.steps.push_back({EpilogueKind::add, 0.0f, 0.0f, operand});
      match.operands.push_back(other);
    } else if (const auto step = activation_step(graph, *node); step && node->inputs[0] == end) {
      match.steps.push_back(*step);
    } else {
      break;
    }
    match.nodes.push_back(node->id);
    end = node->outputs[0];
  }
  return match;
}

}  // namespace overt
