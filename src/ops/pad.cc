#include "ops/pad.h"

#include <algorithm>
#include <array>

#include "ops/broadcast.h"
#include "ops/contents.h"
#include "ops/families.h"
#include "ops/narrow.h"
#include "ops/output_shapes.h"
#include "ops/visit.h"

namespace overt {
namespace {

/// No tensor is longer, and sums with such numbers do not overflow.
constexpr int64_t kMaxPad = int64_t{1} << 48;

void check_pad(const InferContext& context, const Dim& pad) {
  if (!pad.is_number() || (pad.number() >= -kMaxPad && pad.number() <= kMaxPad)) return;
  context.reject("pads has {}, expected at most {} elements", pad.number(), kMaxPad);
}

/// Adds the pads to the dims, and checks them.
void pad_dims(const InferContext& context, Dims& dims, const Dims& pads, std::span<const int64_t> axes) {
  std::vector<bool> seen(dims.size(), false);
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto axis =
        static_cast<size_t>(context.normalise_axis(axes[i], static_cast<int64_t>(dims.size()), "axes entry"));
    if (seen[axis]) context.reject("axis {} is named twice in axes", axes[i]);
    seen[axis] = true;
    const Dim& begin = pads[i];
    const Dim& end = pads[axes.size() + i];
    check_pad(context, begin);
    check_pad(context, end);
    const Dim length = dims[axis] + begin + end;
    if (length.is_number() && length.number() < 0) {
      context.reject("pads {} and {} leave axis {} of length {} with less than nothing", begin.to_string(),
                     end.to_string(), axis, dims[axis].to_string());
    }
    dims[axis] = length;
  }
}

void infer_pad(InferContext& context) {
  const PadAttributes attributes = parse_pad(context.node());
  const Dims* dims = context.shape(0);
  if (dims == nullptr) {
    context.set_output_type(0, context.type(0));
    return;
  }
  const std::optional<Dims> pads =
      attributes.pads ? Dims(attributes.pads->begin(), attributes.pads->end()) : context.integers(1);
  const IntegerList axes = integer_list(context, std::nullopt, 3);
  Dims result = *dims;
  if (!pads || !axes.known) {
    for (size_t i = 0; i < result.size(); ++i) result[i] = context.unknown_dim(0, static_cast<int64_t>(i));
    context.set_output(0, ValueInfo::tensor(context.type(0), std::move(result)));
    return;
  }
  std::vector<int64_t> padded = axes.values.value_or(std::vector<int64_t>());
  for (size_t i = 0; !axes.values && i < dims->size(); ++i) padded.push_back(static_cast<int64_t>(i));
  if (pads->size() != 2 * padded.size()) {
    context.reject("pads has {} entries, expected {}, two for each axis", pads->size(), 2 * padded.size());
  }
  pad_dims(context, result, *pads, padded);
  context.set_output(0, ValueInfo::tensor(context.type(0), std::move(result)));
}

/// The value that constant mode fills with, as one element of the input's type.
Tensor fill_value(const KernelContext& context, const PadAttributes& attributes) {
  const DataType type = context.input(0).type;
  Tensor value(type, Shape{1});
  if (context.has_input(2)) {
    const TensorView& given = context.input(2);
    if (given.type != type || given.elements() != 1) {
      context.reject("constant_value is {} {}, expected one {}", data_type_name(given.type),
                     given.shape().to_string(), data_type_name(type));
    }
    return Tensor::share(type, Shape{1}, given.data, static_cast<size_t>(tensor_bytes(type, Shape{1})), nullptr);
  }
  if (attributes.value != 0.0f) {
    visit_types(FloatTypes{}, type, "Pad", [&]<typename T>() { value.mutable_values<T>()[0] = T(attributes.value); });
  }
  return value;
}

/// Fills the output row by row. positions[axis][i] is the place in the input's axis that place i of the output's
/// axis shows, or -1.
template <typename T>
void fill_padded(std::span<const int64_t> dims, const std::vector<std::vector<int64_t>>& positions, const T* source,
                 T value, T* target) {
  if (dims.empty()) {
    *target = *source;
    return;
  }
  const std::vector<int64_t> strides = row_major_strides(dims);
  const size_t last = dims.size() - 1;
  std::vector<size_t> index(last, 0);
  while (true) {
    int64_t base = 0;
    bool inside = true;
    for (size_t axis = 0; axis < last; ++axis) {
      const int64_t position = positions[axis][index[axis]];
      inside = inside && position >= 0;
      base += position * strides[axis];
    }
    for (const int64_t position : positions[last]) {
      *target++ = inside && position >= 0 ? source[base + position] : value;
    }
    size_t axis = last;
    while (axis > 0 && ++index[axis - 1] == positions[axis - 1].size()) index[--axis] = 0;
    if (axis == 0) return;
  }
}

void check_source(const KernelContext& context, int64_t axis, int64_t length, AxisPads pads, PadMode mode) {
  if (mode == PadMode::constant) return;
  // Taken away first, then added: what is added is a copy of what is left.
  const int64_t removed_begin = std::max<int64_t>(0, -pads.begin);
  const int64_t removed_end = std::max<int64_t>(0, -pads.end);
  const bool adds = pads.begin > 0 || pads.end > 0;
  if (removed_begin > length || removed_end > length - removed_begin ||
      (adds && removed_begin + removed_end == length)) {
    context.reject("pads {} and {} leave nothing of axis {} of length {} to copy", pads.begin, pads.end, axis,
                   length);
  }
}

ReferenceKernel make_pad(const Node& node) {
  return [attributes = parse_pad(node)](KernelContext& context) {
    const Shape shape = output_shapes(context)[0];
    const TensorView& input = context.input(0);
    const MutableTensorView output = context.output(0, input.type, shape);
    if (shape.elements() == 0) return;
    const std::vector<int64_t> pads = attributes.pads ? *attributes.pads : index_values(context.input(1));
    const std::vector<int64_t> axes = context.has_input(3) ? index_values(context.input(3)) : std::vector<int64_t>();
    const bool all_axes = !context.has_input(3);
    const std::vector<AxisPads> by_axis = all_axes || !axes.empty()
                                              ? axis_pads(input.rank(), pads, axes)
                                              : std::vector<AxisPads>(static_cast<size_t>(input.rank()));
    std::vector<std::vector<int64_t>> positions;
    for (int64_t axis = 0; axis < input.rank(); ++axis) {
      const AxisPads& of_axis = by_axis[static_cast<size_t>(axis)];
      check_source(context, axis, input.dim(axis), of_axis, attributes.mode);
      positions.push_back(padded_positions(input.dim(axis), of_axis, attributes.mode));
    }
    const Tensor value = fill_value(context, attributes);
    if (is_packed(input.type)) {
      const Tensor source = unpacked(input);
      Tensor target(DataType::uint8, shape);
      fill_padded(input.dims, positions, source.values<uint8_t>().data(), read_narrow(input.type, value.data(), 0),
                  target.mutable_values<uint8_t>().data());
      pack(target, output);
      return;
    }
    visit_element_size(input.type, "Pad", [&]<typename T>() {
      fill_padded(input.dims, positions, static_cast<const T*>(input.data), *static_cast<const T*>(value.data()),
                  static_cast<T*>(output.data));
    });
  };
}

constexpr std::array kOps = {
    OpEntry{"", "Pad", &infer_pad, &make_pad, input_bit(1) | input_bit(3)},
};

PadMode pad_mode(const Node& node) {
  const std::string_view mode = node.string("mode", "constant");
  if (mode == "constant") return PadMode::constant;
  if (mode == "reflect") return PadMode::reflect;
  if (mode == "edge") return PadMode::edge;
  if (mode == "wrap") return PadMode::wrap;
  fail_at(ErrorCode::invalid_model, node.name, "{}: mode is none of constant, reflect, edge and wrap",
          display_name(node));
}

/// Position `i`, counted from the first element, in a row of `length` > 0 that goes on in this mode.
int64_t source_position(int64_t i, int64_t length, PadMode mode) {
  if (i >= 0 && i < length) return i;
  if (mode == PadMode::edge || length == 1) return i < 0 ? 0 : length - 1;
  const int64_t period = mode == PadMode::wrap ? length : 2 * (length - 1);
  const int64_t rest = (i % period + period) % period;
  return rest < length ? rest : period - rest;
}

}  // namespace

PadAttributes parse_pad(const Node& node) {
  PadAttributes attributes;
  attributes.mode = pad_mode(node);
  if (node.op.since_version < 11) {
    const std::span<const int64_t> pads = node.integers("pads");
    attributes.pads.emplace(pads.begin(), pads.end());
    attributes.value = node.real("value", 0.0f);
  }
  return attributes;
}

std::vector<AxisPads> axis_pads(int64_t rank, std::span<const int64_t> pads, std::span<const int64_t> axes) {
  std::vector<AxisPads> result(static_cast<size_t>(rank));
  const size_t count = pads.size() / 2;
  for (size_t i = 0; i < count; ++i) {
    const int64_t axis = axes.empty() ? static_cast<int64_t>(i) : axes[i];
    result[static_cast<size_t>(positive_axis(axis, rank))] = {pads[i], pads[count + i]};
  }
  return result;
}

std::vector<int64_t> padded_positions(int64_t length, AxisPads pads, PadMode mode) {
  const int64_t first = mode == PadMode::constant ? 0 : std::max<int64_t>(0, -pads.begin);
  const int64_t left = mode == PadMode::constant ? length : length - first - std::max<int64_t>(0, -pads.end);
  const int64_t total = length + pads.begin + pads.end;
  std::vector<int64_t> positions;
  positions.reserve(static_cast<size_t>(total));
  for (int64_t i = 0; i < total; ++i) {
    const int64_t in_input = i - pads.begin;
    if (mode == PadMode::constant) {
      positions.push_back(in_input >= 0 && in_input < length ? in_input : -1);
    } else {
      positions.push_back(first + source_position(in_input - first, left, mode));
    }
  }
  return positions;
}

std::span<const OpEntry> pad_ops() {
  return kOps;
}

}  // namespace overt
