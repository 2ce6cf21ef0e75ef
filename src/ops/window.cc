#include "ops/window.h"

#include <string_view>

#include "base/escape.h"
#include "ops/broadcast.h"
#include "ops/checks.h"

namespace overt {
namespace {

constexpr int64_t kMaxAttribute = INT32_MAX;           // of strides, dilations, pads, kernel lengths
constexpr int64_t kMaxInputLength = int64_t{1} << 60;  // leaves room for pads and a window's extent

std::vector<int64_t> read_list(const Node& node, std::string_view name, int64_t least) {
  const std::span<const int64_t> list = node.integers(name);
  for (const int64_t number : list) {
    if (number < least || number > kMaxAttribute) {
      reject_node(node, "{} has {}, expected {} to {}", name, number, least, kMaxAttribute);
    }
  }
  return {list.begin(), list.end()};
}

AutoPad parse_auto_pad(const Node& node) {
  const std::string_view name = node.string("auto_pad", "NOTSET");
  if (name == "NOTSET" || name.empty()) return AutoPad::none;
  if (name == "SAME_UPPER") return AutoPad::same_upper;
  if (name == "SAME_LOWER") return AutoPad::same_lower;
  if (name == "VALID") return AutoPad::valid;
  reject_node(node, "auto_pad is \"{}\", expected NOTSET, SAME_UPPER, SAME_LOWER or VALID", escape_name(name));
}

int64_t at_or(std::span<const int64_t> list, size_t i, int64_t fallback) {
  return i < list.size() ? list[i] : fallback;
}

/// The window along axis i as far as the attributes tell: everything but input, kernel and output.
WindowAxis attribute_axis(const WindowAttributes& attributes, size_t i, size_t rank) {
  WindowAxis axis;
  axis.stride = at_or(attributes.strides, i, 1);
  axis.dilation = at_or(attributes.dilations, i, 1);
  if (attributes.auto_pad == AutoPad::none) {
    axis.pad_begin = at_or(attributes.pads, i, 0);
    axis.pad_end = at_or(attributes.pads, rank + i, 0);
  }
  return axis;
}

bool is_same(AutoPad auto_pad) {
  return auto_pad == AutoPad::same_upper || auto_pad == AutoPad::same_lower;
}

Dim output_length(const Node& node, const WindowAttributes& attributes, const WindowAxis& axis, const Dim& kernel,
                  const Dim& input) {
  if (input.is_number() && input.number() > kMaxInputLength) {
    reject_node(node, "a spatial length of {} is over the limit {}", input.number(), kMaxInputLength);
  }
  if (kernel.is_number() && (kernel.number() < 1 || kernel.number() > kMaxAttribute)) {
    reject_node(node, "a kernel length is {}, expected 1 to {}", kernel.number(), kMaxAttribute);
  }
  const Dim extent = (kernel - 1) * axis.dilation + 1;
  const Dim slack = input + (axis.pad_begin + axis.pad_end) - extent;
  Dim output;
  if (is_same(attributes.auto_pad)) {
    output = ceil_div(input, axis.stride);
  } else if (attributes.ceil_mode && attributes.auto_pad == AutoPad::none) {
    // A window that would start in the padding at the end is left out.
    output = minimum(ceil_div(slack, axis.stride) + 1, ceil_div(input + axis.pad_begin, axis.stride));
  } else {
    output = floor_div(slack, axis.stride) + 1;
  }
  if (output.is_number() && output.number() < 1) {
    reject_node(node, "a window of extent {} does not fit an input of length {} with pads {} and {}",
                extent.to_string(), input.to_string(), axis.pad_begin, axis.pad_end);
  }
  return output;
}

}  // namespace

WindowAttributes parse_window(const Node& node) {
  WindowAttributes attributes;
  attributes.kernel = read_list(node, "kernel_shape", 1);
  attributes.strides = read_list(node, "strides", 1);
  attributes.dilations = read_list(node, "dilations", 1);
  attributes.pads = read_list(node, "pads", 0);
  attributes.auto_pad = parse_auto_pad(node);
  attributes.ceil_mode = node.integer("ceil_mode", 0) != 0;
  return attributes;
}

void check_window_rank(const Node& node, const WindowAttributes& attributes, int64_t spatial_rank) {
  const auto check = [&](std::string_view name, const std::vector<int64_t>& list, int64_t expected) {
    if (!list.empty() && std::ssize(list) != expected) {
      reject_node(node, "{} has {} numbers, expected {} for {} spatial axes", name, list.size(), expected,
                  spatial_rank);
    }
  };
  check("kernel_shape", attributes.kernel, spatial_rank);
  check("strides", attributes.strides, spatial_rank);
  check("dilations", attributes.dilations, spatial_rank);
  check("pads", attributes.pads, 2 * spatial_rank);
}

Dims window_output_dims(const Node& node, const WindowAttributes& attributes, std::span<const Dim> kernel,
                        std::span<const Dim> input) {
  check_window_rank(node, attributes, std::ssize(input));
  Dims output;
  for (size_t i = 0; i < input.size(); ++i) {
    const WindowAxis axis = attribute_axis(attributes, i, input.size());
    output.push_back(output_length(node, attributes, axis, kernel[i], input[i]));
  }
  return output;
}

Window resolve_window(const Node& node, const WindowAttributes& attributes, std::span<const int64_t> kernel,
                      std::span<const int64_t> input) {
  const Shape output = to_shape(node, window_output_dims(node, attributes, to_dims(kernel), to_dims(input)));
  Window window;
  for (size_t i = 0; i < input.size(); ++i) {
    WindowAxis axis = attribute_axis(attributes, i, input.size());
    axis.input = input[i];
    axis.kernel = kernel[i];
    axis.output = output[static_cast<int64_t>(i)];
    if (is_same(attributes.auto_pad)) {
      const int64_t total = std::max<int64_t>((axis.output - 1) * axis.stride + axis.extent() - axis.input, 0);
      axis.pad_begin = attributes.auto_pad == AutoPad::same_upper ? total / 2 : total - total / 2;
      axis.pad_end = total - axis.pad_begin;
    }
    window.push_back(axis);
  }
  return window;
}

TapRange taps_within(const WindowAxis& axis, int64_t position, int64_t low, int64_t high) {
  const int64_t start = axis.start(position), step = axis.dilation;
  const int64_t first = start < low ? (low - start + step - 1) / step : 0;
  const int64_t last = start < high ? (high - start + step - 1) / step : 0;
  return {first, std::min(last, axis.kernel)};
}

void window_offsets(const Window& window, int64_t first, int64_t count, std::vector<int64_t>& offsets) {
  const int64_t taps = kernel_taps(window);
  offsets.assign(static_cast<size_t>(taps * count), 0);
  int64_t output_stride = output_plane(window), tap_stride = taps, input_stride = input_plane(window);
  for (const WindowAxis& axis : window) {
    output_stride /= std::max<int64_t>(axis.output, 1);
    tap_stride /= axis.kernel;
    input_stride /= std::max<int64_t>(axis.input, 1);
    for (int64_t tap = 0; tap < taps; ++tap) {
      const int64_t shift = tap / tap_stride % axis.kernel * axis.dilation;
      int64_t* row = offsets.data() + tap * count;
      for (int64_t j = 0; j < count; ++j) {
        const int64_t at = axis.start((first + j) / output_stride % axis.output) + shift;
        if (row[j] >= 0) row[j] = at >= 0 && at < axis.input ? row[j] + at * input_stride : -1;
      }
    }
  }
}

int64_t input_plane(const Window& window) {
  int64_t product = 1;
  for (const WindowAxis& axis : window) product *= axis.input;
  return product;
}

int64_t output_plane(const Window& window) {
  int64_t product = 1;
  for (const WindowAxis& axis : window) product *= axis.output;
  return product;
}

int64_t kernel_taps(const Window& window) {
  int64_t product = 1;
  for (const WindowAxis& axis : window) product *= axis.kernel;
  return product;
}

WindowWalk::WindowWalk(const Window& window)
    : window_(window), position_(window.size()), taps_(window.size()), tap_(window.size()) {
  std::vector<int64_t> input;
  for (const WindowAxis& axis : window) {
    input.push_back(axis.input);
    done_ = done_ || axis.output == 0;
  }
  input_strides_ = row_major_strides(input);
  for (size_t axis = 0; axis < window.size(); ++axis) find_taps(axis);
}

void WindowWalk::find_taps(size_t axis) {
  taps_[axis] = taps_inside(window_[axis], position_[axis]);
}

void WindowWalk::next() {
  for (size_t axis = window_.size(); axis-- > 0;) {
    const bool wraps = ++position_[axis] == window_[axis].output;
    if (wraps) position_[axis] = 0;
    find_taps(axis);
    if (!wraps) return;
  }
  done_ = true;
}

}  // namespace overt
