#include "ops/shape.h"

#include <algorithm>
#include <array>

#include "ops/families.h"

namespace overt {
namespace {

void infer_shape(InferContext& context) {
  const ShapeAttributes attributes = parse_shape(context.node());
  const Dims* dims = context.shape(0);
  if (dims == nullptr) {
    context.set_output(0, ValueInfo::tensor(DataType::int64, {context.unknown_dim(0, 0)}));
    return;
  }
  const auto [first, last] = shape_range(attributes, static_cast<int64_t>(dims->size()));
  ValueInfo output = ValueInfo::tensor(DataType::int64, {last - first});
  output.elements = Dims(dims->begin() + first, dims->begin() + last);
  context.set_output(0, std::move(output));
}

ReferenceKernel make_shape(const Node& node) {
  return [attributes = parse_shape(node)](KernelContext& context) {
    const TensorView& input = context.input(0);
    const auto [first, last] = shape_range(attributes, input.rank());
    const MutableTensorView output = context.output(0, DataType::int64, Shape{last - first});
    std::copy(input.dims.begin() + first, input.dims.begin() + last, output.values<int64_t>().begin());
  };
}

void infer_size(InferContext& context) {
  ValueInfo output = ValueInfo::tensor(DataType::int64, {});
  const Dims* dims = context.shape(0);
  if (dims != nullptr) output.elements = Dims{product(*dims)};
  context.set_output(0, std::move(output));
}

ReferenceKernel make_size(const Node&) {
  return [](KernelContext& context) {
    const int64_t elements = context.input(0).shape().elements();
    context.output(0, DataType::int64, Shape{}).values<int64_t>()[0] = elements;
  };
}

constexpr std::array kOps = {
    OpEntry{"", "Shape", &infer_shape, &make_shape},
    OpEntry{"", "Size", &infer_size, &make_size},
};

}  // namespace

ShapeAttributes parse_shape(const Node& node) {
  ShapeAttributes attributes;
  attributes.start = node.integer("start", 0);
  if (node.has_attribute("end")) attributes.end = node.integer("end", 0);
  return attributes;
}

std::pair<int64_t, int64_t> shape_range(const ShapeAttributes& attributes, int64_t rank) {
  const auto clamped = [rank](int64_t axis) { return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank); };
  const int64_t first = clamped(attributes.start);
  return {first, std::max(first, clamped(attributes.end.value_or(rank)))};
}

std::span<const OpEntry> shape_ops() {
  return kOps;
}

}  // namespace overt
