#include "ops/layer_normalization.h"

#include <array>
#include <cmath>
#include <vector>

#include "ops/broadcast.h"
#include "ops/checks.h"
#include "ops/compute_values.h"
#include "ops/families.h"

namespace overt {

LayerNormalizationAttributes parse_layer_normalization(const Node& node) {
  LayerNormalizationAttributes attributes;
  attributes.axis = node.integer("axis", -1);
  attributes.epsilon = node.real("epsilon", 1e-5f);
  attributes.subtract_mean = node.op.type == "LayerNormalization";
  const int64_t stash = node.integer("stash_type", 1);
  attributes.stash_type = static_cast<DataType>(stash);
  if (stash != 1 && stash != 10 && stash != 11 && stash != 16) {
    reject_node(node, "stash_type is {}, expected 1, 10, 11 or 16 for a floating-point type", stash);
  }
  return attributes;
}

LayerNormalizationGeometry resolve_layer_normalization(const Node& node,
                                                       const LayerNormalizationAttributes& attributes,
                                                       const Shape& x) {
  const int64_t axis = normalise_axis(node, attributes.axis, x.rank());
  LayerNormalizationGeometry geometry;
  geometry.rows = x.elements(0, axis);
  geometry.length = x.elements(axis, x.rank());
  geometry.statistics = x;
  for (int64_t i = axis; i < x.rank(); ++i) geometry.statistics[i] = 1;
  return geometry;
}

void infer_layer_normalization(InferContext& context) {
  const LayerNormalizationAttributes attributes = parse_layer_normalization(context.node());
  set_output_like(context, 0, 0);
  ValueInfo statistics;
  statistics.type = attributes.stash_type;
  if (const Dims* x = context.shape(0)) {
    const int64_t rank = std::ssize(*x);
    statistics.shape = *x;
    for (int64_t i = normalise_axis(context.node(), attributes.axis, rank); i < rank; ++i) {
      (*statistics.shape)[static_cast<size_t>(i)] = 1;
    }
    for (size_t i = 1; i < 3; ++i) {
      const Dims* shape = context.has_input(i) ? context.shape(i) : nullptr;
      const bool fits = shape == nullptr || (shape->size() <= x->size() && broadcast(*x, *shape));
      if (!fits) context.reject("input {} {} does not broadcast to {}", i, to_string(*shape), to_string(*x));
    }
  }
  for (size_t i = 1; i < context.output_count(); ++i) context.set_output(i, statistics);
}

namespace {

/// What was found for one row.
struct RowStatistics {
  double mean = 0;               ///< 0 where the mean is not taken out
  double inverse_deviation = 0;  ///< 1 / sqrt(variance + epsilon)
};

template <typename C>
RowStatistics row_statistics(std::span<const C> row, const LayerNormalizationAttributes& attributes) {
  const double count = static_cast<double>(row.size());
  RowStatistics statistics;
  if (attributes.subtract_mean) {
    for (const C value : row) statistics.mean += static_cast<double>(value);
    statistics.mean /= count;
  }
  double squares = 0;
  for (const C value : row) {
    const double distance = static_cast<double>(value) - statistics.mean;
    squares += distance * distance;
  }
  statistics.inverse_deviation = 1 / std::sqrt(squares / count + double{attributes.epsilon});
  return statistics;
}

/// y = y * scale + bias, both broadcast to y's shape; bias may be absent.
template <typename C>
void scale_and_shift(const Node& node, std::span<const int64_t> dims, const TensorView& scale, const TensorView& bias,
                     std::span<C> y) {
  const ComputeInput<C> factors(scale), shifts(bias);
  const auto strides_of = [&](const TensorView& view) {
    if (!view.present()) return std::vector<int64_t>(dims.size(), 0);
    const auto shape = broadcast(dims, view.dims);
    if (!shape || !std::ranges::equal(shape->dims(), dims)) {
      reject_node(node, "{} does not broadcast to {}", view.shape().to_string(), Shape(dims).to_string());
    }
    return broadcast_strides(view.dims, dims);
  };
  C* value = y.data();
  for (StridedWalk walk(dims, {strides_of(scale), strides_of(bias)}); !walk.done(); walk.next(), ++value) {
    *value *= factors[walk.offset(0)];
    if (shifts.present()) *value += shifts[walk.offset(1)];
  }
}

template <typename C>
void layer_normalization(KernelContext& context, const LayerNormalizationAttributes& attributes,
                         const LayerNormalizationGeometry& g, const MutableTensorView& y) {
  const ComputeInput<C> x(context.input(0));
  const ComputeOutput<C> out(y);
  std::vector<C> means, deviations;
  for (int64_t row = 0; row < g.rows; ++row) {
    const std::span<const C> in =
        x.values().subspan(static_cast<size_t>(row * g.length), static_cast<size_t>(g.length));
    const RowStatistics statistics = row_statistics(in, attributes);
    for (int64_t i = 0; i < g.length; ++i) {
      const double distance = static_cast<double>(in[static_cast<size_t>(i)]) - statistics.mean;
      out[row * g.length + i] = static_cast<C>(distance * statistics.inverse_deviation);
    }
    means.push_back(static_cast<C>(statistics.mean));
    deviations.push_back(static_cast<C>(statistics.inverse_deviation));
  }
  const TensorView bias = context.has_input(2) ? context.input(2) : TensorView{};
  scale_and_shift<C>(context.node(), y.dims, context.input(1), bias, out.values());
  out.store();
  const auto store = [&](size_t output, const std::vector<C>& values) {
    if (!context.wants_output(output)) return;
    store_values<C>(values, context.output(output, attributes.stash_type, g.statistics));
  };
  store(1, means);
  store(2, deviations);
}

ReferenceKernel make_layer_normalization(const Node& node) {
  return [attributes = parse_layer_normalization(node)](KernelContext& context) {
    const TensorView& x = context.input(0);
    const LayerNormalizationGeometry geometry = resolve_layer_normalization(context.node(), attributes, x.shape());
    const MutableTensorView y = context.output(0, x.type, x.shape());
    visit_compute_type(x.type, context.node().op.type,
                       [&]<typename C>() { layer_normalization<C>(context, attributes, geometry, y); });
  };
}

constexpr std::array kLayerNormalizationOps = {
    OpEntry{"", "LayerNormalization", infer_layer_normalization, make_layer_normalization},
    OpEntry{"", "RMSNormalization", infer_layer_normalization, make_layer_normalization},
};

}  // namespace

std::span<const OpEntry> layer_normalization_ops() {
  return kLayerNormalizationOps;
}

}  // namespace overt
