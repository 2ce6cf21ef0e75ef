#ifndef OVERT_OPS_SOFTMAX_H_
#define OVERT_OPS_SOFTMAX_H_

#include <cstdint>
#include <span>

#include "graph/node.h"
#include "ops/infer_context.h"

namespace overt {

/// Softmax and LogSoftmax, by every opset.
struct SoftmaxAttributes {
  int64_t axis = -1;              ///< as in the model, [-rank, rank)
  bool flatten_trailing = false;  ///< opset < 13: dims [axis, rank) form one row
  bool logarithm = false;         ///< LogSoftmax: the logarithm of each result
};
SoftmaxAttributes parse_softmax(const Node& node);

/// A concrete input as rows: element i of row (o, n) lies at (o*length + i)*inner + n, for o in [0, outer) and
/// n in [0, inner).
struct SoftmaxGeometry {
  int64_t outer = 1;
  int64_t length = 1;
  int64_t inner = 1;
};
/// Throws Error(invalid_model) where the axis is out of range.
SoftmaxGeometry resolve_softmax(const Node& node, const SoftmaxAttributes& attributes, const Shape& input);

void infer_softmax(InferContext& context);

/// Softmax of each row, or its logarithm.
///
/// x, y: outer*length*inner elements as in `geometry`, row-major. y may be x. C is float or double.
/// A NaN in a row makes that row NaN, and so does +infinity or a row of -infinity alone. An empty row writes
/// nothing. Cannot fail. Safe to call from several threads on different y.
/// Source: ONNX Softmax-13; the row's maximum is taken out first, so that no exponential overflows.
template <typename C>
void softmax_rows(const SoftmaxGeometry& geometry, bool logarithm, std::span<const C> x, std::span<C> y);

}  // namespace overt

#endif  // OVERT_OPS_SOFTMAX_H_
