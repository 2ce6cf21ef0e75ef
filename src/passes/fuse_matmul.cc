#include <optional>
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
namespace {

/// Whether the value is as long as the last axis of `y`, has no other axis longer than 1, and no more axes than y.
bool is_bias(const Graph& graph, ValueId value, ValueId y) {
  const auto& bias = graph.value(value).info.shape;
  const auto& result = graph.value(y).info.shape;
  if (!bias || !result || bias->empty() || bias->size() > result->size()) return false;
  for (size_t i = 0; i + 1 < bias->size(); ++i) {
    if (!((*bias)[i] == Dim(1))) return false;
  }
  return bias->back() == result->back();
}

/// A matrix product with the bias that is its own or is added to it.
struct Product {
  ValueId bias = ValueId::none;
  ValueId result = ValueId::none;
  std::vector<NodeId> nodes;
};

std::optional<Product> read_product(const Graph& graph, const Node& node) {
  if (!node.has_input(0) || !node.has_input(1) || !node.has_output(0)) return std::nullopt;
  Product product;
  product.result = node.outputs[0];
  product.nodes = {node.id};
  if (!is_fusable_float(type_of(graph, product.result))) return std::nullopt;
  if (node.op.is("Gemm")) {
    if (node.op.since_version < 7) return std::nullopt;
    if (!node.has_input(2)) return product;
    if (!is_bias(graph, node.inputs[2], product.result)) return std::nullopt;
    product.bias = node.inputs[2];
    return product;
  }
  for (size_t i = 0; i < 2; ++i) {
    if (graph.value(node.inputs[i]).info.rank().value_or(0) < 2) return std::nullopt;
  }
  const Node* sum = graph.only_consumer(product.result);
  if (sum == nullptr || !sum->op.is("Add") || sum->inputs.size() != 2) return product;
  const ValueId other = sum->inputs[0] == product.result ? sum->inputs[1] : sum->inputs[0];
  if (other == ValueId::none || other == product.result || !is_bias(graph, other, product.result)) return product;
  product.bias = other;
  product.result = sum->outputs[0];
  product.nodes.push_back(sum->id);
  return product;
}

}  // namespace

bool fuse_matmul(PassContext& context) {
  Rewriter rewriter(context.graph);
  const Graph& graph = rewriter.graph();
  const std::span<const NodeId> order = rewriter.order();
  for (size_t i = order.size(); i-- > 0;) {  // from the end, as fuse_convolution
    if (rewriter.gone(order[i])) continue;
    const Node& node = graph.node(order[i]);
    if (!node.op.is("MatMul") && !node.op.is("Gemm")) continue;
    auto product = read_product(graph, node);
    if (!product) continue;
    constexpr size_t kFirstOperand = 3;
    const EpilogueMatch match = follow_epilogue(graph, product->result, kFirstOperand);
    std::vector<NodeId> nodes = product->nodes;
    nodes.insert(nodes.end(), match.nodes.begin(), match.nodes.end());
    if (nodes.size() == 1) continue;

    context.notes.add("{} takes in {} nodes: {}{}", display_name(node), nodes.size() - 1,
                      product->nodes.size() > 1 ? "bias " : "", to_string(match.steps));
    Node fused = node.clone();
    fused.op = {std::string(kPrivateDomain), std::string(kFusedMatMul), 1};
    fused.epilogue = match.steps;
    fused.inputs.resize(2);
    if (product->bias != ValueId::none) fused.inputs.push_back(product->bias);
    if (!match.operands.empty()) fused.inputs.resize(kFirstOperand, ValueId::none);
    fused.inputs.insert(fused.inputs.end(), match.operands.begin(), match.operands.end());
    fused.explicit_inputs = static_cast<int32_t>(fused.inputs.size());
    fuse(rewriter, nodes, nodes.back(), std::move(fused));
  }
  return rewriter.finish();
}

}  // namespace overt
