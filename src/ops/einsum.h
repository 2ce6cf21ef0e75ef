#ifndef OVERT_OPS_EINSUM_H_
#define OVERT_OPS_EINSUM_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ops/infer_context.h"

namespace overt {

/// An equation's terms, one character per axis: a letter, or '.' for the axes of an ellipsis.
struct EinsumAttributes {
  std::vector<std::string> inputs;
  std::string output;  ///< explicit, or as numpy makes it: the ellipsis, then letters that occur once, sorted
};
/// Throws Error(invalid_model) where the equation does not follow the standard's grammar.
EinsumAttributes parse_einsum(const Node& node);

/// An equation with its ellipses spelled out. A label is a position in `lengths`.
struct EinsumTerms {
  std::vector<std::vector<int>> inputs;  ///< label of each axis
  std::vector<int> output;               ///< label of each axis, each once
  Dims lengths;                          ///< of each label; an input axis of length 1 broadcasts to it
};
/// Throws Error(invalid_model) where ranks or lengths do not fit.
EinsumTerms resolve_einsum(const Node& node, const EinsumAttributes& attributes, std::span<const Dims> shapes);

void infer_einsum(InferContext& context);

}  // namespace overt

#endif  // OVERT_OPS_EINSUM_H_
