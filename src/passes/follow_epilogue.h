#ifndef OVERT_PASSES_FOLLOW_EPILOGUE_H_
#define OVERT_PASSES_FOLLOW_EPILOGUE_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "graph/graph.h"

namespace overt {

/// Element-wise nodes after a value, each the only reader of the one before.
struct EpilogueMatch {
  std::vector<NodeId> nodes;
  Epilogue steps;
  std::vector<ValueId> operands;  ///< of the add steps, in order
};

/// The epilogue step that the node is, as a function of its first input; nothing where it is none.
std::optional<EpilogueStep> activation_step(const Graph& graph, const Node& node);

/// Follows activations, and sums with values of the same shape, from `start` on: at most four steps with at most
/// two operands. The first operand will be input `first_operand` of the fused node.
EpilogueMatch follow_epilogue(const Graph& graph, ValueId start, size_t first_operand);

}  // namespace overt

#endif  // OVERT_PASSES_FOLLOW_EPILOGUE_H_
