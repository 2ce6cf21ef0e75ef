#include "passes/channel_affine.h"

#include <algorithm>
#include <cmath>

#include "passes/numbers.h"

namespace overt {
namespace {

/// One number per channel out of a constant that broadcasts along all other axes.
std::optional<std::vector<double>> per_channel(const Tensor& constant, const ChannelLayout& layout) {
  const int64_t rank = constant.shape().rank();
  if (constant.empty() || !is_arithmetic_float(constant.type()) || rank > layout.rank) return std::nullopt;
  if (constant.elements() != 1 && constant.elements() != layout.channels) return std::nullopt;
  for (int64_t axis = 0; axis < rank; ++axis) {
    const bool is_channel_axis = axis + layout.rank - rank == layout.axis;
    if (constant.shape()[axis] != 1 && !is_channel_axis) return std::nullopt;
  }
  std::vector<double> values = to_doubles(constant);
  if (values.size() == 1) values.assign(static_cast<size_t>(layout.channels), values[0]);
  return values;
}

/// The constant of a BatchNormalization: [channels].
std::optional<std::vector<double>> parameter(const Graph& graph, const Node& node, size_t i, int64_t channels) {
  if (!node.has_input(i)) return std::nullopt;
  const Tensor& constant = graph.value(node.inputs[i]).constant;
  if (constant.empty() || !is_arithmetic_float(constant.type()) || constant.elements() != channels)
    return std::nullopt;
  return to_doubles(constant);
}

std::optional<ChannelAffine> read_batch_norm(const Graph& graph, const Node& node, ValueId input,
                                             const ChannelLayout& layout) {
  if (node.inputs[0] != input || layout.axis != 1 || node.integer("training_mode", 0) != 0) return std::nullopt;
  if (node.integer("spatial", 1) != 1) return std::nullopt;
  for (size_t i = 1; i < node.outputs.size(); ++i) {
    if (!node.has_output(i)) continue;
    const Value& value = graph.value(node.outputs[i]);
    if (!value.consumers.empty() || value.output_uses > 0) return std::nullopt;
  }
  const auto gamma = parameter(graph, node, 1, layout.channels);
  const auto beta = parameter(graph, node, 2, layout.channels);
  const auto mean = parameter(graph, node, 3, layout.channels);
  const auto variance = parameter(graph, node, 4, layout.channels);
  if (!gamma || !beta || !mean || !variance) return std::nullopt;
  const double epsilon = node.real("epsilon", 1e-5f);
  ChannelAffine affine(layout.channels);
  for (size_t c = 0; c < affine.scale.size(); ++c) {
    affine.scale[c] = (*gamma)[c] / std::sqrt((*variance)[c] + epsilon);
    affine.shift[c] = (*beta)[c] - (*mean)[c] * affine.scale[c];
  }
  return affine;
}

std::optional<ChannelAffine> read_arithmetic(const Graph& graph, const Node& node, ValueId input,
                                             const ChannelLayout& layout) {
  if (node.inputs.size() != 2 || !node.has_input(0) || !node.has_input(1)) return std::nullopt;
  const bool input_first = node.inputs[0] == input;
  if (!input_first && node.op.is("Div")) return std::nullopt;
  const auto values = per_channel(graph.value(node.inputs[input_first ? 1 : 0]).constant, layout);
  if (!values) return std::nullopt;
  ChannelAffine affine(layout.channels);
  for (size_t c = 0; c < affine.scale.size(); ++c) {
    if (node.op.is("Mul")) affine.scale[c] = (*values)[c];
    if (node.op.is("Div")) affine.scale[c] = 1.0 / (*values)[c];
    if (node.op.is("Add")) affine.shift[c] = (*values)[c];
    if (node.op.is("Sub")) affine.scale[c] = input_first ? 1.0 : -1.0;
    if (node.op.is("Sub")) affine.shift[c] = input_first ? -(*values)[c] : (*values)[c];
  }
  return affine;
}

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

}  // namespace

bool ChannelAffine::shifts() const {
  return std::ranges::any_of(shift, [](double value) { return value != 0.0; });
}

void ChannelAffine::then(const ChannelAffine& after) {
  for (size_t c = 0; c < scale.size(); ++c) {
    scale[c] *= after.scale[c];
    shift[c] = shift[c] * after.scale[c] + after.shift[c];
  }
}

std::vector<double> ChannelAffine::applied(std::span<const double> x) const {
  std::vector<double> y(x.begin(), x.end());
  for (size_t c = 0; c < y.size(); ++c) y[c] = y[c] * scale[c] + shift[c];
  return y;
}

std::optional<ChannelAffine> read_channel_affine(const Graph& graph, const Node& node, ValueId input,
                                                 const ChannelLayout& layout) {
  std::optional<ChannelAffine> affine;
  if (node.op.is("BatchNormalization")) {
    affine = read_batch_norm(graph, node, input, layout);
  } else if (node.op.is("Mul") || node.op.is("Div") || node.op.is("Add") || node.op.is("Sub")) {
    affine = read_arithmetic(graph, node, input, layout);
  }
  if (!affine || !all_finite(affine->scale) || !all_finite(affine->shift)) return std::nullopt;
  return affine;
}

}  // namespace overt
