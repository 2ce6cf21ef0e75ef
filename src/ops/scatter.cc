#include "ops/scatter.h"

#include <algorithm>
#include <array>

#include "ops/contents.h"
#include "ops/elements.h"
#include "ops/families.h"
#include "ops/indexed_offsets.h"
#include "ops/output_shapes.h"
#include "ops/strided_copy.h"
#include "ops/visit.h"

namespace overt {
namespace {

ScatterReduction parse_reduction(const Node& node) {
  const std::string_view name = node.string("reduction", "none");
  if (name == "none") return ScatterReduction::none;
  if (name == "add") return ScatterReduction::add;
  if (name == "mul") return ScatterReduction::mul;
  if (name == "min") return ScatterReduction::min;
  if (name == "max") return ScatterReduction::max;
  fail_at(ErrorCode::invalid_model, node.name, "{}: reduction is none of none, add, mul, min and max",
          display_name(node));
}

/// a + b or a * b; integers wrap.
template <typename T>
T sum_or_product(ScatterReduction reduction, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    const auto x = static_cast<uint64_t>(a);
    const auto y = static_cast<uint64_t>(b);
    return static_cast<T>(reduction == ScatterReduction::add ? x + y : x * y);
  } else {
    return reduction == ScatterReduction::add ? a + b : a * b;
  }
}

/// A NaN on either side stays.
template <typename T>
T reduced(ScatterReduction reduction, T a, T b) {
  switch (reduction) {
    case ScatterReduction::add:
    case ScatterReduction::mul: return sum_or_product(reduction, a, b);
    case ScatterReduction::min: return b < a || b != b ? b : a;
    case ScatterReduction::max: return b > a || b != b ? b : a;
    case ScatterReduction::none: break;
  }
  return b;
}

template <typename T>
void put_slices(std::span<const int64_t> offsets, int64_t row, const T* updates, T* target) {
  for (const int64_t offset : offsets) {
    std::copy_n(updates, row, target + offset);
    updates += row;
  }
}

/// Applies updates: slices of `row` elements, one for each offset into the output.
void apply_updates(ScatterReduction reduction, std::span<const int64_t> offsets, int64_t row,
                   const TensorView& updates, const MutableTensorView& output, std::string_view what) {
  if (reduction == ScatterReduction::none) {
    visit_element_size(output.type, what, [&]<typename T>() {
      put_slices(offsets, row, static_cast<const T*>(updates.data), static_cast<T*>(output.data));
    });
    return;
  }
  visit_types(NumericTypes{}, output.type, what, [&]<typename T>() {
    const T* update = static_cast<const T*>(updates.data);
    for (const int64_t offset : offsets) {
      T* target = static_cast<T*>(output.data) + offset;
      for (int64_t i = 0; i < row; ++i) {
        target[i] = T(reduced(reduction, ComputeType<T>(target[i]), ComputeType<T>(*update++)));
      }
    }
  });
}

void require_updates_type(const InferContext& context) {
  if (context.type(2) == context.type(0)) return;
  context.reject("updates are {}, expected {} as data", data_type_name(context.type(2)),
                 data_type_name(context.type(0)));
}

/// Rejects where both lengths are numbers and differ.
void require_same_dim(const InferContext& context, const Dim& found, const Dim& expected, size_t axis) {
  if (!found.is_number() || !expected.is_number() || found == expected) return;
  context.reject("axis {} of updates has length {}, expected {}", axis, found.number(), expected.number());
}

void infer_scatter_elements(InferContext& context) {
  const ScatterElementsAttributes attributes = parse_scatter_elements(context.node());
  require_updates_type(context);
  const Dims* data = context.shape(0);
  const Dims* indices = context.shape(1);
  const Dims* updates = context.shape(2);
  if (indices != nullptr && updates != nullptr) {
    if (indices->size() != updates->size()) {
      context.reject("updates have rank {}, expected {} as indices", updates->size(), indices->size());
    }
    for (size_t i = 0; i < indices->size(); ++i) require_same_dim(context, (*updates)[i], (*indices)[i], i);
  }
  if (data != nullptr) {
    const int64_t axis = context.normalise_axis(attributes.axis, static_cast<int64_t>(data->size()));
    if (indices != nullptr && indices->size() != data->size()) {
      context.reject("indices have rank {}, expected {} as data", indices->size(), data->size());
    }
    for (size_t i = 0; indices != nullptr && i < data->size(); ++i) {
      if (static_cast<int64_t>(i) == axis || less((*data)[i], (*indices)[i]) != true || (*indices)[i] == Dim(0))
        continue;
      context.reject("axis {} of indices has length {}, expected at most {} as in data", i, (*indices)[i].to_string(),
                     (*data)[i].to_string());
    }
  }
  ValueInfo output;
  output.type = context.type(0);
  if (data != nullptr) output.shape = *data;
  context.set_output(0, std::move(output));
}

ReferenceKernel make_scatter_elements(const Node& node) {
  return [attributes = parse_scatter_elements(node)](KernelContext& context) {
    const Shape shape = output_shapes(context)[0];
    const TensorView& data = context.input(0);
    const MutableTensorView output = context.output(0, data.type, shape);
    copy_elements(data, output);
    const int64_t axis = positive_axis(attributes.axis, shape.rank());
    const std::vector<int64_t> offsets = element_offsets(context, data.dims, context.input(1), axis);
    apply_updates(attributes.reduction, offsets, 1, context.input(2), output, "ScatterElements");
  };
}

void check_scatter_nd(const InferContext& context, const Dims& data, const Dims& indices) {
  if (indices.empty()) context.reject("indices have rank 0, expected at least 1");
  if (!indices.back().is_number()) return;
  const int64_t depth = indices.back().number();
  if (depth > static_cast<int64_t>(data.size())) {
    context.reject("index tuples have {} entries, expected at most {}, the rank of data", depth, data.size());
  }
  const Dims* updates = context.shape(2);
  if (updates == nullptr) return;
  Dims expected(indices.begin(), indices.end() - 1);
  expected.insert(expected.end(), data.begin() + depth, data.end());
  if (updates->size() != expected.size()) {
    context.reject("updates have rank {}, expected {} for the shape {}", updates->size(), expected.size(),
                   to_string(expected));
  }
  for (size_t i = 0; i < expected.size(); ++i) require_same_dim(context, (*updates)[i], expected[i], i);
}

/// Contents after the updates, for whole elements that are put in place.
std::optional<Dims> scattered_contents(const InferContext& context) {
  auto data = known_contents(context, 0);
  const auto indices = known_contents(context, 1);
  const auto updates = known_contents(context, 2);
  const bool flat = data && indices && updates && data->shape.rank() == 1 && indices->shape.rank() > 0 &&
                    indices->shape[indices->shape.rank() - 1] == 1;
  if (!flat || indices->elements.size() != updates->elements.size()) return std::nullopt;
  const int64_t length = data->shape[0];
  for (size_t i = 0; i < indices->elements.size(); ++i) {
    const auto index = indices->elements[i].number_if_known();
    if (!index || *index < -length || *index >= length) return std::nullopt;
    data->elements[static_cast<size_t>(positive_axis(*index, length))] = updates->elements[i];
  }
  return std::move(data->elements);
}

void infer_scatter_nd(InferContext& context) {
  const ScatterNdAttributes attributes = parse_scatter_nd(context.node());
  require_updates_type(context);
  const Dims* data = context.shape(0);
  const Dims* indices = context.shape(1);
  if (data == nullptr) {
    context.set_output_type(0, context.type(0));
    return;
  }
  if (indices != nullptr) check_scatter_nd(context, *data, *indices);
  ValueInfo output = ValueInfo::tensor(context.type(0), *data);
  if (attributes.reduction == ScatterReduction::none && keepable_elements(output)) {
    output.elements = scattered_contents(context);
  }
  context.set_output(0, std::move(output));
}

ReferenceKernel make_scatter_nd(const Node& node) {
  return [attributes = parse_scatter_nd(node)](KernelContext& context) {
    const Shape shape = output_shapes(context)[0];
    const TensorView& data = context.input(0);
    const TensorView& indices = context.input(1);
    const MutableTensorView output = context.output(0, data.type, shape);
    copy_elements(data, output);
    if (context.input(2).elements() == 0) return;
    const std::vector<int64_t> offsets = slice_offsets(context, data.dims, indices, 0);
    const int64_t row = shape.elements(indices.dim(indices.rank() - 1), shape.rank());
    apply_updates(attributes.reduction, offsets, row, context.input(2), output, "ScatterND");
  };
}

constexpr std::array kOps = {
    OpEntry{"", "Scatter", &infer_scatter_elements, &make_scatter_elements},
    OpEntry{"", "ScatterElements", &infer_scatter_elements, &make_scatter_elements},
    OpEntry{"", "ScatterND", &infer_scatter_nd, &make_scatter_nd},
};

}  // namespace

ScatterElementsAttributes parse_scatter_elements(const Node& node) {
  return {node.integer("axis", 0), parse_reduction(node)};
}

ScatterNdAttributes parse_scatter_nd(const Node& node) {
  return {parse_reduction(node)};
}

std::span<const OpEntry> scatter_ops() {
  return kOps;
}

}  // namespace overt
