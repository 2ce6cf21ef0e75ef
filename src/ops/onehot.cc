#include "ops/onehot.h"

#include <algorithm>
#include <array>

#include "ops/contents.h"
#include "ops/families.h"
#include "ops/output_shapes.h"
#include "ops/visit.h"

namespace overt {
namespace {

/// The elements of a numeric tensor, cut to integers; INT64_MIN for what is no 64-bit integer.
std::vector<int64_t> truncated_integers(const TensorView& view) {
  std::vector<int64_t> result;
  visit_types(NumericTypes{}, view.type, "OneHot", [&]<typename T>() {
    for (const T element : view.values<T>()) {
      const auto value = static_cast<ComputeType<T>>(element);
      if constexpr (std::is_floating_point_v<ComputeType<T>>) {
        const bool fits = value > -0x1p63 && value < 0x1p63;
        result.push_back(fits ? static_cast<int64_t>(value) : INT64_MIN);
      } else {
        result.push_back(std::in_range<int64_t>(value) ? static_cast<int64_t>(value) : INT64_MIN);
      }
    }
  });
  return result;
}

/// The length of the new axis; nothing where it is not known yet.
std::optional<Dim> known_depth(const InferContext& context) {
  if (const Dims* dims = context.shape(1)) {
    const Dim count = product(*dims);
    if (count.is_number() && count.number() != 1) context.reject("depth has {} elements, expected 1", count.number());
  }
  std::optional<Dim> depth;
  if (const std::optional<Dims> contents = context.integers(1); contents && contents->size() == 1) {
    depth = contents->front();
  } else if (const Tensor* constant = context.constant(1); constant != nullptr && constant->elements() == 1) {
    depth = truncated_integers(view_of(*constant))[0];
  }
  if (depth && depth->is_number() && depth->number() < 0)
    context.reject("depth is {}, expected 0 or more", depth->number());
  return depth;
}

void infer_onehot(InferContext& context) {
  const OneHotAttributes attributes = parse_onehot(context.node());
  if (const Dims* values = context.shape(2)) {
    const Dim count = product(*values);
    if (count.is_number() && count.number() != 2) {
      context.reject("values has {} elements, expected 2: off and on", count.number());
    }
  }
  const std::optional<Dim> depth = known_depth(context);
  const Dims* indices = context.shape(0);
  if (indices == nullptr) {
    context.set_output_type(0, context.type(2));
    return;
  }
  const int64_t axis = context.normalise_axis(attributes.axis, static_cast<int64_t>(indices->size()) + 1);
  Dims dims = *indices;
  dims.insert(dims.begin() + axis, depth.value_or(context.unknown_dim(0, axis)));
  context.set_output(0, ValueInfo::tensor(context.type(2), std::move(dims)));
}

ReferenceKernel make_onehot(const Node& node) {
  return [attributes = parse_onehot(node)](KernelContext& context) {
    const Shape shape = output_shapes(context)[0];
    const TensorView& values = context.input(2);
    const MutableTensorView output = context.output(0, values.type, shape);
    if (shape.elements() == 0) return;
    const int64_t axis = positive_axis(attributes.axis, shape.rank());
    const int64_t depth = shape[axis];
    const int64_t inner = shape.elements(axis + 1, shape.rank());
    const std::vector<int64_t> indices = truncated_integers(context.input(0));
    visit_element_size(values.type, "OneHot", [&]<typename T>() {
      const T* off_on = static_cast<const T*>(values.data);
      T* target = static_cast<T*>(output.data);
      std::fill_n(target, shape.elements(), off_on[0]);
      for (size_t i = 0; i < indices.size(); ++i) {
        const int64_t outer = static_cast<int64_t>(i) / inner;
        if (indices[i] < -depth || indices[i] >= depth) continue;  // the standard: all off
        const int64_t position = positive_axis(indices[i], depth);
        target[(outer * depth + position) * inner + static_cast<int64_t>(i) % inner] = off_on[1];
      }
    });
  };
}

constexpr std::array kOps = {
    OpEntry{"", "OneHot", &infer_onehot, &make_onehot, input_bit(1)},
};

}  // namespace

OneHotAttributes parse_onehot(const Node& node) {
  return {node.integer("axis", -1)};
}

std::span<const OpEntry> onehot_ops() {
  return kOps;
}

}  // namespace overt
