#include "ops/conv_transpose.h"

#include <algorithm>
#include <array>

#include "ops/checks.h"
#include "ops/compute_values.h"
#include "ops/families.h"
#include "ops/matrix_product.h"

namespace overt {
namespace {

std::vector<int64_t> read_lengths(const Node& node, std::string_view name, int64_t least) {
  const std::span<const int64_t> list = node.integers(name);
  for (const int64_t number : list) {
    if (number < least || number > INT32_MAX) {
      reject_node(node, "{} has {}, expected {} to {}", name, number, least, INT32_MAX);
    }
  }
  return {list.begin(), list.end()};
}

void check_list(const Node& node, std::string_view name, const std::vector<int64_t>& list, size_t spatial_rank) {
  if (list.empty() || list.size() == spatial_rank) return;
  reject_node(node, "{} has {} numbers, expected {} for {} spatial axes", name, list.size(), spatial_rank,
              spatial_rank);
}

int64_t at_or(const std::vector<int64_t>& list, size_t i, int64_t fallback) {
  return i < list.size() ? list[i] : fallback;
}

bool is_same(AutoPad auto_pad) {
  return auto_pad == AutoPad::same_upper || auto_pad == AutoPad::same_lower;
}

/// Length of y along spatial axis i before pads are taken off.
Dim full_length(const ConvTransposeAttributes& attributes, size_t i, const Dim& kernel, const Dim& input) {
  const WindowAttributes& window = attributes.window;
  const Dim extent = (kernel - 1) * at_or(window.dilations, i, 1) + 1;
  return (input - 1) * at_or(window.strides, i, 1) + at_or(attributes.output_padding, i, 0) + extent;
}

Dim output_length(const Node& node, const ConvTransposeAttributes& attributes, size_t i, size_t rank,
                  const Dim& kernel, const Dim& input) {
  const WindowAttributes& window = attributes.window;
  if (kernel.is_number() && (kernel.number() < 1 || kernel.number() > INT32_MAX)) {
    reject_node(node, "a kernel length is {}, expected 1 to {}", kernel.number(), INT32_MAX);
  }
  if (input.is_number() && (input.number() < 1 || input.number() > (int64_t{1} << 30))) {
    reject_node(node, "a spatial length is {}, expected 1 to {}", input.number(), int64_t{1} << 30);
  }
  if (!attributes.output_shape.empty()) return attributes.output_shape[i];
  if (is_same(window.auto_pad)) return input * at_or(window.strides, i, 1);
  const bool padded = window.auto_pad == AutoPad::none;
  const int64_t pads = padded ? at_or(window.pads, i, 0) + at_or(window.pads, rank + i, 0) : 0;
  const Dim length = full_length(attributes, i, kernel, input) - pads;
  if (length.is_number() && length.number() < 1) {
    reject_node(node, "the pads on spatial axis {} sum to {} and leave an output length of {}", i, pads,
                length.number());
  }
  return length;
}

/// The window along axis i from y (input) to x (output).
WindowAxis resolve_axis(const ConvTransposeAttributes& attributes, size_t i, size_t rank, int64_t kernel, int64_t x,
                        int64_t y) {
  const WindowAttributes& window = attributes.window;
  WindowAxis axis;
  axis.input = y;
  axis.output = x;
  axis.kernel = kernel;
  axis.stride = at_or(window.strides, i, 1);
  axis.dilation = at_or(window.dilations, i, 1);
  if (!attributes.output_shape.empty() || is_same(window.auto_pad)) {
    const int64_t full = (x - 1) * axis.stride + at_or(attributes.output_padding, i, 0) + axis.extent();
    const int64_t total = std::max<int64_t>(full - y, 0);
    axis.pad_begin = window.auto_pad == AutoPad::same_upper ? total / 2 : total - total / 2;
    axis.pad_end = total - axis.pad_begin;
  } else if (window.auto_pad == AutoPad::none) {
    axis.pad_begin = at_or(window.pads, i, 0);
    axis.pad_end = at_or(window.pads, rank + i, 0);
  }
  return axis;
}

}  // namespace

ConvTransposeAttributes parse_conv_transpose(const Node& node) {
  ConvTransposeAttributes attributes;
  attributes.window = parse_window(node);
  attributes.output_padding = read_lengths(node, "output_padding", 0);
  attributes.output_shape = read_lengths(node, "output_shape", 1);
  attributes.group = node.integer("group", 1);
  if (attributes.group < 1) reject_node(node, "group is {}, expected at least 1", attributes.group);
  return attributes;
}

Dims conv_transpose_output_dims(const Node& node, const ConvTransposeAttributes& attributes, const Dims& x,
                                const Dims& w, const Dims* bias) {
  if (x.size() < 3 || x.size() != w.size()) {
    reject_node(node, "input {} and weight {} must have one rank of at least 3", to_string(x), to_string(w));
  }
  const size_t rank = x.size() - 2;
  check_window_rank(node, attributes.window, static_cast<int64_t>(rank));
  check_list(node, "output_padding", attributes.output_padding, rank);
  check_list(node, "output_shape", attributes.output_shape, rank);
  for (size_t i = 0; i < attributes.window.kernel.size(); ++i) {
    if (differ(attributes.window.kernel[i], w[i + 2])) {
      reject_node(node, "kernel_shape says {} on spatial axis {} where the weight {} has {}",
                  attributes.window.kernel[i], i, to_string(w), w[i + 2].to_string());
    }
  }
  if (differ(x[1], w[0])) {
    reject_node(node, "input {} has {} channels, expected {} from weight {}", to_string(x), x[1].to_string(),
                w[0].to_string(), to_string(w));
  }
  if (w[0].is_number() && w[0].number() % attributes.group != 0) {
    reject_node(node, "{} input channels do not divide into {} groups", w[0].number(), attributes.group);
  }
  const Dim channels = w[1] * attributes.group;
  if (bias != nullptr && (bias->size() != 1 || differ((*bias)[0], channels))) {
    reject_node(node, "bias has shape {}, expected [{}]", to_string(*bias), channels.to_string());
  }
  Dims output = {x[0], channels};
  for (size_t i = 0; i < rank; ++i) output.push_back(output_length(node, attributes, i, rank, w[i + 2], x[i + 2]));
  return output;
}

ConvTransposeGeometry resolve_conv_transpose(const Node& node, const ConvTransposeAttributes& attributes,
                                             const Shape& x, const Shape& w, const Shape* bias) {
  const Dims bias_dims = bias != nullptr ? to_dims(bias->dims()) : Dims();
  ConvTransposeGeometry geometry;
  geometry.output = to_shape(node, conv_transpose_output_dims(node, attributes, to_dims(x.dims()), to_dims(w.dims()),
                                                              bias != nullptr ? &bias_dims : nullptr));
  geometry.batch = x[0];
  geometry.group = attributes.group;
  geometry.group_inputs = w[0] / attributes.group;
  geometry.group_outputs = w[1];
  const size_t rank = static_cast<size_t>(x.rank() - 2);
  for (size_t i = 0; i < rank; ++i) {
    const int64_t axis = static_cast<int64_t>(i) + 2;
    geometry.window.push_back(resolve_axis(attributes, i, rank, w[axis], x[axis], geometry.output[axis]));
  }
  return geometry;
}

void infer_conv_transpose(InferContext& context) {
  const ConvTransposeAttributes attributes = parse_conv_transpose(context.node());
  const Dims *x = context.shape(0), *w = context.shape(1);
  const Dims* bias = context.has_input(2) ? context.shape(2) : nullptr;
  if (x == nullptr || w == nullptr) return context.set_output_type(0, context.type(0));
  context.set_output(
      0, ValueInfo::tensor(context.type(0), conv_transpose_output_dims(context.node(), attributes, *x, *w, bias)));
}

namespace {

/// Positions of x whose products are held at once, for `length` products each: bounds the scratch memory.
int64_t positions_at_once(int64_t length) {
  return std::clamp<int64_t>((int64_t{1} << 20) / length, 8, 512);
}

/// y[c][offset] += products[(c*taps + tap)*count + j] for each tap of window j that is inside y.
template <typename C>
void scatter_products(const std::vector<C>& products, std::span<const int64_t> offsets, int64_t channels,
                      int64_t plane, C* y) {
  const int64_t size = std::ssize(offsets);
  for (int64_t c = 0; c < channels; ++c) {
    const C* product = products.data() + c * size;
    C* channel = y + c * plane;
    for (int64_t i = 0; i < size; ++i) {
      const int64_t offset = offsets[static_cast<size_t>(i)];
      if (offset >= 0) channel[offset] += product[i];
    }
  }
}

/// As in ConvTransposeGeometry: products = transposed(w) * x, added to y where they belong. `bias` may be null.
template <typename C>
void convolve_transposed(const ConvTransposeGeometry& g, const C* x, const C* w, const C* bias, C* y) {
  const int64_t x_plane = output_plane(g.window), y_plane = input_plane(g.window);
  const int64_t rows = g.group_outputs * kernel_taps(g.window);
  for (int64_t plane = 0; plane < g.batch * g.group * g.group_outputs; ++plane) {
    const C start = bias != nullptr ? bias[plane % (g.group * g.group_outputs)] : C{};
    std::fill_n(y + plane * y_plane, y_plane, start);
  }
  const int64_t positions = positions_at_once(rows);
  std::vector<int64_t> offsets;
  std::vector<C> products;
  for (int64_t first = 0; first < x_plane; first += positions) {
    const int64_t count = std::min(positions, x_plane - first);
    window_offsets(g.window, first, count, offsets);
    for (int64_t part = 0; part < g.batch * g.group; ++part) {  // part = image*group + group number
      const MatrixView<C> weight = dense_matrix(w + part % g.group * g.group_inputs * rows, g.group_inputs, rows);
      const MatrixView<C> patch = {x + part * g.group_inputs * x_plane + first, g.group_inputs, count, x_plane, 1};
      products.assign(static_cast<size_t>(rows * count), C{});
      add_matrix_product(weight.transposed(), patch, products.data(), count);
      scatter_products<C>(products, offsets, g.group_outputs, y_plane, y + part * g.group_outputs * y_plane);
    }
  }
}

ReferenceKernel make_conv_transpose(const Node& node) {
  return [attributes = parse_conv_transpose(node)](KernelContext& context) {
    const TensorView &x = context.input(0), &w = context.input(1);
    const TensorView bias = context.has_input(2) ? context.input(2) : TensorView{};
    const Shape bias_shape = bias.shape();
    const ConvTransposeGeometry geometry = resolve_conv_transpose(context.node(), attributes, x.shape(), w.shape(),
                                                                  bias.present() ? &bias_shape : nullptr);
    const MutableTensorView y = context.output(0, x.type, geometry.output);
    if (y.elements() == 0) return;
    visit_compute_type(x.type, "ConvTranspose", [&]<typename C>() {
      const ComputeInput<C> x_values(x), w_values(w), bias_values(bias);
      const ComputeOutput<C> y_values(y);
      convolve_transposed<C>(geometry, x_values.data(), w_values.data(), bias_values.data(), y_values.data());
      y_values.store();
    });
  };
}

constexpr std::array kConvTransposeOps = {
    OpEntry{"", "ConvTranspose", infer_conv_transpose, make_conv_transpose},
};

}  // namespace

std::span<const OpEntry> conv_transpose_ops() {
  return kConvTransposeOps;
}

}  // namespace overt
