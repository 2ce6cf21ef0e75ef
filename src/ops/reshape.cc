#include "ops/reshape.h"

#include <algorithm>
#include <array>

#include "ops/contents.h"
#include "ops/families.h"
#include "ops/output_shapes.h"
#include "ops/strided_copy.h"

namespace overt {
namespace {

/// The output that has the elements of input 0 under another shape.
void set_renamed_output(InferContext& context, Dims dims) {
  ValueInfo output = ValueInfo::tensor(context.type(0), std::move(dims));
  if (keepable_elements(output)) output.elements = context.integers(0);
  context.set_output(0, std::move(output));
}

ReferenceKernel make_copy(const Node&) {
  return [](KernelContext& context) {
    const Shape shape = output_shapes(context)[0];
    const TensorView& input = context.input(0);
    copy_elements(input, context.output(0, input.type, shape));
  };
}

/// The target dim i with a 0 that means "as in the input" replaced; nothing where that dim is not known.
std::optional<Dim> target_dim(const InferContext& context, const Dim& target, size_t i, bool allow_zero) {
  if (target != Dim(0) || allow_zero) return target;
  const Dims* dims = context.shape(0);
  if (dims == nullptr) return std::nullopt;
  if (i >= dims->size()) {
    context.reject("the shape has a 0 at position {}, which copies a dim of the input, and the input has rank {}", i,
                   dims->size());
  }
  return (*dims)[i];
}

/// The length that -1 stands for, `rest` being the product of the other lengths.
std::optional<Dim> remaining_dim(const InferContext& context, const Dims& dims, const Dim& rest) {
  const Dim total = product(dims);
  if (rest == Dim(0)) context.reject("-1 in the shape has no single meaning where another length is 0");
  if (const auto exact = exact_div(total, rest)) return exact;
  if (total.is_number() && rest.is_number()) {
    context.reject("the input of shape {} cannot be divided into rows of {} elements", to_string(dims),
                   rest.to_string());
  }
  return floor_div(total, rest);
}

Dims reshaped_dims(const InferContext& context, const Dims& target, bool allow_zero) {
  Dims result;
  std::optional<size_t> inferred;
  bool has_zero = false;
  bool complete = true;
  for (size_t i = 0; i < target.size(); ++i) {
    if (target[i] == Dim(-1)) {
      if (inferred) context.reject("the shape {} has more than one -1", to_string(target));
      inferred = i;
      result.emplace_back(1);
      continue;
    }
    if (target[i].is_number() && target[i].number() < -1) {
      context.reject("the shape {} has a length below -1", to_string(target));
    }
    has_zero = has_zero || target[i] == Dim(0);
    const auto dim = target_dim(context, target[i], i, allow_zero);
    complete = complete && dim.has_value();
    result.push_back(dim.value_or(context.unknown_dim(0, static_cast<int64_t>(i))));
  }
  if (inferred && has_zero && allow_zero) {
    context.reject("the shape {} has both 0 and -1 where allowzero is set", to_string(target));
  }
  const Dims* dims = context.shape(0);
  if (inferred) {
    const auto dim = dims != nullptr && complete ? remaining_dim(context, *dims, product(result)) : std::nullopt;
    result[*inferred] = dim.value_or(context.unknown_dim(0, static_cast<int64_t>(*inferred)));
    return result;
  }
  const Dim wanted = product(result);
  const Dim found = dims != nullptr ? product(*dims) : wanted;
  if (wanted.is_number() && found.is_number() && wanted != found) {
    context.reject("the input of shape {} has {} elements, and the shape {} has {}", to_string(*dims),
                   found.to_string(), to_string(result), wanted.to_string());
  }
  return result;
}

void infer_reshape(InferContext& context) {
  const ReshapeAttributes attributes = parse_reshape(context.node());
  const std::optional<int64_t> rank = known_list_length(context, 1, "the shape");
  if (const std::optional<Dims> target = context.integers(1)) {
    set_renamed_output(context, reshaped_dims(context, *target, attributes.allow_zero));
    return;
  }
  if (!rank || *rank > kMaxKnownElements) {
    context.set_output_type(0, context.type(0));
    return;
  }
  Dims dims;
  for (int64_t axis = 0; axis < *rank; ++axis) dims.push_back(context.unknown_dim(0, axis));
  context.set_output(0, ValueInfo::tensor(context.type(0), std::move(dims)));
}

void infer_flatten(InferContext& context) {
  const FlattenAttributes attributes = parse_flatten(context.node());
  const Dims* dims = context.shape(0);
  if (dims == nullptr) {
    context.set_output(0, ValueInfo::tensor(context.type(0), {context.unknown_dim(0, 0), context.unknown_dim(0, 1)}));
    return;
  }
  const auto rank = static_cast<int64_t>(dims->size());
  if (attributes.axis < -rank || attributes.axis > rank) {
    context.reject("axis {} is out of range for rank {}, expected {} to {}", attributes.axis, rank, -rank, rank);
  }
  const auto axis = static_cast<size_t>(positive_axis(attributes.axis, rank));
  const std::span<const Dim> all(*dims);
  set_renamed_output(context, {product(all.first(axis)), product(all.subspan(axis))});
}

/// Which of `rank` axes are named. Rejects repeats.
std::vector<bool> marked_axes(const InferContext& context, std::span<const int64_t> axes, int64_t rank) {
  std::vector<bool> marked(static_cast<size_t>(rank), false);
  for (const int64_t given : axes) {
    const auto axis = static_cast<size_t>(context.normalise_axis(given, rank, "axes entry"));
    if (marked[axis]) context.reject("axis {} is named twice in axes", given);
    marked[axis] = true;
  }
  return marked;
}

void infer_squeeze(InferContext& context) {
  const IntegerList axes = integer_list(context, parse_squeeze(context.node()).axes, 1);
  const Dims* dims = context.shape(0);
  const bool decided = dims != nullptr && axes.known && (axes.values || context.input(0).concrete_shape());
  if (!decided) {
    context.set_output_type(0, context.type(0));
    return;
  }
  std::vector<bool> dropped(dims->size());
  if (axes.values) {
    dropped = marked_axes(context, *axes.values, static_cast<int64_t>(dims->size()));
  } else {
    std::transform(dims->begin(), dims->end(), dropped.begin(), [](const Dim& dim) { return dim == Dim(1); });
  }
  Dims result;
  for (size_t i = 0; i < dims->size(); ++i) {
    const Dim& dim = (*dims)[i];
    if (!dropped[i]) result.push_back(dim);
    if (dropped[i] && dim.is_number() && dim.number() != 1) {
      context.reject("axis {} of length {} cannot be taken out, expected length 1", i, dim.number());
    }
  }
  set_renamed_output(context, std::move(result));
}

void infer_unsqueeze(InferContext& context) {
  const SqueezeAttributes attributes = parse_squeeze(context.node());
  if (!attributes.axes && !context.has_input(1)) context.reject("axes are missing");
  const IntegerList axes = integer_list(context, attributes.axes, 1);
  const Dims* dims = context.shape(0);
  if (dims == nullptr || !axes.values) {
    context.set_output_type(0, context.type(0));
    return;
  }
  const size_t rank = dims->size() + axes.values->size();
  const std::vector<bool> added = marked_axes(context, *axes.values, static_cast<int64_t>(rank));
  Dims result;
  auto next = dims->begin();
  for (size_t i = 0; i < rank; ++i) result.push_back(added[i] ? Dim(1) : *next++);
  set_renamed_output(context, std::move(result));
}

void infer_identity(InferContext& context) {
  context.set_output(0, context.input(0));
}

ReferenceKernel make_identity(const Node&) {
  return [](KernelContext& context) {
    const TensorView& input = context.input(0);
    copy_elements(input, context.output(0, input.type, input.shape()));
  };
}

constexpr std::array kOps = {
    OpEntry{"", "Reshape", &infer_reshape, &make_copy, input_bit(1)},
    OpEntry{"", "Flatten", &infer_flatten, &make_copy},
    OpEntry{"", "Squeeze", &infer_squeeze, &make_copy, input_bit(1)},
    OpEntry{"", "Unsqueeze", &infer_unsqueeze, &make_copy, input_bit(1)},
    OpEntry{"", "Identity", &infer_identity, &make_identity},
};

}  // namespace

ReshapeAttributes parse_reshape(const Node& node) {
  return {node.integer("allowzero", 0) != 0};
}

FlattenAttributes parse_flatten(const Node& node) {
  return {node.integer("axis", 1)};
}

SqueezeAttributes parse_squeeze(const Node& node) {
  SqueezeAttributes attributes;
  if (node.has_attribute("axes")) {
    const std::span<const int64_t> axes = node.integers("axes");
    attributes.axes.emplace(axes.begin(), axes.end());
  }
  return attributes;
}

std::span<const OpEntry> reshape_ops() {
  return kOps;
}

}  // namespace overt
