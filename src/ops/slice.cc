#include "ops/slice.h"

#include <algorithm>
#include <array>

#include "ops/broadcast.h"
#include "ops/contents.h"
#include "ops/elements.h"
#include "ops/families.h"
#include "ops/output_shapes.h"
#include "ops/strided_copy.h"
#include "ops/visit.h"

namespace overt {
namespace {

/// Exporters write this or more for "to the end".
constexpr int64_t kToTheEnd = INT32_MAX;

template <typename T>
void slice(std::span<const int64_t> dims, std::span<const SliceRange> ranges, const T* source, T* target) {
  std::vector<int64_t> strides = row_major_strides(dims);
  std::vector<int64_t> counts;
  for (size_t i = 0; i < ranges.size(); ++i) {
    source += ranges[i].start * strides[i];
    strides[i] = ranges[i].count > 1 ? strides[i] * ranges[i].step : 0;
    counts.push_back(ranges[i].count);
  }
  strided_copy<T>(counts, source, strides, target, row_major_strides(counts));
}

/// `position` as the standard clamps it to [lowest, highest], where that can be said.
std::optional<Dim> clamped(const Dim& position, const Dim& length, const Dim& lowest, const Dim& highest) {
  if (position.is_number() && position.number() >= kToTheEnd) return highest;
  if (position.is_number() && position.number() < -kToTheEnd) return lowest;
  const std::optional<bool> negative = less(position, 0);
  if (!negative) return std::nullopt;
  return *negative ? maximum(length + position, lowest) : minimum(position, highest);
}

/// How many elements a range over an axis of symbolic length has, where that can be said.
std::optional<Dim> symbolic_count(const Dim& length, const Dim& start, const Dim& end, const Dim& step) {
  if (!step.is_number()) return std::nullopt;
  const bool forward = step.number() > 0;
  const Dim lowest = forward ? 0 : -1;
  const Dim highest = forward ? length : length - 1;
  const auto first = clamped(start, length, 0, highest);
  const auto last = clamped(end, length, lowest, highest);
  if (!first || !last) return std::nullopt;
  const Dim distance = maximum(forward ? *last - *first : *first - *last, 0);
  return ceil_div(distance, forward ? step.number() : -std::max<int64_t>(step.number(), -INT64_MAX));
}

/// The four lists; `ready` is false where one is there and its contents are not known.
struct SliceLists {
  std::optional<Dims> starts;
  std::optional<Dims> ends;
  std::vector<int64_t> axes;
  Dims steps;
  bool axes_known = true;
};

std::optional<Dims> as_dims(const std::optional<std::vector<int64_t>>& values) {
  return values ? std::optional(Dims(values->begin(), values->end())) : std::nullopt;
}

void check_lists(const InferContext& context, const SliceLists& lists, size_t count, size_t rank) {
  if (lists.ends && lists.ends->size() != count) {
    context.reject("ends has {} entries, expected {} as starts", lists.ends->size(), count);
  }
  if (lists.axes.size() != count)
    context.reject("axes has {} entries, expected {} as starts", lists.axes.size(), count);
  if (lists.steps.size() != count)
    context.reject("steps has {} entries, expected {} as starts", lists.steps.size(), count);
  std::vector<bool> seen(rank, false);
  for (const int64_t axis : lists.axes) {
    const auto i = static_cast<size_t>(context.normalise_axis(axis, static_cast<int64_t>(rank), "axes entry"));
    if (seen[i]) context.reject("axis {} is named twice in axes", axis);
    seen[i] = true;
  }
  for (const Dim& step : lists.steps) {
    if (step == Dim(0)) context.reject("steps has a 0, expected any other number");
  }
}

/// Nothing where not even the number of sliced axes is known.
std::optional<SliceLists> slice_lists(const InferContext& context, size_t rank) {
  const SliceAttributes attributes = parse_slice(context.node());
  SliceLists lists;
  lists.starts = attributes.starts ? as_dims(attributes.starts) : context.integers(1);
  lists.ends = attributes.ends ? as_dims(attributes.ends) : context.integers(2);
  std::optional<int64_t> length;
  if (lists.starts) length = static_cast<int64_t>(lists.starts->size());
  if (!length && context.has_input(1)) length = known_list_length(context, 1, "starts");
  if (!length) return std::nullopt;
  if (*length < 0 || *length > static_cast<int64_t>(rank)) {
    context.reject("starts has {} entries, expected at most {}, the input's rank", *length, rank);
  }
  const IntegerList axes = integer_list(context, attributes.axes, 3);
  if (!axes.known) return std::nullopt;
  if (axes.values) lists.axes = *axes.values;
  for (int64_t axis = 0; !axes.values && axis < *length; ++axis) lists.axes.push_back(axis);
  lists.steps = Dims(static_cast<size_t>(*length), Dim(1));
  if (context.has_input(4)) {
    const std::optional<Dims> steps = context.integers(4);
    if (!steps) lists.starts.reset();
    if (steps) lists.steps = *steps;
  }
  check_lists(context, lists, static_cast<size_t>(*length), rank);
  return lists;
}

void set_unknown_lengths(InferContext& context, size_t rank) {
  Dims dims;
  for (size_t axis = 0; axis < rank; ++axis) dims.push_back(context.unknown_dim(0, static_cast<int64_t>(axis)));
  context.set_output(0, ValueInfo::tensor(context.type(0), std::move(dims)));
}

void infer_slice(InferContext& context) {
  const Dims* dims = context.shape(0);
  if (dims == nullptr) {
    context.set_output_type(0, context.type(0));
    return;
  }
  const auto rank = static_cast<int64_t>(dims->size());
  const std::optional<SliceLists> lists = slice_lists(context, dims->size());
  if (!lists) {
    set_unknown_lengths(context, dims->size());
    return;
  }
  Dims result = *dims;
  std::vector<SliceRange> ranges;
  for (const Dim& dim : *dims) ranges.push_back({0, 1, dim.number_if_known().value_or(-1)});
  for (size_t i = 0; i < lists->axes.size(); ++i) {
    const auto axis = static_cast<size_t>(positive_axis(lists->axes[i], rank));
    const Dim& length = (*dims)[axis];
    const bool bounds_known = lists->starts && lists->ends;
    const Dim start = bounds_known ? (*lists->starts)[i] : Dim(0);
    const Dim end = bounds_known ? (*lists->ends)[i] : Dim(0);
    const Dim& step = lists->steps[i];
    ranges[axis].count = -1;
    if (!bounds_known) {
      result[axis] = context.unknown_dim(0, static_cast<int64_t>(axis));
    } else if (length.is_number() && start.is_number() && end.is_number() && step.is_number()) {
      ranges[axis] = slice_range(length.number(), start.number(), end.number(), step.number());
      result[axis] = ranges[axis].count;
    } else {
      const auto count = symbolic_count(length, start, end, step);
      result[axis] = count.value_or(context.unknown_dim(0, static_cast<int64_t>(axis)));
    }
  }
  ValueInfo output = ValueInfo::tensor(context.type(0), std::move(result));
  const auto kept = keepable_elements(output);
  const bool exact = std::ranges::all_of(ranges, [](const SliceRange& range) { return range.count >= 0; });
  const auto source = kept && exact ? known_contents(context, 0) : std::nullopt;
  if (source) {
    output.elements.emplace(*kept);
    if (*kept > 0) slice(source->shape.dims(), ranges, source->elements.data(), output.elements->data());
  }
  context.set_output(0, std::move(output));
}

ReferenceKernel make_slice(const Node& node) {
  return [attributes = parse_slice(node)](KernelContext& context) {
    const Shape shape = output_shapes(context)[0];
    const TensorView& input = context.input(0);
    const MutableTensorView output = context.output(0, input.type, shape);
    if (shape.elements() == 0) return;
    const auto list = [&](const std::optional<std::vector<int64_t>>& attribute, size_t i) {
      if (attribute) return *attribute;
      return context.has_input(i) ? index_values(context.input(i)) : std::vector<int64_t>();
    };
    const std::vector<SliceRange> ranges =
        slice_ranges(input.dims, list(attributes.starts, 1), list(attributes.ends, 2), list(attributes.axes, 3),
                     list(std::nullopt, 4));
    visit_element_size(input.type, "Slice", [&]<typename T>() {
      slice(input.dims, ranges, static_cast<const T*>(input.data), static_cast<T*>(output.data));
    });
  };
}

constexpr std::array kOps = {
    OpEntry{"", "Slice", &infer_slice, &make_slice, input_bit(1) | input_bit(2) | input_bit(3) | input_bit(4)},
};

}  // namespace

SliceAttributes parse_slice(const Node& node) {
  SliceAttributes attributes;
  if (node.op.since_version >= 10) return attributes;
  const auto list = [&](std::string_view name) {
    const std::span<const int64_t> values = node.integers(name);
    return std::vector<int64_t>(values.begin(), values.end());
  };
  attributes.starts = list("starts");
  attributes.ends = list("ends");
  if (node.has_attribute("axes")) attributes.axes = list("axes");
  return attributes;
}

SliceRange slice_range(int64_t length, int64_t start, int64_t end, int64_t step) {
  step = std::max(step, -INT64_MAX);
  const bool forward = step > 0;
  const int64_t highest = forward ? length : length - 1;
  const auto position = [&](int64_t given, int64_t lowest) {
    return std::clamp(given < 0 ? given + length : given, std::min(lowest, highest), highest);
  };
  const int64_t first = position(start, 0);
  const int64_t last = position(end, forward ? 0 : -1);
  const int64_t distance = forward ? last - first : first - last;
  if (distance <= 0) return {0, step, 0};
  return {first, step, (distance - 1) / (forward ? step : -step) + 1};
}

std::vector<SliceRange> slice_ranges(std::span<const int64_t> dims, std::span<const int64_t> starts,
                                     std::span<const int64_t> ends, std::span<const int64_t> axes,
                                     std::span<const int64_t> steps) {
  std::vector<SliceRange> ranges;
  for (const int64_t dim : dims) ranges.push_back({0, 1, dim});
  for (size_t i = 0; i < starts.size(); ++i) {
    const int64_t axis = axes.empty() ? static_cast<int64_t>(i) : axes[i];
    const auto position = static_cast<size_t>(positive_axis(axis, static_cast<int64_t>(dims.size())));
    ranges[position] = slice_range(dims[position], starts[i], ends[i], steps.empty() ? 1 : steps[i]);
  }
  return ranges;
}

std::span<const OpEntry> slice_ops() {
  return kOps;
}

}  // namespace overt
