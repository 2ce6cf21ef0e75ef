#include "ops/concat.h"

#include <algorithm>
#include <array>

#include "ops/contents.h"
#include "ops/families.h"
#include "ops/output_shapes.h"
#include "ops/visit.h"

namespace overt {
namespace {

/// Copies `rows` rows of `row` elements, which lie a pitch apart on either side.
template <typename T>
void copy_rows(const T* source, int64_t source_pitch, T* target, int64_t target_pitch, int64_t rows, int64_t row) {
  for (int64_t i = 0; i < rows; ++i) std::copy_n(source + i * source_pitch, row, target + i * target_pitch);
}

Dim agreed_dim(const InferContext& context, const Dim& a, const Dim& b, size_t axis, size_t input) {
  if (a == b || !b.is_number()) return a;
  if (a.is_number()) {
    context.reject("axis {} of input {} has length {}, expected {} as in the inputs before it", axis, input,
                   b.number(), a.number());
  }
  return b;
}

/// Contents of the inputs one after another, where all are known.
std::optional<Dims> joined_contents(const InferContext& context, const Shape& shape, int64_t axis) {
  const int64_t rows = shape.elements(0, axis);
  const int64_t inner = shape.elements(axis + 1, shape.rank());
  const int64_t pitch = shape[axis] * inner;
  Dims result(static_cast<size_t>(rows * pitch));
  int64_t offset = 0;
  for (size_t i = 0; i < context.input_count(); ++i) {
    const auto part = known_contents(context, i);
    if (!part) return std::nullopt;
    const int64_t row = part->shape[axis] * inner;
    copy_rows(part->elements.data(), row, result.data() + offset, pitch, rows, row);
    offset += row;
  }
  return result;
}

void infer_concat(InferContext& context) {
  const ConcatAttributes attributes = parse_concat(context.node());
  if (context.input_count() == 0) context.reject("there are no inputs, expected at least 1");
  std::optional<Dims> dims;
  bool complete = true;
  size_t axis = 0;
  for (size_t i = 0; i < context.input_count(); ++i) {
    const Dims* part = context.shape(i);
    if (context.type(i) != context.type(0)) {
      context.reject("input {} is {}, expected {} as input 0", i, data_type_name(context.type(i)),
                     data_type_name(context.type(0)));
    }
    complete = complete && part != nullptr;
    if (part == nullptr) continue;
    if (!dims) {
      axis = static_cast<size_t>(context.normalise_axis(attributes.axis, static_cast<int64_t>(part->size())));
      dims = *part;
      continue;
    }
    if (part->size() != dims->size()) {
      context.reject("input {} has rank {}, expected {} as the inputs before it", i, part->size(), dims->size());
    }
    for (size_t d = 0; d < dims->size(); ++d) {
      (*dims)[d] = d == axis ? (*dims)[d] + (*part)[d] : agreed_dim(context, (*dims)[d], (*part)[d], d, i);
    }
  }
  if (!dims) {
    context.set_output_type(0, context.type(0));
    return;
  }
  if (!complete) (*dims)[axis] = context.unknown_dim(0, static_cast<int64_t>(axis));
  ValueInfo output = ValueInfo::tensor(context.type(0), *std::move(dims));
  const auto count = keepable_elements(output);
  if (count && *count > 0) {
    output.elements = joined_contents(context, *output.concrete_shape(), static_cast<int64_t>(axis));
  }
  context.set_output(0, std::move(output));
}

ReferenceKernel make_concat(const Node& node) {
  return [attributes = parse_concat(node)](KernelContext& context) {
    const Shape shape = output_shapes(context)[0];
    const DataType type = context.input(0).type;
    const MutableTensorView output = context.output(0, type, shape);
    if (shape.elements() == 0) return;
    const int64_t axis = positive_axis(attributes.axis, shape.rank());
    const int64_t rows = shape.elements(0, axis);
    const int64_t inner = shape.elements(axis + 1, shape.rank());
    visit_element_size(type, "Concat", [&]<typename T>() {
      T* target = static_cast<T*>(output.data);
      for (size_t i = 0; i < context.input_count(); ++i) {
        const int64_t row = context.input(i).dim(axis) * inner;
        copy_rows(static_cast<const T*>(context.input(i).data), row, target, shape[axis] * inner, rows, row);
        target += row;
      }
    });
  };
}

/// Lengths of the parts of an axis of length `length`.
std::vector<Dim> equal_parts(const InferContext& context, const SplitAttributes& attributes, const Dim& length) {
  const auto count = static_cast<int64_t>(context.output_count());
  if (count == 0) return {};
  if (!attributes.outputs) {
    if (length.is_number() && length.number() % count != 0) {
      context.reject("the length {} cannot be split into {} equal parts; give their sizes", length.number(), count);
    }
    return std::vector<Dim>(static_cast<size_t>(count), floor_div(length, count));
  }
  if (*attributes.outputs != count) {
    context.reject("num_outputs is {}, and the node has {} outputs", *attributes.outputs, count);
  }
  std::vector<Dim> parts(static_cast<size_t>(count), ceil_div(length, count));
  parts.back() = length - parts[0] * (count - 1);
  if (parts.back().is_number() && parts.back().number() < 0) {
    context.reject("the length {} is too short for {} parts", length.to_string(), count);
  }
  return parts;
}

std::vector<Dim> given_parts(const InferContext& context, const Dims& sizes, const Dim& length) {
  if (sizes.size() != context.output_count()) {
    context.reject("split has {} sizes, and the node has {} outputs", sizes.size(), context.output_count());
  }
  Dim total = 0;
  for (const Dim& size : sizes) {
    if (size.is_number() && size.number() < 0)
      context.reject("split has the size {}, expected 0 or more", size.number());
    total = total + size;
  }
  if (total.is_number() && length.is_number() && total != length) {
    context.reject("split adds up to {}, expected {}, the length of the axis", total.number(), length.number());
  }
  return sizes;
}

/// Sizes that the node gives; `present` but empty where they are not known yet.
struct SplitSizes {
  bool present = false;
  std::optional<Dims> values;
};

SplitSizes split_sizes(const InferContext& context, const SplitAttributes& attributes) {
  if (attributes.sizes) return {true, Dims(attributes.sizes->begin(), attributes.sizes->end())};
  if (!context.has_input(1)) return {};
  if (attributes.outputs) context.reject("both split and num_outputs are given, expected one of them");
  return {true, context.integers(1)};
}

void set_split_outputs(InferContext& context, const Dims& dims, int64_t axis, const std::vector<Dim>& parts) {
  Dim start = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    Dims part_dims = dims;
    part_dims[static_cast<size_t>(axis)] = parts[i];
    ValueInfo output = ValueInfo::tensor(context.type(0), std::move(part_dims));
    const auto count = keepable_elements(output);
    const auto source = count ? known_contents(context, 0) : std::nullopt;
    if (source && start.is_number()) {
      const int64_t inner = source->shape.elements(axis + 1, source->shape.rank());
      const int64_t row = parts[i].number() * inner;
      output.elements.emplace(*count);
      copy_rows(source->elements.data() + start.number() * inner, source->shape[axis] * inner,
                output.elements->data(), row, source->shape.elements(0, axis), row);
    }
    start = start + parts[i];
    context.set_output(i, std::move(output));
  }
}

void infer_split(InferContext& context) {
  const SplitAttributes attributes = parse_split(context.node());
  const SplitSizes sizes = split_sizes(context, attributes);
  const Dims* dims = context.shape(0);
  if (dims == nullptr) {
    for (size_t i = 0; i < context.output_count(); ++i) context.set_output_type(i, context.type(0));
    return;
  }
  const int64_t axis = context.normalise_axis(attributes.axis, static_cast<int64_t>(dims->size()));
  const Dim& length = (*dims)[static_cast<size_t>(axis)];
  std::vector<Dim> parts;
  if (sizes.values) {
    parts = given_parts(context, *sizes.values, length);
  } else if (sizes.present) {
    for (size_t i = 0; i < context.output_count(); ++i) parts.push_back(context.unknown_dim(i, axis));
  } else {
    parts = equal_parts(context, attributes, length);
  }
  set_split_outputs(context, *dims, axis, parts);
}

/// Lengths of the parts, of outputs that are not wanted too; inference has checked them.
std::vector<int64_t> part_lengths(const KernelContext& context, const SplitAttributes& attributes, int64_t length) {
  if (attributes.sizes) return *attributes.sizes;
  if (context.has_input(1)) return index_values(context.input(1));
  const auto count = static_cast<int64_t>(context.output_count());
  const int64_t part = length / count + (length % count != 0 ? 1 : 0);
  std::vector<int64_t> parts(static_cast<size_t>(count), part);
  parts.back() = length - part * (count - 1);
  return parts;
}

ReferenceKernel make_split(const Node& node) {
  return [attributes = parse_split(node)](KernelContext& context) {
    const std::vector<Shape> shapes = output_shapes(context);
    const TensorView& input = context.input(0);
    const Shape all = input.shape();
    const int64_t axis = positive_axis(attributes.axis, all.rank());
    int64_t start = 0;
    const std::vector<int64_t> parts = part_lengths(context, attributes, all[axis]);
    for (size_t i = 0; i < shapes.size(); ++i) {
      const int64_t first = start;
      start += parts[i];
      if (!context.wants_output(i)) continue;
      const MutableTensorView output = context.output(i, input.type, shapes[i]);
      if (shapes[i].elements() == 0) continue;
      const int64_t inner = all.elements(axis + 1, all.rank());
      const int64_t row = parts[i] * inner;
      visit_element_size(input.type, "Split", [&]<typename T>() {
        copy_rows(static_cast<const T*>(input.data) + first * inner, all[axis] * inner, static_cast<T*>(output.data),
                  row, all.elements(0, axis), row);
      });
    }
  };
}

constexpr std::array kOps = {
    OpEntry{"", "Concat", &infer_concat, &make_concat},
    OpEntry{"", "Split", &infer_split, &make_split, input_bit(1)},
};

}  // namespace

ConcatAttributes parse_concat(const Node& node) {
  if (!node.has_attribute("axis")) {
    fail_at(ErrorCode::invalid_model, node.name, "{}: attribute axis is missing", display_name(node));
  }
  return {node.integer("axis", 0)};
}

SplitAttributes parse_split(const Node& node) {
  SplitAttributes attributes;
  attributes.axis = node.integer("axis", 0);
  if (node.has_attribute("split")) {
    const std::span<const int64_t> sizes = node.integers("split");
    attributes.sizes.emplace(sizes.begin(), sizes.end());
  }
  if (node.has_attribute("num_outputs")) {
    attributes.outputs = node.integer("num_outputs", 0);
    if (*attributes.outputs < 1) {
      fail_at(ErrorCode::invalid_model, node.name, "{}: num_outputs is {}, expected at least 1", display_name(node),
              *attributes.outputs);
    }
  }
  return attributes;
}

std::span<const OpEntry> concat_ops() {
  return kOps;
}

}  // namespace overt
