#include "ops/reverse_sequence.h"

#include <algorithm>
#include <array>

#include "ops/contents.h"
#include "ops/families.h"
#include "ops/output_shapes.h"
#include "ops/visit.h"

namespace overt {
namespace {

void infer_reverse_sequence(InferContext& context) {
  const ReverseSequenceAttributes attributes = parse_reverse_sequence(context.node());
  const Dims* dims = context.shape(0);
  if (dims != nullptr && dims->size() < 2) context.reject("the input has rank {}, expected at least 2", dims->size());
  const std::optional<int64_t> lengths = known_list_length(context, 1, "sequence_lens");
  if (dims != nullptr && lengths) {
    const Dim& batch = (*dims)[static_cast<size_t>(attributes.batch_axis)];
    if (batch.is_number() && batch.number() != *lengths) {
      context.reject("sequence_lens has {} entries, expected {}, the batch size", *lengths, batch.number());
    }
  }
  ValueInfo output;
  output.type = context.type(0);
  if (dims != nullptr) output.shape = *dims;
  context.set_output(0, std::move(output));
}

ReferenceKernel make_reverse_sequence(const Node& node) {
  return [attributes = parse_reverse_sequence(node)](KernelContext& context) {
    const Shape shape = output_shapes(context)[0];
    const TensorView& input = context.input(0);
    const std::vector<int64_t> lengths = index_values(context.input(1));
    const int64_t steps = shape[attributes.time_axis];
    for (const int64_t length : lengths) {
      if (length < 0 || length > steps) context.reject("sequence_lens has {}, expected 0 to {}", length, steps);
    }
    const MutableTensorView output = context.output(0, input.type, shape);
    if (shape.elements() == 0) return;
    const int64_t inner = shape.elements(2, shape.rank());
    const int64_t time_stride = attributes.time_axis == 0 ? shape[1] * inner : inner;
    const int64_t batch_stride = attributes.batch_axis == 0 ? shape[1] * inner : inner;
    visit_element_size(input.type, "ReverseSequence", [&]<typename T>() {
      const T* source = static_cast<const T*>(input.data);
      T* target = static_cast<T*>(output.data);
      for (size_t item = 0; item < lengths.size(); ++item) {
        const int64_t base = static_cast<int64_t>(item) * batch_stride;
        for (int64_t step = 0; step < steps; ++step) {
          const int64_t from = step < lengths[item] ? lengths[item] - 1 - step : step;
          std::copy_n(source + base + from * time_stride, inner, target + base + step * time_stride);
        }
      }
    });
  };
}

constexpr std::array kOps = {
    OpEntry{"", "ReverseSequence", &infer_reverse_sequence, &make_reverse_sequence},
};

}  // namespace

ReverseSequenceAttributes parse_reverse_sequence(const Node& node) {
  const ReverseSequenceAttributes attributes{node.integer("batch_axis", 1), node.integer("time_axis", 0)};
  const auto is_first_two = [](int64_t axis) { return axis == 0 || axis == 1; };
  if (!is_first_two(attributes.batch_axis) || !is_first_two(attributes.time_axis) ||
      attributes.batch_axis == attributes.time_axis) {
    fail_at(ErrorCode::invalid_model, node.name, "{}: batch_axis is {} and time_axis is {}, expected one 0 and one 1",
            display_name(node), attributes.batch_axis, attributes.time_axis);
  }
  return attributes;
}

std::span<const OpEntry> reverse_sequence_ops() {
  return kOps;
}

}  // namespace overt
