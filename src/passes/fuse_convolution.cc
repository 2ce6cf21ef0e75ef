#include <string>
#include <vector>

#include "ops/fused.h"
#include "passes/follow_epilogue.h"
#include "passes/fuse.h"
#include "passes/match.h"
#include "passes/numbers.h"
#include "passes/passes.h"
#include "passes/rewriter.h"

namespace overt {

bool fuse_convolution(PassContext& context) {
  Rewriter rewriter(context.graph);
  const Graph& graph = rewriter.graph();
  const std::span<const NodeId> order = rewriter.order();
  // From the end, so that of two convolutions that meet in a sum the later one takes it: the other result is there.
  for (size_t i = order.size(); i-- > 0;) {
    if (rewriter.gone(order[i])) continue;
    const Node& conv = graph.node(order[i]);
    if (!conv.op.is("Conv") || !conv.has_input(1) || !conv.has_output(0)) continue;
    if (!is_fusable_float(type_of(graph, conv.outputs[0]))) continue;
    constexpr size_t kFirstOperand = 3;
    const EpilogueMatch match = follow_epilogue(graph, conv.outputs[0], kFirstOperand);
    if (match.nodes.empty()) continue;

    context.notes.add("{} ends with {}", display_name(conv), to_string(match.steps));
    Node fused = conv.clone();
    fused.op = {std::string(kPrivateDomain), std::string(kFusedConv), 1};
    fused.epilogue = match.steps;
    if (!match.operands.empty()) fused.inputs.resize(kFirstOperand, ValueId::none);
    fused.inputs.insert(fused.inputs.end(), match.operands.begin(), match.operands.end());
    fused.explicit_inputs = static_cast<int32_t>(fused.inputs.size());
    std::vector<NodeId> nodes = {conv.id};
    nodes.insert(nodes.end(), match.nodes.begin(), match.nodes.end());
    fuse(rewriter, nodes, nodes.back(), std::move(fused));
  }
  return rewriter.finish();
}

}  // namespace overt
