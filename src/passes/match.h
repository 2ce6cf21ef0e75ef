#ifndef OVERT_PASSES_MATCH_H_
#define OVERT_PASSES_MATCH_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace overt {

/// The node that makes the value, where it is that operator of the standard; else null. `none` gives null.
const Node* made_by(const Graph& graph, ValueId id, std::string_view type);

/// A constant of one element as a number; nothing for anything else.
std::optional<double> scalar_value(const Graph& graph, ValueId id);

/// The same, only where `scalar` beside `other` in an element-wise operator gives a result of `other`'s shape.
std::optional<double> scalar_beside(const Graph& graph, ValueId scalar, ValueId other);

/// A value and a number, the operands of a binary operator.
struct WithScalar {
  ValueId value = ValueId::none;
  double scalar = 0.0;
};
/// The operands of `value op scalar` or, where `either_order`, of `scalar op value`.
std::optional<WithScalar> with_scalar(const Graph& graph, const Node& node, bool either_order);

/// Whether `found`, a constant of a model in `type`, was meant to be `wanted`: equal within the rounding of the
/// type, and for float32 within what people write down of an irrational number.
bool is_about(double found, double wanted, DataType type);

/// coefficient * factors[0] * factors[1] * ..., a value repeated as often as it is a factor.
struct Product {
  double coefficient = 1.0;
  std::vector<ValueId> factors;
  std::vector<NodeId> nodes;  ///< that compute it, the last multiplication first

  /// The factors are `a` and one more, which is given; else none.
  ValueId other_than(ValueId a) const;
  bool is_power(ValueId base, size_t exponent) const;
};
/// Takes apart the product that ends in `root`: Mul, Div by a constant, and Pow with exponent 2 or 3, through
/// values that nothing else reads. A value made otherwise is its own product.
Product factorise(const Graph& graph, ValueId root);

bool same_shape(const Graph& graph, ValueId a, ValueId b);  ///< both known, and equal for all symbols
DataType type_of(const Graph& graph, ValueId id);

}  // namespace overt

#endif  // OVERT_PASSES_MATCH_H_
