#include "ops/softmax.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ops/checks.h"
#include "ops/compute_values.h"
#include "ops/families.h"

namespace overt {

SoftmaxAttributes parse_softmax(const Node& node) {
  SoftmaxAttributes attributes;
  attributes.flatten_trailing = node.op.since_version < 13;
  attributes.axis = node.integer("axis", attributes.flatten_trailing ? 1 : -1);
  attributes.logarithm = node.op.type == "LogSoftmax";
  return attributes;
}

SoftmaxGeometry resolve_softmax(const Node& node, const SoftmaxAttributes& attributes, const Shape& input) {
  const int64_t axis = normalise_axis(node, attributes.axis, input.rank());
  const int64_t row_end = attributes.flatten_trailing ? input.rank() : axis + 1;
  return {input.elements(0, axis), input.elements(axis, row_end), input.elements(row_end, input.rank())};
}

void infer_softmax(InferContext& context) {
  const SoftmaxAttributes attributes = parse_softmax(context.node());
  if (const auto rank = context.input(0).rank()) normalise_axis(context.node(), attributes.axis, *rank);
  set_output_like(context, 0, 0);
}

template <typename C>
void softmax_rows(const SoftmaxGeometry& geometry, bool logarithm, std::span<const C> x, std::span<C> y) {
  const int64_t length = geometry.length, stride = geometry.inner;
  for (int64_t row = 0; row < geometry.outer * geometry.inner; ++row) {
    const int64_t first = row / stride * length * stride + row % stride;
    const C* in = x.data() + first;
    C* out = y.data() + first;

    C largest = -std::numeric_limits<C>::infinity();
    for (int64_t i = 0; i < length; ++i) largest = std::max(largest, in[i * stride]);
    C sum = 0;
    for (int64_t i = 0; i < length; ++i) {
      const C shifted = in[i * stride] - largest;
      const C power = std::exp(shifted);
      out[i * stride] = logarithm ? shifted : power;
      sum += power;
    }
    const C log_sum = std::log(sum);
    for (int64_t i = 0; i < length; ++i) {
      C& value = out[i * stride];
      value = logarithm ? value - log_sum : value / sum;
    }
  }
}

template void softmax_rows<float>(const SoftmaxGeometry&, bool, std::span<const float>, std::span<float>);
template void softmax_rows<double>(const SoftmaxGeometry&, bool, std::span<const double>, std::span<double>);

namespace {

ReferenceKernel make_softmax(const Node& node) {
  return [attributes = parse_softmax(node)](KernelContext& context) {
    const TensorView& x = context.input(0);
    const SoftmaxGeometry geometry = resolve_softmax(context.node(), attributes, x.shape());
    const MutableTensorView y = context.output(0, x.type, x.shape());
    visit_compute_type(x.type, context.node().op.type, [&]<typename C>() {
      const ComputeInput<C> in(x);
      const ComputeOutput<C> out(y);
      softmax_rows<C>(geometry, attributes.logarithm, in.values(), out.values());
      out.store();
    });
  };
}

constexpr std::array kSoftmaxOps = {
    OpEntry{"", "LogSoftmax", infer_softmax, make_softmax},
    OpEntry{"", "Softmax", infer_softmax, make_softmax},
};

}  // namespace

std::span<const OpEntry> softmax_ops() {
  return kSoftmaxOps;
}

}  // namespace overt
