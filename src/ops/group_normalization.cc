#include "ops/group_normalization.h"

#include <array>
#include <cmath>

#include "ops/checks.h"
#include "ops/compute_values.h"
#include "ops/families.h"

namespace overt {
namespace {

void check_channels(const Node& node, const GroupNormalizationAttributes& attributes, const Dims& x) {
  if (x.size() < 2) reject_node(node, "input {} has rank {}, expected at least 2", to_string(x), x.size());
  if (attributes.groups > 0 && x[1].is_number() && x[1].number() % attributes.groups != 0) {
    reject_node(node, "{} channels do not divide into {} groups", x[1].number(), attributes.groups);
  }
}

void check_parameter(const Node& node, const GroupNormalizationAttributes& attributes, const Dims& x, size_t input,
                     const Dims& shape) {
  const Dim expected = attributes.scale_per_group ? Dim(attributes.groups) : x[1];
  if (shape.size() == 1 && !differ(shape[0], expected)) return;
  reject_node(node, "input {} has shape {}, expected [{}] for input {}", input, to_string(shape),
              expected.to_string(), to_string(x));
}

}  // namespace

GroupNormalizationAttributes parse_group_normalization(const Node& node) {
  GroupNormalizationAttributes attributes;
  attributes.epsilon = node.real("epsilon", 1e-5f);
  if (node.op.type == "InstanceNormalization") return attributes;
  attributes.groups = node.integer("num_groups", 0);
  attributes.scale_per_group = node.op.since_version < 21;
  if (attributes.groups < 1) reject_node(node, "num_groups is {}, expected at least 1", attributes.groups);
  return attributes;
}

GroupNormalizationGeometry resolve_group_normalization(const Node& node,
                                                       const GroupNormalizationAttributes& attributes,
                                                       const Shape& x) {
  check_channels(node, attributes, to_dims(x.dims()));
  const int64_t groups = attributes.groups > 0 ? attributes.groups : x[1];
  return {x[0], groups, groups > 0 ? x[1] / groups : 0, x.elements(2, x.rank())};
}

void infer_group_normalization(InferContext& context) {
  const GroupNormalizationAttributes attributes = parse_group_normalization(context.node());
  if (const Dims* x = context.shape(0)) {
    check_channels(context.node(), attributes, *x);
    for (size_t i = 1; i < 3; ++i) {
      if (context.input(i).shape) check_parameter(context.node(), attributes, *x, i, *context.shape(i));
    }
  }
  set_output_like(context, 0, 0);
}

namespace {

template <typename C>
void group_normalization(const GroupNormalizationAttributes& attributes, const GroupNormalizationGeometry& g,
                         const C* x, const C* scale, const C* bias, C* y) {
  const int64_t length = g.group_channels * g.inner;
  for (int64_t part = 0; part < g.batch * g.groups; ++part, x += length, y += length) {
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < length; ++i) sum += static_cast<double>(x[i]);
    const double mean = sum / static_cast<double>(length);
    for (int64_t i = 0; i < length; ++i)
      squares += (static_cast<double>(x[i]) - mean) * (static_cast<double>(x[i]) - mean);
    const double inverse = 1 / std::sqrt(squares / static_cast<double>(length) + double{attributes.epsilon});
    const int64_t group = part % g.groups;
    for (int64_t i = 0; i < length; ++i) {
      const int64_t at = attributes.scale_per_group ? group : group * g.group_channels + i / g.inner;
      y[i] = static_cast<C>((static_cast<double>(x[i]) - mean) * inverse) * scale[at] + bias[at];
    }
  }
}

ReferenceKernel make_group_normalization(const Node& node) {
  return [attributes = parse_group_normalization(node)](KernelContext& context) {
    const TensorView &x = context.input(0), &scale = context.input(1), &bias = context.input(2);
    const GroupNormalizationGeometry geometry = resolve_group_normalization(context.node(), attributes, x.shape());
    check_parameter(context.node(), attributes, to_dims(x.dims), 1, to_dims(scale.dims));
    check_parameter(context.node(), attributes, to_dims(x.dims), 2, to_dims(bias.dims));
    const MutableTensorView y = context.output(0, x.type, x.shape());
    visit_compute_type(x.type, context.node().op.type, [&]<typename C>() {
      const ComputeInput<C> x_values(x), scales(scale), biases(bias);
      const ComputeOutput<C> out(y);
      group_normalization<C>(attributes, geometry, x_values.data(), scales.data(), biases.data(), out.data());
      out.store();
    });
  };
}

constexpr std::array kGroupNormalizationOps = {
    OpEntry{"", "GroupNormalization", infer_group_normalization, make_group_normalization},
    OpEntry{"", "InstanceNormalization", infer_group_normalization, make_group_normalization},
};

}  // namespace

std::span<const OpEntry> group_normalization_ops() {
  return kGroupNormalizationOps;
}

}  // namespace overt
