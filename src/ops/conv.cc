#include "ops/conv.h"

#include <array>

#include "ops/checks.h"
#include "ops/compute_values.h"
#include "ops/families.h"
#include "ops/matrix_product.h"

namespace overt {
namespace {

/// Output positions whose patches are gathered at once, for patches of `length` elements: bounds the scratch memory.
int64_t positions_at_once(int64_t length) {
  return std::clamp<int64_t>((int64_t{1} << 20) / length, 8, 512);
}

void check_ranks(const Node& node, const Dims& x, const Dims& w) {
  if (x.size() < 3 || x.size() != w.size()) {
    reject_node(node, "input {} and weight {} must have one rank of at least 3", to_string(x), to_string(w));
  }
}

}  // namespace

ConvAttributes parse_conv(const Node& node) {
  ConvAttributes attributes;
  attributes.window = parse_window(node);
  attributes.group = node.integer("group", 1);
  if (attributes.group < 1) reject_node(node, "group is {}, expected at least 1", attributes.group);
  return attributes;
}

Dims conv_output_dims(const Node& node, const ConvAttributes& attributes, const Dims& x, const Dims& w,
                      const Dims* bias) {
  check_ranks(node, x, w);
  const std::span<const Dim> kernel = std::span(w).subspan(2);
  check_window_rank(node, attributes.window, std::ssize(kernel));
  for (size_t i = 0; i < attributes.window.kernel.size(); ++i) {
    if (differ(attributes.window.kernel[i], kernel[i])) {
      reject_node(node, "kernel_shape says {} on spatial axis {} where the weight {} has {}",
                  attributes.window.kernel[i], i, to_string(w), kernel[i].to_string());
    }
  }
  if (differ(x[1], w[1] * attributes.group)) {
    reject_node(node, "input {} has {} channels, expected {} from weight {} and group {}", to_string(x),
                x[1].to_string(), (w[1] * attributes.group).to_string(), to_string(w), attributes.group);
  }
  if (w[0].is_number() && w[0].number() % attributes.group != 0) {
    reject_node(node, "{} output channels do not divide into {} groups", w[0].number(), attributes.group);
  }
  if (bias != nullptr && (bias->size() != 1 || differ((*bias)[0], w[0]))) {
    reject_node(node, "bias has shape {}, expected [{}]", to_string(*bias), w[0].to_string());
  }
  Dims output = {x[0], w[0]};
  const Dims spatial = window_output_dims(node, attributes.window, kernel, std::span(x).subspan(2));
  output.insert(output.end(), spatial.begin(), spatial.end());
  return output;
}

ConvGeometry resolve_conv(const Node& node, const ConvAttributes& attributes, const Shape& x, const Shape& w,
                          const Shape* bias) {
  const Dims bias_dims = bias != nullptr ? to_dims(bias->dims()) : Dims();
  ConvGeometry geometry;
  geometry.output = to_shape(node, conv_output_dims(node, attributes, to_dims(x.dims()), to_dims(w.dims()),
                                                    bias != nullptr ? &bias_dims : nullptr));
  geometry.batch = x[0];
  geometry.group = attributes.group;
  geometry.group_inputs = w[1];
  geometry.group_outputs = w[0] / attributes.group;
  geometry.window = resolve_window(node, attributes.window, w.dims().subspan(2), x.dims().subspan(2));
  return geometry;
}

void infer_conv(InferContext& context) {
  const ConvAttributes attributes = parse_conv(context.node());
  const Dims* x = context.shape(0);
  const Dims* w = context.shape(1);
  const Dims* bias = context.has_input(2) ? context.shape(2) : nullptr;
  if (x != nullptr && w != nullptr) {
    const Dims output = conv_output_dims(context.node(), attributes, *x, *w, bias);
    return context.set_output(0, ValueInfo::tensor(context.type(0), output));
  }
  context.set_output_type(0, context.type(0));
}

namespace {

/// patches[(c*taps + tap)*count + j] = what tap `tap` of window j reads in channel c, 0 in the padding.
template <typename C>
void gather_patches(const C* x, int64_t plane, int64_t channels, std::span<const int64_t> offsets,
                    std::vector<C>& patches) {
  const int64_t size = std::ssize(offsets);
  patches.resize(static_cast<size_t>(channels * size));
  for (int64_t c = 0; c < channels; ++c) {
    const C* channel = x + c * plane;
    C* patch = patches.data() + c * size;
    for (int64_t i = 0; i < size; ++i) {
      const int64_t offset = offsets[static_cast<size_t>(i)];
      patch[i] = offset >= 0 ? channel[offset] : C{};
    }
  }
}

/// y = w * patches(x) + bias for each image and group, as in ConvGeometry. `bias` may be null.
template <typename C>
void convolve(const ConvGeometry& g, const C* x, const C* w, const C* bias, C* y) {
  const int64_t in_plane = input_plane(g.window), out_plane = output_plane(g.window);
  const int64_t rows = g.group_outputs, length = g.group_inputs * kernel_taps(g.window);
  const int64_t positions = positions_at_once(std::max<int64_t>(length, 1));
  std::vector<int64_t> offsets;
  std::vector<C> patches;
  for (int64_t first = 0; first < out_plane; first += positions) {
    const int64_t count = std::min(positions, out_plane - first);
    window_offsets(g.window, first, count, offsets);
    for (int64_t part = 0; part < g.batch * g.group; ++part) {  // part = image*group + group number
      const int64_t first_row = part % g.group * rows;
      C* out = y + part * rows * out_plane + first;
      for (int64_t row = 0; row < rows; ++row) {
        std::fill_n(out + row * out_plane, count, bias != nullptr ? bias[first_row + row] : C{});
      }
      gather_patches(x + part * g.group_inputs * in_plane, in_plane, g.group_inputs,
                     std::span<const int64_t>(offsets), patches);
      add_matrix_product(dense_matrix(w + first_row * length, rows, length),
                         dense_matrix<C>(patches.data(), length, count), out, out_plane);
    }
  }
}

ReferenceKernel make_conv(const Node& node) {
  return [attributes = parse_conv(node)](KernelContext& context) {
    const TensorView &x = context.input(0), &w = context.input(1);
    const TensorView bias = context.has_input(2) ? context.input(2) : TensorView{};
    const Shape bias_shape = bias.shape();
    const ConvGeometry geometry =
        resolve_conv(context.node(), attributes, x.shape(), w.shape(), bias.present() ? &bias_shape : nullptr);
    const MutableTensorView y = context.output(0, x.type, geometry.output);
    if (y.elements() == 0) return;
    visit_compute_type(x.type, "Conv", [&]<typename C>() {
      const ComputeInput<C> x_values(x), w_values(w), bias_values(bias);
      const ComputeOutput<C> y_values(y);
      convolve<C>(geometry, x_values.data(), w_values.data(), bias_values.data(), y_values.data());
      y_values.store();
    });
  };
}

constexpr std::array kConvOps = {
    OpEntry{"", "Conv", infer_conv, make_conv},
};

}  // namespace

std::span<const OpEntry> conv_ops() {
  return kConvOps;
}

}  // namespace overt
