// Expand (input, shape): the input broadcast with a shape, both ways. Tile (input, repeats): the input repeats[i]
// times over along axis i. Neither has attributes.
#include <array>

#include "ops/broadcast.h"
#include "ops/contents.h"
#include "ops/families.h"
#include "ops/output_shapes.h"
#include "ops/strided_copy.h"
#include "ops/visit.h"

namespace overt {
namespace {

template <typename T>
void expand(std::span<const int64_t> from, std::span<const int64_t> to, const T* source, T* target) {
  strided_copy<T>(to, source, broadcast_strides(from, to), target, row_major_strides(to));
}

/// Each axis becomes two: the repeats, which do not move the source, and the axis itself.
template <typename T>
void tile(std::span<const int64_t> from, std::span<const int64_t> to, const T* source, T* target) {
  const std::vector<int64_t> strides = row_major_strides(from);
  std::vector<int64_t> dims;
  std::vector<int64_t> source_strides;
  for (size_t i = 0; i < from.size(); ++i) {
    dims.push_back(to[i] / from[i]);
    dims.push_back(from[i]);
    source_strides.push_back(0);
    source_strides.push_back(strides[i]);
  }
  strided_copy<T>(dims, source, source_strides, target, row_major_strides(dims));
}

/// Gives the output, and the contents where they are known and few. `spread` fills a result that is not empty.
template <typename Spread>
void set_spread_output(InferContext& context, Dims dims, Spread spread) {
  ValueInfo output = ValueInfo::tensor(context.type(0), std::move(dims));
  const auto count = keepable_elements(output);
  const auto source = count ? known_contents(context, 0) : std::nullopt;
  if (source) {
    output.elements.emplace(*count);
    const Shape shape = *output.concrete_shape();
    if (*count > 0) spread(source->shape.dims(), shape.dims(), source->elements.data(), output.elements->data());
  }
  context.set_output(0, std::move(output));
}

template <typename Spread>
void run_spread(KernelContext& context, std::string_view what, Spread spread) {
  const Shape shape = output_shapes(context)[0];
  const TensorView& input = context.input(0);
  const MutableTensorView output = context.output(0, input.type, shape);
  if (shape.elements() == 0) return;
  visit_element_size(input.type, what, [&]<typename T>() {
    spread(input.dims, shape.dims(), static_cast<const T*>(input.data), static_cast<T*>(output.data));
  });
}

constexpr auto kExpand = [](auto from, auto to, auto source, auto target) { expand(from, to, source, target); };
constexpr auto kTile = [](auto from, auto to, auto source, auto target) { tile(from, to, source, target); };

/// An output whose rank alone is known.
void set_unknown_output(InferContext& context, std::optional<int64_t> rank) {
  if (!rank || *rank > kMaxKnownElements) {
    context.set_output_type(0, context.type(0));
    return;
  }
  Dims dims;
  for (int64_t axis = 0; axis < *rank; ++axis) dims.push_back(context.unknown_dim(0, axis));
  context.set_output(0, ValueInfo::tensor(context.type(0), std::move(dims)));
}

void infer_expand(InferContext& context) {
  std::optional<int64_t> length = known_list_length(context, 1, "the shape");
  const std::optional<Dims> target = context.integers(1);
  const Dims* dims = context.shape(0);
  if (dims == nullptr || !target) {
    if (dims == nullptr) length.reset();
    if (length) length = std::max(*length, static_cast<int64_t>(dims->size()));
    set_unknown_output(context, length);
    return;
  }
  for (const Dim& dim : *target) {
    if (dim.is_number() && dim.number() < 0) context.reject("the shape {} has a negative length", to_string(*target));
  }
  const std::optional<Dims> result = broadcast(*dims, *target);
  if (!result) {
    context.reject("the input of shape {} does not broadcast to {}", to_string(*dims), to_string(*target));
  }
  set_spread_output(context, *result, kExpand);
}

void infer_tile(InferContext& context) {
  const std::optional<int64_t> length = known_list_length(context, 1, "repeats");
  const std::optional<Dims> repeats = context.integers(1);
  const Dims* dims = context.shape(0);
  if (length && dims != nullptr && *length != static_cast<int64_t>(dims->size())) {
    context.reject("repeats has {} entries, expected {}, the input's rank", *length, dims->size());
  }
  if (dims == nullptr || !repeats || repeats->size() != dims->size()) {
    set_unknown_output(context, dims != nullptr ? static_cast<int64_t>(dims->size()) : length);
    return;
  }
  Dims result;
  for (size_t i = 0; i < dims->size(); ++i) {
    const Dim& repeat = (*repeats)[i];
    if (repeat.is_number() && repeat.number() < 0)
      context.reject("repeats has {}, expected 0 or more", repeat.number());
    result.push_back((*dims)[i] * repeat);
  }
  set_spread_output(context, std::move(result), kTile);
}

ReferenceKernel make_expand(const Node&) {
  return [](KernelContext& context) { run_spread(context, "Expand", kExpand); };
}

ReferenceKernel make_tile(const Node&) {
  return [](KernelContext& context) { run_spread(context, "Tile", kTile); };
}

constexpr std::array kOps = {
    OpEntry{"", "Expand", &infer_expand, &make_expand, input_bit(1)},
    OpEntry{"", "Tile", &infer_tile, &make_tile, input_bit(1)},
};

}  // namespace

std::span<const OpEntry> expand_ops() {
  return kOps;
}

}  // namespace overt
