#include "ops/axis_normalization.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ops/broadcast.h"
#include "ops/checks.h"
#include "ops/compute_values.h"
#include "ops/families.h"

namespace overt {

LpNormalizationAttributes parse_lp_normalization(const Node& node) {
  const LpNormalizationAttributes attributes = {node.integer("axis", -1), node.integer("p", 2)};
  if (attributes.p != 1 && attributes.p != 2) reject_node(node, "p is {}, expected 1 or 2", attributes.p);
  return attributes;
}

void infer_lp_normalization(InferContext& context) {
  const LpNormalizationAttributes attributes = parse_lp_normalization(context.node());
  if (const auto rank = context.input(0).rank()) normalise_axis(context.node(), attributes.axis, *rank);
  set_output_like(context, 0, 0);
}

MeanVarianceAttributes parse_mean_variance(const Node& node) {
  if (!node.has_attribute("axes")) return {{0, 2, 3}};
  const std::span<const int64_t> axes = node.integers("axes");
  return {{axes.begin(), axes.end()}};
}

void infer_mean_variance(InferContext& context) {
  const MeanVarianceAttributes attributes = parse_mean_variance(context.node());
  if (const auto rank = context.input(0).rank()) {
    for (const int64_t axis : attributes.axes) normalise_axis(context.node(), axis, *rank);
  }
  set_output_like(context, 0, 0);
}

LrnAttributes parse_lrn(const Node& node) {
  const LrnAttributes attributes = {node.integer("size", 0), node.real("alpha", 1e-4f), node.real("beta", 0.75f),
                                    node.real("bias", 1)};
  if (attributes.size < 1) reject_node(node, "size is {}, expected at least 1", attributes.size);
  return attributes;
}

void infer_lrn(InferContext& context) {
  parse_lrn(context.node());
  const auto rank = context.input(0).rank();
  if (rank && *rank < 2) context.reject("input has rank {}, expected at least 2", *rank);
  set_output_like(context, 0, 0);
}

namespace {

template <typename C>
void lp_normalise(int64_t p, const Shape& shape, int64_t axis, const C* x, C* y) {
  const int64_t length = shape[axis], stride = shape.elements(axis + 1, shape.rank());
  for (int64_t line = 0; line < shape.elements(0, axis) * stride; ++line) {
    const int64_t first = line / stride * length * stride + line % stride;
    double sum = 0;
    for (int64_t i = 0; i < length; ++i) {
      const double value = static_cast<double>(x[first + i * stride]);
      sum += p == 1 ? std::abs(value) : value * value;
    }
    const double norm = p == 1 ? sum : std::sqrt(sum);
    for (int64_t i = 0; i < length; ++i) {
      const int64_t at = first + i * stride;
      y[at] = norm == 0 ? C{} : static_cast<C>(static_cast<double>(x[at]) / norm);
    }
  }
}

template <typename C>
void mean_variance_normalise(const Shape& shape, const std::vector<bool>& reduced, const C* x, C* y) {
  std::vector<int64_t> kept;
  int64_t count = 1;
  for (int64_t axis = 0; axis < shape.rank(); ++axis) {
    const bool over = reduced[static_cast<size_t>(axis)];
    kept.push_back(over ? 1 : shape[axis]);
    if (over) count *= shape[axis];
  }
  const std::vector<int64_t> strides = broadcast_strides(kept, shape.dims());
  std::vector<double> mean(static_cast<size_t>(Shape(kept).elements())), variance(mean.size());
  const auto for_each = [&](auto&& visit) {
    int64_t at = 0;
    for (StridedWalk walk(shape.dims(), {strides}); !walk.done(); walk.next(), ++at) {
      visit(at, static_cast<size_t>(walk.offset(0)));
    }
  };
  for_each([&](int64_t at, size_t group) { mean[group] += static_cast<double>(x[at]) / static_cast<double>(count); });
  for_each([&](int64_t at, size_t group) {
    const double distance = static_cast<double>(x[at]) - mean[group];
    variance[group] += distance * distance / static_cast<double>(count);
  });
  for_each([&](int64_t at, size_t group) {
    y[at] = static_cast<C>((static_cast<double>(x[at]) - mean[group]) / (std::sqrt(variance[group]) + 1e-9));
  });
}

template <typename C>
void lrn(const LrnAttributes& attributes, const Shape& shape, const C* x, C* y) {
  const int64_t channels = shape[1], inner = shape.elements(2, shape.rank());
  const int64_t before = (attributes.size - 1) / 2, after = attributes.size - 1 - before;
  for (int64_t n = 0; n < shape[0]; ++n, x += channels * inner, y += channels * inner) {
    for (int64_t c = 0; c < channels; ++c) {
      const int64_t first = c - std::min(c, before), last = c + std::min(channels - 1 - c, after);
      for (int64_t i = 0; i < inner; ++i) {
        double sum = 0;
        for (int64_t other = first; other <= last; ++other) {
          const double value = static_cast<double>(x[other * inner + i]);
          sum += value * value;
        }
        const double base =
            double{attributes.bias} + double{attributes.alpha} / static_cast<double>(attributes.size) * sum;
        y[c * inner + i] =
            static_cast<C>(static_cast<double>(x[c * inner + i]) / std::pow(base, double{attributes.beta}));
      }
    }
  }
}

/// Runs compute.operator()<C>(shape, x, y) on a node of one input and an output of the same type and shape.
template <typename Compute>
void run_same_shape(KernelContext& context, Compute&& compute) {
  const TensorView& x = context.input(0);
  const MutableTensorView y = context.output(0, x.type, x.shape());
  visit_compute_type(x.type, context.node().op.type, [&]<typename C>() {
    const ComputeInput<C> in(x);
    const ComputeOutput<C> out(y);
    compute(x.shape(), in.data(), out.data());
    out.store();
  });
}

ReferenceKernel make_lp_normalization(const Node& node) {
  return [attributes = parse_lp_normalization(node)](KernelContext& context) {
    const int64_t axis = normalise_axis(context.node(), attributes.axis, context.input(0).rank());
    run_same_shape(
        context, [&](const Shape& shape, const auto* x, auto* y) { lp_normalise(attributes.p, shape, axis, x, y); });
  };
}

ReferenceKernel make_mean_variance(const Node& node) {
  return [attributes = parse_mean_variance(node)](KernelContext& context) {
    std::vector<bool> reduced(context.input(0).dims.size());
    for (const int64_t axis : attributes.axes) {
      reduced[static_cast<size_t>(normalise_axis(context.node(), axis, context.input(0).rank()))] = true;
    }
    run_same_shape(
        context, [&](const Shape& shape, const auto* x, auto* y) { mean_variance_normalise(shape, reduced, x, y); });
  };
}

ReferenceKernel make_lrn(const Node& node) {
  return [attributes = parse_lrn(node)](KernelContext& context) {
    if (context.input(0).rank() < 2) {
      reject_node(context.node(), "input has rank {}, expected at least 2", context.input(0).rank());
    }
    run_same_shape(context, [&](const Shape& shape, const auto* x, auto* y) { lrn(attributes, shape, x, y); });
  };
}

constexpr std::array kAxisNormalizationOps = {
    OpEntry{"", "LRN", infer_lrn, make_lrn},
    OpEntry{"", "LpNormalization", infer_lp_normalization, make_lp_normalization},
    OpEntry{"", "MeanVarianceNormalization", infer_mean_variance, make_mean_variance},
};

}  // namespace

std::span<const OpEntry> axis_normalization_ops() {
  return kAxisNormalizationOps;
}

}  // namespace overt
