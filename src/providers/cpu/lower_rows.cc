#include <fmt/core.h>

#include "ops/layer_normalization.h"
#include "ops/resample.h"
#include "ops/resize.h"
#include "ops/softmax.h"
#include "providers/cpu/host_kernel.h"
#include "providers/cpu/kernels/resize.h"
#include "providers/cpu/kernels/rows.h"
#include "providers/cpu/lowerings.h"

namespace overt::cpu {
namespace {

std::string refuse(const LowerContext& context) {
  const ValueId x = context.input(0);
  if (!context.is_float32(x)) return fmt::format("{} is not float32", data_type_name(context.type(x)));
  if (context.shape(x).elements() == 0) return "empty tensors";
  return {};
}

}  // namespace

Lowered lower_softmax(const LowerContext& context) {
  if (std::string refusal = refuse(context); !refusal.empty()) return Lowered::refused(std::move(refusal));
  const ValueId x = context.input(0);
  const Shape& shape = context.shape(x);
  const SoftmaxAttributes attributes = parse_softmax(context.node);
  const SoftmaxGeometry geometry = resolve_softmax(context.node, attributes, shape);
  if (geometry.inner != 1) return Lowered::refused("the axis is not the last one");
  LoweredNode lowered;
  lowered.reads.push_back({x, plain(shape)});
  lowered.writes.push_back({context.node.outputs[0], plain(shape)});
  lowered.in_place_read = 0;
  Threads& threads = context.device.threads();
  const auto rows =
      attributes.logarithm ? &log_softmax_rows : static_cast<decltype(&log_softmax_rows)>(&softmax_rows);
  lowered.kernel = host_kernel(attributes.logarithm ? "log_softmax_rows" : "softmax_rows",
                               [rows, geometry, &threads](std::span<void* const> pointers) {
                                 rows(static_cast<const float*>(pointers[0]), static_cast<float*>(pointers[1]),
                                      geometry.outer, geometry.length, threads);
                               });
  return {std::move(lowered), {}};
}

Lowered lower_layer_normalization(const LowerContext& context) {
  if (std::string refusal = refuse(context); !refusal.empty()) return Lowered::refused(std::move(refusal));
  const ValueId x = context.input(0);
  const ValueId scale = context.input(1);
  const ValueId bias = context.input(2);
  const LayerNormalizationAttributes attributes = parse_layer_normalization(context.node);
  const auto geometry = resolve_layer_normalization(context.node, attributes, context.shape(x));
  if (context.node.has_output(1) || context.node.has_output(2)) return Lowered::refused("the statistics are outputs");
  if (context.shape(scale).elements() != geometry.length) return Lowered::refused("the scale is broadcast");
  if (bias != ValueId::none && context.shape(bias).elements() != geometry.length)
    return Lowered::refused("the bias is broadcast");
  LoweredNode lowered;
  lowered.reads.push_back({x, plain(context.shape(x))});
  lowered.reads.push_back({scale, plain(context.shape(scale))});
  if (bias != ValueId::none) lowered.reads.push_back({bias, plain(context.shape(bias))});
  lowered.writes.push_back({context.node.outputs[0], plain(context.shape(x))});
  lowered.in_place_read = 0;
  LayerNormRows rows;
  rows.rows = geometry.rows;
  rows.cols = geometry.length;
  rows.epsilon = attributes.epsilon;
  const bool has_bias = bias != ValueId::none;
  Threads& threads = context.device.threads();
  lowered.kernel = host_kernel("layer_norm_rows", [rows, has_bias, &threads](std::span<void* const> pointers) {
    LayerNormRows bound = rows;
    bound.x = static_cast<const float*>(pointers[0]);
    bound.scale = static_cast<const float*>(pointers[1]);
    bound.bias = has_bias ? static_cast<const float*>(pointers[2]) : nullptr;
    bound.y = static_cast<float*>(pointers[has_bias ? 3 : 2]);
    layer_norm_rows(bound, threads);
  });
  return {std::move(lowered), {}};
}

Lowered lower_nearest_resize(const LowerContext& context) {
  if (std::string refusal = refuse(context); !refusal.empty()) return Lowered::refused(std::move(refusal));
  const ValueId x = context.input(0);
  const Shape& shape = context.shape(x);
  const ResizeAttributes attributes = parse_resize(context.node);
  if (attributes.mode != ResizeMode::nearest || shape.rank() != 4)
    return Lowered::refused("not the nearest mode on four axes");
  if (attributes.coordinates == CoordinateMode::tf_crop_and_resize) return Lowered::refused("tf_crop_and_resize");
  const auto contents = [&]<typename T>(int input, std::type_identity<T>) -> std::span<const T> {
    if (input < 0) return {};
    const Tensor* constant = context.constant(context.input(static_cast<size_t>(input)));
    return constant != nullptr ? constant->values<T>() : std::span<const T>();
  };
  const std::span<const float> scales = attributes.scales.empty()
                                            ? contents(attributes.scales_input, std::type_identity<float>())
                                            : std::span<const float>(attributes.scales);
  const std::vector<ResizeAxis> axes = resolve_resize(
      context.node, attributes, shape, {}, scales, contents(attributes.sizes_input, std::type_identity<int64_t>()));
  for (size_t axis = 0; axis < 2; ++axis) {
    if (axes[axis].input != axes[axis].output) return Lowered::refused("batch or channels are resized");
  }
  NearestResize resize;
  const int64_t block = context.layout(x).block;
  const Layout source{shape, block};
  const Layout target{context.shape(context.node.outputs[0]), block};
  resize.planes = shape[0] * (source.blocked() ? source.channel_groups() : shape[1]);
  resize.lanes = block;
  resize.rows_in = shape[2];
  resize.cols_in = shape[3];
  resize.row_of = sample_axis(attributes, axes[2]).indices;
  resize.col_of = sample_axis(attributes, axes[3]).indices;
  LoweredNode lowered;
  lowered.reads.push_back({x, source});
  lowered.writes.push_back({context.node.outputs[0], target});
  Threads& threads = context.device.threads();
  lowered.kernel =
      host_kernel("resize_nearest", [resize = std::move(resize), &threads](std::span<void* const> pointers) {
        resize_nearest(resize, static_cast<const float*>(pointers[0]), static_cast<float*>(pointers[1]), threads);
      });
  return {std::move(lowered), {}};
}

}  // namespace overt::cpu
