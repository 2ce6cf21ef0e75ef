#include "passes/match.h"

#include <algorithm>
#include <cmath>

#include "passes/numbers.h"

namespace overt {
namespace {

constexpr size_t kMostNodes = 8;  ///< of a product; longer ones are not what a pattern looks for

/// Adds the operands of a multiplication to the product or to those still to be taken apart.
/// False where the node is no multiplication.
bool take_apart(const Graph& graph, const Node& node, Product& product, std::vector<ValueId>& waiting) {
  if (node.op.is("Mul")) {
    if (const auto scaled = with_scalar(graph, node, /*either_order=*/true)) {
      product.coefficient *= scaled->scalar;
      waiting.push_back(scaled->value);
      return true;
    }
    waiting.push_back(node.inputs[1]);
    waiting.push_back(node.inputs[0]);
    return true;
  }
  if (node.op.is("Div")) {
    const auto divided = with_scalar(graph, node, /*either_order=*/false);
    if (!divided || divided->scalar == 0.0) return false;
    product.coefficient /= divided->scalar;
    waiting.push_back(divided->value);
    return true;
  }
  if (node.op.is("Pow")) {
    const auto power = with_scalar(graph, node, /*either_order=*/false);
    if (!power || (power->scalar != 2.0 && power->scalar != 3.0)) return false;
    product.factors.insert(product.factors.end(), static_cast<size_t>(power->scalar), power->value);
    return true;
  }
  return false;
}

}  // namespace

const Node* made_by(const Graph& graph, ValueId id, std::string_view type) {
  if (id == ValueId::none) return nullptr;
  const Node* node = graph.producer(id);
  return node != nullptr && node->op.is(type) ? node : nullptr;
}

std::optional<double> scalar_value(const Graph& graph, ValueId id) {
  if (id == ValueId::none) return std::nullopt;
  const Tensor& constant = graph.value(id).constant;
  if (constant.empty() || constant.elements() != 1 || !is_numeric(constant.type())) return std::nullopt;
  return to_doubles(constant)[0];
}

std::optional<double> scalar_beside(const Graph& graph, ValueId scalar, ValueId other) {
  const auto number = scalar_value(graph, scalar);
  if (!number || other == ValueId::none) return std::nullopt;
  const int64_t rank = graph.value(scalar).constant.shape().rank();
  if (rank > 0 && graph.value(other).info.rank().value_or(0) < rank) return std::nullopt;
  return number;
}

std::optional<WithScalar> with_scalar(const Graph& graph, const Node& node, bool either_order) {
  if (node.inputs.size() != 2) return std::nullopt;
  if (const auto number = scalar_beside(graph, node.inputs[1], node.inputs[0])) {
    return WithScalar{node.inputs[0], *number};
  }
  if (!either_order) return std::nullopt;
  if (const auto number = scalar_beside(graph, node.inputs[0], node.inputs[1])) {
    return WithScalar{node.inputs[1], *number};
  }
  return std::nullopt;
}

bool is_about(double found, double wanted, DataType type) {
  double tolerance = 1e-5;
  if (type == DataType::float16) tolerance = 1e-3;
  if (type == DataType::bfloat16) tolerance = 8e-3;
  if (type == DataType::float64) tolerance = 1e-7;
  return std::abs(found - wanted) <= tolerance * std::abs(wanted);
}

ValueId Product::other_than(ValueId a) const {
  if (factors.size() != 2 || a == ValueId::none) return ValueId::none;
  if (factors[0] == a) return factors[1];
  return factors[1] == a ? factors[0] : ValueId::none;
}

bool Product::is_power(ValueId base, size_t exponent) const {
  return factors.size() == exponent && std::ranges::all_of(factors, [&](ValueId factor) { return factor == base; });
}

Product factorise(const Graph& graph, ValueId root) {
  Product product;
  std::vector<ValueId> waiting = {root};
  while (!waiting.empty()) {
    const ValueId id = waiting.back();
    waiting.pop_back();
    const Node* node = graph.producer(id);
    const bool reachable = id == root || graph.only_consumer(id) != nullptr;
    if (node != nullptr && reachable && product.nodes.size() < kMostNodes &&
        take_apart(graph, *node, product, waiting)) {
      product.nodes.push_back(node->id);
    } else {
      product.factors.push_back(id);
    }
  }
  return product;
}

bool same_shape(const Graph& graph, ValueId a, ValueId b) {
  const ValueInfo& first = graph.value(a).info;
  const ValueInfo& second = graph.value(b).info;
  return first.shape && second.shape && *first.shape == *second.shape;
}

DataType type_of(const Graph& graph, ValueId id) {
  const ValueInfo& info = graph.value(id).info;
  return info.kind == ValueKind::tensor ? info.type : DataType::undefined;
}

}  // namespace overt
