#include "ops/max_unpool.h"

#include <algorithm>
#include <array>

#include "ops/broadcast.h"
#include "ops/checks.h"
#include "ops/families.h"
#include "ops/visit.h"

namespace overt {

WindowAttributes parse_max_unpool(const Node& node) {
  WindowAttributes attributes = parse_window(node);
  if (attributes.kernel.empty()) reject_node(node, "attribute kernel_shape is missing");
  return attributes;
}

Dims max_unpool_inner_dims(const Node& node, const WindowAttributes& attributes, const Dims& x) {
  if (x.size() < 3) reject_node(node, "input {} has rank {}, expected at least 3", to_string(x), x.size());
  const size_t rank = x.size() - 2;
  check_window_rank(node, attributes, static_cast<int64_t>(rank));
  Dims dims = {x[0], x[1]};
  for (size_t i = 0; i < rank; ++i) {
    const int64_t stride = attributes.strides.empty() ? 1 : attributes.strides[i];
    const int64_t pads = attributes.pads.empty() ? 0 : attributes.pads[i] + attributes.pads[rank + i];
    dims.push_back((x[i + 2] - 1) * stride - pads + attributes.kernel[i]);
    if (dims.back().is_number() && dims.back().number() < 0) {
      reject_node(node, "the pads on spatial axis {} sum to {} and leave an output length of {}", i, pads,
                  dims.back().number());
    }
  }
  return dims;
}

namespace {

/// The output's shape where the optional input says it: as large as the inner shape at least.
void check_output_shape(const Node& node, const Dims& inner, const Dims& output) {
  bool fits = output.size() == inner.size();
  for (size_t i = 0; fits && i < inner.size(); ++i) {
    const bool are_numbers = inner[i].is_number() && output[i].is_number();
    fits = !are_numbers || output[i].number() >= inner[i].number();
  }
  if (!fits) reject_node(node, "output_shape {} is smaller than {}", to_string(output), to_string(inner));
}

}  // namespace

void infer_max_unpool(InferContext& context) {
  const WindowAttributes attributes = parse_max_unpool(context.node());
  const Dims* x = context.shape(0);
  if (x == nullptr) return context.set_output_type(0, context.type(0));
  Dims dims = max_unpool_inner_dims(context.node(), attributes, *x);
  if (context.has_input(2)) {
    std::optional<Dims> output = context.integers(2);
    if (output) check_output_shape(context.node(), dims, *output);
    for (size_t i = 0; i < dims.size(); ++i) {
      dims[i] = output ? (*output)[i] : context.unknown_dim(0, static_cast<int64_t>(i));
    }
  }
  context.set_output(0, ValueInfo::tensor(context.type(0), dims));
}

namespace {

/// Puts each value where its index in the inner shape says; the inner shape is the first corner of the output.
template <typename E>
void unpool(KernelContext& context, const Shape& inner, const TensorView& x, const MutableTensorView& y) {
  const std::span<const int64_t> indices = context.input(1).values<int64_t>();
  const E* values = static_cast<const E*>(x.data);
  E* out = static_cast<E*>(y.data);
  std::fill_n(out, y.elements(), E{});
  const std::vector<int64_t> strides = row_major_strides(y.dims);
  const int64_t limit = inner.elements();
  for (size_t i = 0; i < indices.size(); ++i) {
    int64_t index = indices[i], offset = 0;
    if (index < 0 || index >= limit) context.reject("index {} is out of range, expected 0 to {}", index, limit - 1);
    for (int64_t axis = inner.rank(); axis-- > 0;) {
      offset += index % inner[axis] * strides[static_cast<size_t>(axis)];
      index /= inner[axis];
    }
    out[offset] = values[i];
  }
}

ReferenceKernel make_max_unpool(const Node& node) {
  return [attributes = parse_max_unpool(node)](KernelContext& context) {
    const TensorView &x = context.input(0), &indices = context.input(1);
    if (indices.shape() != x.shape()) {
      reject_node(context.node(), "indices have shape {}, expected {}", indices.shape().to_string(),
                  x.shape().to_string());
    }
    const Dims inner = max_unpool_inner_dims(context.node(), attributes, to_dims(x.dims));
    Dims output = inner;
    if (context.has_input(2)) {
      output = to_dims(context.input(2).values<int64_t>());
      check_output_shape(context.node(), inner, output);
    }
    const MutableTensorView y = context.output(0, x.type, to_shape(context.node(), output));
    visit_element_size(x.type, "MaxUnpool",
                       [&]<typename E>() { unpool<E>(context, to_shape(context.node(), inner), x, y); });
  };
}

constexpr std::array kMaxUnpoolOps = {
    OpEntry{"", "MaxUnpool", infer_max_unpool, make_max_unpool, input_bit(2)},
};

}  // namespace

std::span<const OpEntry> max_unpool_ops() {
  return kMaxUnpoolOps;
}

}  // namespace overt
