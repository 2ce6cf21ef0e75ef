#include <fmt/core.h>

#include "ops/pool.h"
#include "providers/cpu/lowerings.h"
#include "providers/cpu/onednn/pooling.h"

namespace overt::cpu {
namespace {

/// Where a window reaches past the padded input (ceil_mode), oneDNN takes that as padding: right for maxima, not
/// for averages that count their padding.
bool reaches_past(const Window& window) {
  for (const WindowAxis& axis : window) {
    if (axis.start(axis.output - 1) + axis.extent() > axis.input + axis.pad_end) return true;
  }
  return false;
}

}  // namespace

Lowered lower_pool(const LowerContext& context) {
  if (!context.device.onednn) return Lowered::refused(context.device.onednn_refusal);
  const ValueId x = context.input(0);
  const ValueId y = context.node.outputs[0];
  if (!context.is_float32(x))
    return Lowered::refused(fmt::format("{} is not float32", data_type_name(context.type(x))));
  if (context.node.has_output(1)) return Lowered::refused("the Indices output");
  const Shape& shape = context.shape(x);
  if (shape.rank() < 3 || shape.rank() > 5) return Lowered::refused("1 to 3 spatial axes are supported");
  if (shape.elements() == 0 || context.shape(y).elements() == 0) return Lowered::refused("empty tensors");
  const PoolAttributes attributes = parse_pool(context.node);
  if (attributes.kind == PoolKind::lp) return Lowered::refused("LpPool");
  const PoolGeometry geometry = resolve_pool(context.node, attributes, shape);
  onednn::PoolingSpec spec;
  if (attributes.kind == PoolKind::average) {
    spec.kind = attributes.count_include_pad ? onednn::PoolingKind::average_with_padding
                                             : onednn::PoolingKind::average_without_padding;
    if (attributes.count_include_pad && reaches_past(geometry.window)) {
      return Lowered::refused("a window reaches past padding that counts");
    }
  }
  const int64_t block = context.layout(x).block;
  spec.source = Layout{shape, block};
  spec.destination = Layout{geometry.output, block};
  Window window = geometry.window;
  if (attributes.global) {  // the geometry sees the plane as one axis, oneDNN wants each
    window.clear();
    for (int64_t axis = 2; axis < shape.rank(); ++axis) window.push_back({shape[axis], shape[axis], 1, 1, 0, 0, 1});
  }
  for (const WindowAxis& axis : window) {
    spec.kernel.push_back(axis.kernel);
    spec.strides.push_back(axis.stride);
    spec.dilations.push_back(axis.dilation);
    spec.pads_begin.push_back(axis.pad_begin);
    // What oneDNN needs so that its output length is ours.
    spec.pads_end.push_back((axis.output - 1) * axis.stride + axis.extent() - axis.input - axis.pad_begin);
  }
  MadeKernel made = onednn::make_pooling(*context.device.onednn, spec);
  if (!made.kernel) return Lowered::refused(made.refusal);
  LoweredNode lowered;
  lowered.kernel = std::move(made.kernel);
  lowered.reads.push_back({x, spec.source});
  lowered.writes.push_back({y, spec.destination});
  return {std::move(lowered), {}};
}

}  // namespace overt::cpu
