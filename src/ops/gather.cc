#include "ops/gather.h"

#include <algorithm>
#include <array>

#include "ops/contents.h"
#include "ops/elements.h"
#include "ops/families.h"
#include "ops/indexed_offsets.h"
#include "ops/output_shapes.h"
#include "ops/visit.h"

namespace overt {
namespace {

/// data: [outer, length, inner]; target: [outer, indices, inner]. Indices are in range and not negative.
template <typename T>
void gather(const T* data, int64_t outer, int64_t length, int64_t inner, std::span<const int64_t> indices,
            T* target) {
  for (int64_t i = 0; i < outer; ++i) {
    for (const int64_t index : indices) target = std::copy_n(data + (i * length + index) * inner, inner, target);
  }
}

/// Contents of the result, where data and indices are known and in range.
std::optional<Dims> gathered_contents(const InferContext& context, int64_t axis, size_t count) {
  const auto data = known_contents(context, 0);
  std::optional<std::vector<int64_t>> indices = known_numbers(context, 1);
  if (!data || !indices || count == 0) return std::nullopt;
  const int64_t length = data->shape[axis];
  for (int64_t& index : *indices) {
    if (index < -length || index >= length) return std::nullopt;
    index = positive_axis(index, length);
  }
  const int64_t outer = data->shape.elements(0, axis);
  const int64_t inner = data->shape.elements(axis + 1, data->shape.rank());
  Dims result(count);
  if (outer * inner * static_cast<int64_t>(indices->size()) != static_cast<int64_t>(count)) return std::nullopt;
  gather(data->elements.data(), outer, length, inner, *indices, result.data());
  return result;
}

void infer_gather(InferContext& context) {
  const GatherAttributes attributes = parse_gather(context.node());
  const Dims* data = context.shape(0);
  const Dims* indices = context.shape(1);
  if (data == nullptr || indices == nullptr) {
    context.set_output_type(0, context.type(0));
    return;
  }
  const int64_t axis = context.normalise_axis(attributes.axis, static_cast<int64_t>(data->size()));
  Dims dims(data->begin(), data->begin() + axis);
  dims.insert(dims.end(), indices->begin(), indices->end());
  dims.insert(dims.end(), data->begin() + axis + 1, data->end());
  ValueInfo output = ValueInfo::tensor(context.type(0), std::move(dims));
  if (const auto count = keepable_elements(output)) output.elements = gathered_contents(context, axis, *count);
  context.set_output(0, std::move(output));
}

ReferenceKernel make_gather(const Node& node) {
  return [attributes = parse_gather(node)](KernelContext& context) {
    const Shape shape = output_shapes(context)[0];
    const TensorView& data = context.input(0);
    const MutableTensorView output = context.output(0, data.type, shape);
    const Shape data_shape = data.shape();
    const int64_t axis = positive_axis(attributes.axis, data_shape.rank());
    const int64_t length = data_shape[axis];
    std::vector<int64_t> indices = index_values(context.input(1));
    for (int64_t& index : indices) index = checked_index(context, index, length, axis);
    if (shape.elements() == 0) return;
    visit_element_size(data.type, "Gather", [&]<typename T>() {
      gather(static_cast<const T*>(data.data), data_shape.elements(0, axis), length,
             data_shape.elements(axis + 1, data_shape.rank()), indices, static_cast<T*>(output.data));
    });
  };
}

void infer_gather_elements(InferContext& context) {
  const GatherAttributes attributes = parse_gather(context.node());
  const Dims* data = context.shape(0);
  const Dims* indices = context.shape(1);
  ValueInfo output;
  output.type = context.type(0);
  if (indices != nullptr) output.shape = *indices;
  if (data != nullptr && indices != nullptr) {
    if (data->size() != indices->size()) {
      context.reject("indices have rank {}, expected {} as data", indices->size(), data->size());
    }
    const int64_t axis = context.normalise_axis(attributes.axis, static_cast<int64_t>(data->size()));
    for (size_t i = 0; i < data->size(); ++i) {
      const bool too_long = less((*data)[i], (*indices)[i]) == true;
      if (static_cast<int64_t>(i) == axis || !too_long || (*indices)[i] == Dim(0)) continue;
      context.reject("axis {} of indices has length {}, expected at most {} as in data", i, (*indices)[i].to_string(),
                     (*data)[i].to_string());
    }
  }
  context.set_output(0, std::move(output));
}

template <typename T>
void copy_slices(const T* data, std::span<const int64_t> offsets, int64_t row, T* target) {
  for (const int64_t offset : offsets) target = std::copy_n(data + offset, row, target);
}

ReferenceKernel make_gather_elements(const Node& node) {
  return [attributes = parse_gather(node)](KernelContext& context) {
    const Shape shape = output_shapes(context)[0];
    const TensorView& data = context.input(0);
    const MutableTensorView output = context.output(0, data.type, shape);
    const int64_t axis = positive_axis(attributes.axis, data.rank());
    const std::vector<int64_t> offsets = element_offsets(context, data.dims, context.input(1), axis);
    visit_element_size(data.type, "GatherElements", [&]<typename T>() {
      copy_slices(static_cast<const T*>(data.data), offsets, 1, static_cast<T*>(output.data));
    });
  };
}

void infer_gather_nd(InferContext& context) {
  const int64_t batch = parse_gather_nd(context.node()).batch_dims;
  const Dims* data = context.shape(0);
  const Dims* indices = context.shape(1);
  const bool decided = data != nullptr && indices != nullptr && !indices->empty() && indices->back().is_number();
  if (indices != nullptr && indices->empty()) context.reject("indices have rank 0, expected at least 1");
  if (!decided) {
    context.set_output_type(0, context.type(0));
    return;
  }
  const auto rank = static_cast<int64_t>(data->size());
  const int64_t depth = indices->back().number();
  if (batch >= static_cast<int64_t>(indices->size()) || batch > rank || depth > rank - batch) {
    context.reject("batch_dims {} and index tuples of {} do not fit data of rank {} and indices of rank {}", batch,
                   depth, rank, indices->size());
  }
  Dims dims(indices->begin(), indices->end() - 1);
  for (int64_t i = 0; i < batch; ++i) {
    const auto axis = static_cast<size_t>(i);
    if ((*data)[axis].is_number() && (*indices)[axis].is_number() && (*data)[axis] != (*indices)[axis]) {
      context.reject("batch dim {} is {} in data and {} in indices, expected the same", i, (*data)[axis].number(),
                     (*indices)[axis].number());
    }
  }
  dims.insert(dims.end(), data->begin() + batch + depth, data->end());
  context.set_output(0, ValueInfo::tensor(context.type(0), std::move(dims)));
}

ReferenceKernel make_gather_nd(const Node& node) {
  return [batch = parse_gather_nd(node).batch_dims](KernelContext& context) {
    const Shape shape = output_shapes(context)[0];
    const TensorView& data = context.input(0);
    const TensorView& indices = context.input(1);
    const MutableTensorView output = context.output(0, data.type, shape);
    if (shape.elements() == 0) return;
    const std::vector<int64_t> offsets = slice_offsets(context, data.dims, indices, batch);
    const int64_t row = data.shape().elements(batch + indices.dim(indices.rank() - 1), data.rank());
    visit_element_size(data.type, "GatherND", [&]<typename T>() {
      copy_slices(static_cast<const T*>(data.data), offsets, row, static_cast<T*>(output.data));
    });
  };
}

constexpr std::array kOps = {
    OpEntry{"", "Gather", &infer_gather, &make_gather},
    OpEntry{"", "GatherElements", &infer_gather_elements, &make_gather_elements},
    OpEntry{"", "GatherND", &infer_gather_nd, &make_gather_nd},
};

}  // namespace

GatherAttributes parse_gather(const Node& node) {
  return {node.integer("axis", 0)};
}

GatherNdAttributes parse_gather_nd(const Node& node) {
  const int64_t batch_dims = node.integer("batch_dims", 0);
  if (batch_dims < 0) {
    fail_at(ErrorCode::invalid_model, node.name, "{}: batch_dims is {}, expected 0 or more", display_name(node),
            batch_dims);
  }
  return {batch_dims};
}

std::span<const OpEntry> gather_ops() {
  return kOps;
}

}  // namespace overt
