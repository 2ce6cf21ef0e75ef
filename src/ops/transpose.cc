#include "ops/transpose.h"

#include <array>
#include <numeric>

#include "ops/broadcast.h"
#include "ops/contents.h"
#include "ops/families.h"
#include "ops/narrow.h"
#include "ops/output_shapes.h"
#include "ops/strided_copy.h"
#include "ops/visit.h"

namespace overt {
namespace {

/// source of shape `dims` with its axes permuted, to dense target.
template <typename T>
void transpose(std::span<const int64_t> dims, std::span<const int64_t> permutation, const T* source, T* target) {
  const std::vector<int64_t> strides = row_major_strides(dims);
  std::vector<int64_t> target_dims;
  std::vector<int64_t> source_strides;
  for (const int64_t axis : permutation) {
    target_dims.push_back(dims[static_cast<size_t>(axis)]);
    source_strides.push_back(strides[static_cast<size_t>(axis)]);
  }
  strided_copy<T>(target_dims, source, source_strides, target, row_major_strides(target_dims));
}

/// The same for a tensor of any type, seen as having `dims`.
void transpose(const TensorView& input, std::span<const int64_t> dims, std::span<const int64_t> permutation,
               const MutableTensorView& output, std::string_view what) {
  if (input.elements() == 0) return;
  if (is_packed(input.type)) {
    const Tensor source = unpacked(input);
    Tensor target(DataType::uint8, Shape(output.dims));
    transpose<uint8_t>(dims, permutation, source.values<uint8_t>().data(), target.mutable_values<uint8_t>().data());
    pack(target, output);
    return;
  }
  visit_element_size(input.type, what, [&]<typename T>() {
    transpose(dims, permutation, static_cast<const T*>(input.data), static_cast<T*>(output.data));
  });
}

void check_permutation(const InferContext& context, std::span<const int64_t> permutation, size_t rank) {
  if (permutation.size() != rank) {
    context.reject("perm has {} entries, expected {}, the input's rank", permutation.size(), rank);
  }
  std::vector<bool> seen(rank, false);
  for (const int64_t axis : permutation) {
    if (axis < 0 || axis >= static_cast<int64_t>(rank)) {
      context.reject("perm has the axis {}, expected 0 to {}", axis, static_cast<int64_t>(rank) - 1);
    }
    if (seen[static_cast<size_t>(axis)]) context.reject("perm has the axis {} twice", axis);
    seen[static_cast<size_t>(axis)] = true;
  }
}

void infer_transpose(InferContext& context) {
  const TransposeAttributes attributes = parse_transpose(context.node());
  const Dims* dims = context.shape(0);
  if (dims == nullptr) {
    context.set_output_type(0, context.type(0));
    return;
  }
  const std::vector<int64_t> permutation = permutation_of(attributes, static_cast<int64_t>(dims->size()));
  check_permutation(context, permutation, dims->size());
  Dims result;
  for (const int64_t axis : permutation) result.push_back((*dims)[static_cast<size_t>(axis)]);
  ValueInfo output = ValueInfo::tensor(context.type(0), std::move(result));
  const auto count = keepable_elements(output);
  const auto source = count ? known_contents(context, 0) : std::nullopt;
  if (source) {
    output.elements.emplace(*count);
    if (*count > 0) transpose(source->shape.dims(), permutation, source->elements.data(), output.elements->data());
  }
  context.set_output(0, std::move(output));
}

ReferenceKernel make_transpose(const Node& node) {
  return [attributes = parse_transpose(node)](KernelContext& context) {
    const Shape shape = output_shapes(context)[0];
    const TensorView& input = context.input(0);
    const MutableTensorView output = context.output(0, input.type, shape);
    transpose(input, input.dims, permutation_of(attributes, input.rank()), output, "Transpose");
  };
}

/// Dims [batch, channel, height, width] of input 0, or null where the rank is not known.
const Dims* image_dims(const InferContext& context, int64_t block) {
  if (block < 1 || block > INT32_MAX) context.reject("blocksize is {}, expected 1 to {}", block, INT32_MAX);
  const Dims* dims = context.shape(0);
  if (dims != nullptr && dims->size() != 4) {
    context.reject("the input has rank {}, expected 4: batch, channel, height, width", dims->size());
  }
  return dims;
}

Dim divided(const InferContext& context, const Dim& dim, int64_t divisor, std::string_view name) {
  if (dim.is_number() && dim.number() % divisor != 0) {
    context.reject("the {} {} is no multiple of {}", name, dim.number(), divisor);
  }
  return floor_div(dim, divisor);
}

void infer_depth_to_space(InferContext& context) {
  const int64_t block = parse_depth_to_space(context.node()).block;
  const Dims* dims = image_dims(context, block);
  if (dims == nullptr) {
    context.set_output_type(0, context.type(0));
    return;
  }
  const Dim channels = divided(context, (*dims)[1], block * block, "channel count");
  context.set_output(
      0, ValueInfo::tensor(context.type(0), {(*dims)[0], channels, (*dims)[2] * block, (*dims)[3] * block}));
}

void infer_space_to_depth(InferContext& context) {
  const int64_t block = parse_depth_to_space(context.node()).block;
  const Dims* dims = image_dims(context, block);
  if (dims == nullptr) {
    context.set_output_type(0, context.type(0));
    return;
  }
  const Dim height = divided(context, (*dims)[2], block, "height");
  const Dim width = divided(context, (*dims)[3], block, "width");
  context.set_output(0, ValueInfo::tensor(context.type(0), {(*dims)[0], (*dims)[1] * block * block, height, width}));
}

ReferenceKernel make_depth_to_space(const Node& node) {
  return [attributes = parse_depth_to_space(node)](KernelContext& context) {
    const Shape shape = output_shapes(context)[0];
    const TensorView& input = context.input(0);
    const MutableTensorView output = context.output(0, input.type, shape);
    const int64_t b = attributes.block;
    if (attributes.column_row_depth) {
      const std::array<int64_t, 6> dims = {shape[0], shape[1], b, b, input.dim(2), input.dim(3)};
      constexpr std::array<int64_t, 6> kPermutation = {0, 1, 4, 2, 5, 3};
      transpose(input, dims, kPermutation, output, "DepthToSpace");
      return;
    }
    const std::array<int64_t, 6> dims = {shape[0], b, b, shape[1], input.dim(2), input.dim(3)};
    constexpr std::array<int64_t, 6> kPermutation = {0, 3, 4, 1, 5, 2};
    transpose(input, dims, kPermutation, output, "DepthToSpace");
  };
}

ReferenceKernel make_space_to_depth(const Node& node) {
  return [attributes = parse_depth_to_space(node)](KernelContext& context) {
    const Shape shape = output_shapes(context)[0];
    const TensorView& input = context.input(0);
    const MutableTensorView output = context.output(0, input.type, shape);
    const int64_t b = attributes.block;
    const std::array<int64_t, 6> dims = {shape[0], input.dim(1), shape[2], b, shape[3], b};
    constexpr std::array<int64_t, 6> kDepthColumnRow = {0, 3, 5, 1, 2, 4};
    constexpr std::array<int64_t, 6> kColumnRowDepth = {0, 1, 3, 5, 2, 4};
    transpose(input, dims, attributes.column_row_depth ? kColumnRowDepth : kDepthColumnRow, output, "SpaceToDepth");
  };
}

constexpr std::array kOps = {
    OpEntry{"", "Transpose", &infer_transpose, &make_transpose},
    OpEntry{"", "DepthToSpace", &infer_depth_to_space, &make_depth_to_space},
    OpEntry{"", "SpaceToDepth", &infer_space_to_depth, &make_space_to_depth},
};

}  // namespace

TransposeAttributes parse_transpose(const Node& node) {
  TransposeAttributes attributes;
  if (node.has_attribute("perm")) {
    const std::span<const int64_t> permutation = node.integers("perm");
    attributes.permutation.emplace(permutation.begin(), permutation.end());
  }
  return attributes;
}

std::vector<int64_t> permutation_of(const TransposeAttributes& attributes, int64_t rank) {
  if (attributes.permutation) return *attributes.permutation;
  std::vector<int64_t> reversed(static_cast<size_t>(rank));
  std::iota(reversed.rbegin(), reversed.rend(), 0);
  return reversed;
}

DepthToSpaceAttributes parse_depth_to_space(const Node& node) {
  const std::string_view mode = node.string("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") {
    fail_at(ErrorCode::invalid_model, node.name, "{}: mode is neither DCR nor CRD", display_name(node));
  }
  return {node.integer("blocksize", 0), mode == "CRD"};
}

std::span<const OpEntry> transpose_ops() {
  return kOps;
}

}  // namespace overt
