#ifndef OVERT_OPS_MAX_UNPOOL_H_
#define OVERT_OPS_MAX_UNPOOL_H_

#include "ops/infer_context.h"
#include "ops/window.h"

namespace overt {

/// MaxUnpool, by every opset: the window of the MaxPool that it undoes.
WindowAttributes parse_max_unpool(const Node& node);

/// The shape that the indices count in: what MaxPool had as its input, were nothing rounded.
/// Throws Error(invalid_model) where the window does not fit x.
Dims max_unpool_inner_dims(const Node& node, const WindowAttributes& attributes, const Dims& x);

void infer_max_unpool(InferContext& context);

}  // namespace overt

#endif  // OVERT_OPS_MAX_UNPOOL_H_
