#include "ops/resize.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/escape.h"
#include "ops/checks.h"

namespace overt {
namespace {

constexpr int64_t kMaxLength = int64_t{1} << 60;

template <typename T>
struct Word {
  std::string_view name;
  T value;
};

template <typename T, size_t N>
T read_word(const Node& node, std::string_view attribute, std::string_view fallback, const Word<T> (&words)[N]) {
  const std::string_view found = node.string(attribute, fallback);
  for (const Word<T>& word : words) {
    if (word.name == found) return word.value;
  }
  std::string known;
  for (const Word<T>& word : words) known += (known.empty() ? "" : ", ") + std::string(word.name);
  reject_node(node, "{} is \"{}\", expected one of {}", attribute, escape_name(found), known);
}

constexpr Word<ResizeMode> kModes[] = {{"nearest", ResizeMode::nearest},
                                       {"linear", ResizeMode::linear},
                                       {"bilinear", ResizeMode::linear},
                                       {"cubic", ResizeMode::cubic}};
constexpr Word<NearestMode> kNearestModes[] = {{"round_prefer_floor", NearestMode::prefer_floor},
                                               {"round_prefer_ceil", NearestMode::prefer_ceil},
                                               {"floor", NearestMode::floor},
                                               {"ceil", NearestMode::ceil}};
constexpr Word<CoordinateMode> kCoordinateModes[] = {{"half_pixel", CoordinateMode::half_pixel},
                                                     {"half_pixel_symmetric", CoordinateMode::half_pixel_symmetric},
                                                     {"pytorch_half_pixel", CoordinateMode::pytorch_half_pixel},
                                                     {"tf_half_pixel_for_nn", CoordinateMode::tf_half_pixel_for_nn},
                                                     {"align_corners", CoordinateMode::align_corners},
                                                     {"asymmetric", CoordinateMode::asymmetric},
                                                     {"tf_crop_and_resize", CoordinateMode::tf_crop_and_resize}};
constexpr Word<AspectPolicy> kPolicies[] = {{"stretch", AspectPolicy::stretch},
                                            {"not_larger", AspectPolicy::not_larger},
                                            {"not_smaller", AspectPolicy::not_smaller}};

/// Resize-10 and Upsample: pixels are points at their lower corners.
ResizeAttributes parse_before_11(const Node& node) {
  ResizeAttributes attributes;
  attributes.mode = read_word(node, "mode", "nearest", kModes);
  attributes.nearest = NearestMode::by_direction;
  attributes.coordinates = CoordinateMode::asymmetric;
  if (node.op.type == "Upsample" && node.op.since_version < 9) {
    if (!node.has_attribute("scales")) reject_node(node, "attribute scales is missing");
    const std::span<const float> scales = node.reals("scales");
    attributes.scales.assign(scales.begin(), scales.end());
  } else {
    attributes.scales_input = 1;
  }
  return attributes;
}

/// The axes that roi, scales and sizes speak of, non-negative, each once.
std::vector<int64_t> resized_axes(const Node& node, const ResizeAttributes& attributes, int64_t rank) {
  std::vector<int64_t> axes;
  for (const int64_t axis : attributes.axes) {
    axes.push_back(normalise_axis(node, axis, rank));
    if (std::ranges::count(axes, axes.back()) > 1) reject_node(node, "axes names axis {} twice", axes.back());
  }
  if (!attributes.axes.empty()) return axes;
  for (int64_t axis = 0; axis < rank; ++axis) axes.push_back(axis);
  return axes;
}

void check_count(const Node& node, std::string_view name, size_t found, size_t expected) {
  if (found != expected) reject_node(node, "{} has {} numbers, expected {}", name, found, expected);
}

void check_scale(const Node& node, float scale) {
  if (!(scale > 0) || !std::isfinite(scale)) reject_node(node, "a scale is {}, expected a number above 0", scale);
}

/// floor(length * scale), in float as the standard's own rule has it.
int64_t scaled_length(const Node& node, int64_t length, float scale) {
  const float scaled = std::floor(static_cast<float>(length) * scale);
  if (!(scaled < static_cast<float>(kMaxLength))) {
    reject_node(node, "length {} times scale {} is over the limit {}", length, scale, kMaxLength);
  }
  return scale == 1.0f ? length : static_cast<int64_t>(scaled);
}

void check_size(const Node& node, int64_t size, int64_t length) {
  if (size < 0 || size > kMaxLength) reject_node(node, "sizes has {}, expected 0 to {}", size, kMaxLength);
  if (length == 0 && size > 0) reject_node(node, "an axis of length 0 cannot be resized to {}", size);
}

/// The one scale that keeps the aspect ratio.
double common_scale(AspectPolicy policy, std::span<const int64_t> sizes, std::span<const int64_t> lengths) {
  double common = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const double scale = lengths[i] == 0 ? 1 : static_cast<double>(sizes[i]) / static_cast<double>(lengths[i]);
    const bool is_better = policy == AspectPolicy::not_larger ? scale < common : scale > common;
    if (i == 0 || is_better) common = scale;
  }
  return common;
}

/// Output lengths and scales of the resized axes, from sizes.
void apply_sizes(const Node& node, AspectPolicy policy, std::span<const int64_t> sizes, std::span<const int64_t> axes,
                 std::vector<ResizeAxis>& result) {
  std::vector<int64_t> lengths;
  for (size_t i = 0; i < axes.size(); ++i) {
    lengths.push_back(result[static_cast<size_t>(axes[i])].input);
    check_size(node, sizes[i], lengths.back());
  }
  const double common = common_scale(policy, sizes, lengths);
  for (size_t i = 0; i < axes.size(); ++i) {
    ResizeAxis& axis = result[static_cast<size_t>(axes[i])];
    axis.output = sizes[i];
    axis.scale = axis.input == 0 ? 1 : static_cast<double>(sizes[i]) / static_cast<double>(axis.input);
    if (policy == AspectPolicy::stretch) continue;
    const double length = std::floor(common * static_cast<double>(axis.input) + 0.5);
    if (!(length < static_cast<double>(kMaxLength)))
      reject_node(node, "an output length is over the limit {}", kMaxLength);
    axis.output = static_cast<int64_t>(length);
    axis.scale = common;
  }
}

}  // namespace

ResizeAttributes parse_resize(const Node& node) {
  if (node.op.type == "Upsample" || node.op.since_version < 11) return parse_before_11(node);
  ResizeAttributes attributes;
  attributes.mode = read_word(node, "mode", "nearest", kModes);
  attributes.nearest = read_word(node, "nearest_mode", "round_prefer_floor", kNearestModes);
  attributes.coordinates = read_word(node, "coordinate_transformation_mode", "half_pixel", kCoordinateModes);
  attributes.policy = read_word(node, "keep_aspect_ratio_policy", "stretch", kPolicies);
  attributes.antialias = node.integer("antialias", 0) != 0 && attributes.mode != ResizeMode::nearest;
  attributes.exclude_outside = node.integer("exclude_outside", 0) != 0;
  attributes.cubic_a = node.real("cubic_coeff_a", -0.75f);
  attributes.extrapolation_value = node.real("extrapolation_value", 0);
  const std::span<const int64_t> axes = node.integers("axes");
  attributes.axes.assign(axes.begin(), axes.end());
  attributes.roi_input = 1;
  attributes.scales_input = 2;
  attributes.sizes_input = 3;
  return attributes;
}

std::vector<ResizeAxis> resolve_resize(const Node& node, const ResizeAttributes& attributes, const Shape& x,
                                       std::span<const float> roi, std::span<const float> scales,
                                       std::span<const int64_t> sizes) {
  std::vector<ResizeAxis> result;
  for (const int64_t length : x) result.push_back({.input = length, .output = length});
  const std::vector<int64_t> axes = resized_axes(node, attributes, x.rank());
  if (scales.empty() && !attributes.scales.empty()) scales = attributes.scales;
  if (scales.empty() == sizes.empty()) {
    if (axes.empty()) return result;
    reject_node(node, "{} of scales and sizes are given, expected one", scales.empty() ? "none" : "both");
  }
  if (!sizes.empty()) {
    check_count(node, "sizes", sizes.size(), axes.size());
    apply_sizes(node, attributes.policy, sizes, axes, result);
  } else {
    check_count(node, "scales", scales.size(), axes.size());
    for (size_t i = 0; i < axes.size(); ++i) {
      ResizeAxis& axis = result[static_cast<size_t>(axes[i])];
      check_scale(node, scales[i]);
      axis.output = scaled_length(node, axis.input, scales[i]);
      axis.scale = static_cast<double>(scales[i]);
    }
  }
  const bool crops = attributes.coordinates == CoordinateMode::tf_crop_and_resize;
  if (crops) check_count(node, "roi", roi.size(), 2 * axes.size());
  for (size_t i = 0; i < axes.size(); ++i) {
    ResizeAxis& axis = result[static_cast<size_t>(axes[i])];
    if (crops) {
      axis.roi_start = static_cast<double>(roi[i]);
      axis.roi_end = static_cast<double>(roi[axes.size() + i]);
      if (!std::isfinite(axis.roi_start) || !std::isfinite(axis.roi_end))
        reject_node(node, "roi has a number that is not finite");
    }
    axis.is_resized = axis.scale != 1 || axis.output != axis.input || axis.roi_start != 0 || axis.roi_end != 1;
  }
  return result;
}

namespace {

/// floor(length * scale) of a length that may have a name; nothing where it is no expression.
std::optional<Dim> scaled_dim(const Node& node, const Dim& length, float scale) {
  check_scale(node, scale);
  if (length.is_number()) return Dim(scaled_length(node, length.number(), scale));
  int exponent = 0;
  const double numerator = std::ldexp(std::frexp(static_cast<double>(scale), &exponent), 24);  // a whole number
  int64_t top = static_cast<int64_t>(numerator), bottom = 1;
  for (exponent -= 24; exponent < 0 && top % 2 == 0; ++exponent) top /= 2;
  if (exponent < -16 || exponent > 16) return std::nullopt;
  if (exponent > 0) top <<= exponent;
  if (exponent < 0) bottom <<= -exponent;
  return floor_div(length * top, bottom);
}

struct InferredAxes {
  const Node& node;
  const ResizeAttributes& attributes;
  std::vector<int64_t> axes;
  Dims& dims;  ///< x's, to be replaced by the output's
};

void infer_from_scales(const InferContext& context, const InferredAxes& of, std::span<const float> scales) {
  check_count(of.node, "scales", scales.size(), of.axes.size());
  for (size_t i = 0; i < of.axes.size(); ++i) {
    Dim& dim = of.dims[static_cast<size_t>(of.axes[i])];
    dim = scaled_dim(of.node, dim, scales[i]).value_or(context.unknown_dim(0, of.axes[i]));
  }
}

void infer_from_sizes(const InferContext& context, const InferredAxes& of, const Dims& sizes) {
  check_count(of.node, "sizes", sizes.size(), of.axes.size());
  const bool stretches = of.attributes.policy == AspectPolicy::stretch;
  std::vector<int64_t> numbers, lengths;
  for (size_t i = 0; i < of.axes.size(); ++i) {
    Dim& dim = of.dims[static_cast<size_t>(of.axes[i])];
    if (sizes[i].is_number() && dim.is_number()) {
      check_size(of.node, sizes[i].number(), dim.number());
      numbers.push_back(sizes[i].number());
      lengths.push_back(dim.number());
    }
    if (stretches) dim = sizes[i];
  }
  if (stretches) return;
  for (size_t i = 0; i < of.axes.size(); ++i) {
    Dim& dim = of.dims[static_cast<size_t>(of.axes[i])];
    if (numbers.size() < of.axes.size()) {
      dim = context.unknown_dim(0, of.axes[i]);
      continue;
    }
    std::vector<ResizeAxis> all(of.dims.size());
    for (size_t j = 0; j < of.axes.size(); ++j) all[static_cast<size_t>(of.axes[j])].input = lengths[j];
    apply_sizes(of.node, of.attributes.policy, numbers, of.axes, all);
    dim = all[static_cast<size_t>(of.axes[i])].output;
  }
}

/// The contents of a float input, where they are known and it is not left out or empty.
std::span<const float> known_floats(const InferContext& context, int input) {
  if (input < 0 || !context.has_input(static_cast<size_t>(input))) return {};
  const Tensor* constant = context.constant(static_cast<size_t>(input));
  if (constant == nullptr || constant->elements() == 0) return {};
  if (constant->type() != DataType::float32)
    context.reject("input {} has type {}, expected float32", input, data_type_name(constant->type()));
  return constant->values<float>();
}

}  // namespace

void infer_resize(InferContext& context) {
  const ResizeAttributes attributes = parse_resize(context.node());
  ValueInfo output = context.input(0);
  output.elements.reset();
  if (!output.shape) return context.set_output(0, std::move(output));
  Dims& dims = *output.shape;
  const InferredAxes of = {context.node(), attributes, resized_axes(context.node(), attributes, std::ssize(dims)),
                           dims};
  std::span<const float> scales = known_floats(context, attributes.scales_input);
  if (!attributes.scales.empty()) scales = attributes.scales;
  std::optional<Dims> sizes;
  if (attributes.sizes_input >= 0) sizes = context.integers(static_cast<size_t>(attributes.sizes_input));
  if (!scales.empty() && sizes && !sizes->empty()) context.reject("both of scales and sizes are given, expected one");
  if (!scales.empty()) {
    infer_from_scales(context, of, scales);
  } else if (sizes && !sizes->empty()) {
    infer_from_sizes(context, of, *sizes);
  } else {
    for (const int64_t axis : of.axes) dims[static_cast<size_t>(axis)] = context.unknown_dim(0, axis);
  }
  context.set_output(0, std::move(output));
}

}  // namespace overt
