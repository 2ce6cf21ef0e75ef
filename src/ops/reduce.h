#ifndef OVERT_OPS_REDUCE_H_
#define OVERT_OPS_REDUCE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "graph/node.h"
#include "overt/tensor.h"

namespace overt {

/// The attributes of ReduceSum, ReduceMean and the other reductions.
struct ReduceAttributes {
  bool axes_are_input = true;         ///< input 1, which may be left out (ReduceSum: opset >= 13, others: >= 18)
  std::vector<int64_t> axes;          ///< as in the model, where they are an attribute; empty: left out
  bool keepdims = true;               ///< reduced axes stay, with length 1
  bool noop_with_empty_axes = false;  ///< no axes: reduce none of them instead of all
};
ReduceAttributes parse_reduce(const Node& node);

/// One flag per axis of an input of this rank: whether it is reduced. `axes` are the attribute or the input's
/// contents, empty where left out. Throws Error(invalid_model) for an axis out of range or named twice.
std::vector<bool> reduced_axes(const Node& node, const ReduceAttributes& attributes, std::span<const int64_t> axes,
                               int64_t rank);

/// The result's shape.
Shape reduced_shape(std::span<const int64_t> dims, const std::vector<bool>& reduced, bool keepdims);

}  // namespace overt

#endif  // OVERT_OPS_REDUCE_H_
