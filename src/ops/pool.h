#ifndef OVERT_OPS_POOL_H_
#define OVERT_OPS_POOL_H_

#include <cstdint>

#include "ops/infer_context.h"
#include "ops/window.h"

namespace overt {

enum class PoolKind : uint8_t { maximum, average, lp };

/// MaxPool, AveragePool, LpPool and their Global forms, by every opset.
struct PoolAttributes {
  PoolKind kind = PoolKind::maximum;
  bool global = false;  ///< one window as large as the plane; `window` is then empty
  WindowAttributes window;
  bool count_include_pad = false;  ///< average: pads count as elements of value 0
  bool column_major = false;       ///< maximum: Indices count the spatial axes with the first one fastest
  double p = 2;                    ///< lp: the norm's order, > 0
};
/// Throws Error(invalid_model) for numbers outside the standard.
PoolAttributes parse_pool(const Node& node);

/// A pool of concrete shapes, over planes: x: [planes, window[i].input...], y: [planes, window[i].output...].
struct PoolGeometry {
  int64_t planes = 0;  ///< batch * channels
  Window window;
  Shape output;
};

/// The output's shape. Throws Error(invalid_model) where the attributes do not fit the input.
Dims pool_output_dims(const Node& node, const PoolAttributes& attributes, const Dims& x);
/// Attributes and shape as numbers. Throws like `pool_output_dims`.
PoolGeometry resolve_pool(const Node& node, const PoolAttributes& attributes, const Shape& x);

/// How many elements an average divides by at the walk's position: those inside the input, or inside the
/// padded input where the pads count. A window that reaches past the padded input never counts what is there.
int64_t average_count(const PoolAttributes& attributes, const Window& window, const WindowWalk& walk);

void infer_pool(InferContext& context);

}  // namespace overt

#endif  // OVERT_OPS_POOL_H_
