#include "ops/roi_align.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/escape.h"
#include "ops/checks.h"
#include "ops/compute_values.h"
#include "ops/families.h"

namespace overt {
namespace {

constexpr int64_t kMaxSamplingRatio = 1024;  // bounds the time of one bin

int64_t read_integer(const Node& node, std::string_view name, int64_t fallback, int64_t least, int64_t most) {
  const int64_t number = node.integer(name, fallback);
  if (number < least || number > most) reject_node(node, "{} is {}, expected {} to {}", name, number, least, most);
  return number;
}

/// True for the second word, false for the first.
bool read_choice(const Node& node, std::string_view name, std::string_view fallback, std::string_view first,
                 std::string_view second) {
  const std::string_view word = node.string(name, fallback);
  if (word != first && word != second) {
    reject_node(node, "{} is \"{}\", expected {} or {}", name, escape_name(word), first, second);
  }
  return word == second;
}

}  // namespace

RoiAlignAttributes parse_roi_align(const Node& node) {
  RoiAlignAttributes attributes;
  attributes.takes_maximum = read_choice(node, "mode", "avg", "avg", "max");
  attributes.half_pixel = node.op.since_version >= 16 && read_choice(node, "coordinate_transformation_mode",
                                                                     "half_pixel", "output_half_pixel", "half_pixel");
  attributes.output_height = read_integer(node, "output_height", 1, 1, INT32_MAX);
  attributes.output_width = read_integer(node, "output_width", 1, 1, INT32_MAX);
  attributes.sampling_ratio = read_integer(node, "sampling_ratio", 0, 0, kMaxSamplingRatio);
  attributes.spatial_scale = node.real("spatial_scale", 1);
  return attributes;
}

Dims roi_align_output_dims(const Node& node, const RoiAlignAttributes& attributes, const Dims& x, const Dims& regions,
                           const Dims& batch_indices) {
  const bool ranks_fit = x.size() == 4 && regions.size() == 2 && batch_indices.size() == 1;
  if (!ranks_fit || differ(regions[1], 4) || differ(regions[0], batch_indices[0])) {
    reject_node(node, "x {}, regions {} and batch indices {} do not fit, expected rank 4, [n, 4] and [n]",
                to_string(x), to_string(regions), to_string(batch_indices));
  }
  return {regions[0], x[1], attributes.output_height, attributes.output_width};
}

void infer_roi_align(InferContext& context) {
  const RoiAlignAttributes attributes = parse_roi_align(context.node());
  const Dims *x = context.shape(0), *regions = context.shape(1), *batch = context.shape(2);
  if (x == nullptr || regions == nullptr || batch == nullptr) return context.set_output_type(0, context.type(0));
  context.set_output(
      0, ValueInfo::tensor(context.type(0), roi_align_output_dims(context.node(), attributes, *x, *regions, *batch)));
}

namespace {

/// One sample along one axis: between pixels low and high, `weight` of it from high.
template <typename C>
struct Sample {
  int64_t low = 0;
  int64_t high = 0;
  C weight = 0;
};

/// The samples of one bin along one axis that lie on the image, or within a pixel of it; the others are 0.
template <typename C>
struct BinSamples {
  std::vector<Sample<C>> inside;
  C count = 0;  ///< of all samples
};

template <typename C>
BinSamples<C> sample_bin(C start, C size, int64_t sampling_ratio, int64_t length) {
  BinSamples<C> samples;
  samples.count = sampling_ratio > 0 ? static_cast<C>(sampling_ratio) : std::ceil(size);
  if (length < 1 || !(samples.count >= 1) || !std::isfinite(start) || !std::isfinite(size)) return samples;
  const C step = size / samples.count, limit = static_cast<C>(length);
  // The first sample at or after -1; a region far outside is not walked through.
  const C skipped = step > 0 ? std::clamp(std::floor((-1 - start) / step - C{1}), C{0}, samples.count) : C{0};
  for (C i = skipped; i < samples.count; ++i) {
    C at = start + (i + C{0.5}) * step;
    if (at > limit && step > 0) break;
    if (i + 1 == i) break;  // a region so large that samples cannot be told apart
    if (at < -1 || at > limit) continue;
    at = std::max(at, C{0});
    const int64_t low = std::min(static_cast<int64_t>(at), length - 1);
    const bool is_last = low == length - 1;
    samples.inside.push_back({low, is_last ? low : low + 1, is_last ? C{0} : at - static_cast<C>(low)});
  }
  return samples;
}

/// Mean or maximum over a bin's samples of one channel's plane. The maximum is over weighted corners, as the
/// standard's own implementation has it.
template <typename C>
C pool_bin(const C* plane, int64_t width, const BinSamples<C>& rows, const BinSamples<C>& columns,
           bool takes_maximum) {
  C sum = 0, largest = 0;
  bool is_first = true;
  for (const Sample<C>& row : rows.inside) {
    for (const Sample<C>& column : columns.inside) {
      const C corners[] = {(1 - row.weight) * (1 - column.weight) * plane[row.low * width + column.low],
                           (1 - row.weight) * column.weight * plane[row.low * width + column.high],
                           row.weight * (1 - column.weight) * plane[row.high * width + column.low],
                           row.weight * column.weight * plane[row.high * width + column.high]};
      sum += corners[0] + corners[1] + corners[2] + corners[3];
      const C here = std::max({corners[0], corners[1], corners[2], corners[3]});
      largest = is_first ? here : std::max(largest, here);
      is_first = false;
    }
  }
  if (!takes_maximum) return sum / std::max(C{1}, rows.count * columns.count);  // 1 where the count is NaN
  const bool all_inside =
      static_cast<C>(rows.inside.size()) == rows.count && static_cast<C>(columns.inside.size()) == columns.count;
  return all_inside ? largest : std::max(largest, C{0});
}

template <typename C>
void align_region(const RoiAlignAttributes& attributes, const C* region, const C* image, const Shape& x, C* y) {
  const C offset = attributes.half_pixel ? C{0.5} : C{0}, scale = static_cast<C>(attributes.spatial_scale);
  const C left = region[0] * scale - offset, top = region[1] * scale - offset;
  C width = region[2] * scale - offset - left, height = region[3] * scale - offset - top;
  if (!attributes.half_pixel) {
    width = std::max(width, C{1});
    height = std::max(height, C{1});
  }
  const C bin_width = width / static_cast<C>(attributes.output_width),
          bin_height = height / static_cast<C>(attributes.output_height);
  std::vector<BinSamples<C>> columns;
  for (int64_t i = 0; i < attributes.output_width; ++i) {
    columns.push_back(sample_bin(left + static_cast<C>(i) * bin_width, bin_width, attributes.sampling_ratio, x[3]));
  }
  const int64_t bins = attributes.output_height * attributes.output_width;
  for (int64_t row = 0; row < attributes.output_height; ++row) {
    const BinSamples<C> rows =
        sample_bin(top + static_cast<C>(row) * bin_height, bin_height, attributes.sampling_ratio, x[2]);
    for (int64_t c = 0; c < x[1]; ++c) {
      C* out = y + c * bins + row * attributes.output_width;
      for (const BinSamples<C>& bin : columns)
        *out++ = pool_bin(image + c * x[2] * x[3], x[3], rows, bin, attributes.takes_maximum);
    }
  }
}

ReferenceKernel make_roi_align(const Node& node) {
  return [attributes = parse_roi_align(node)](KernelContext& context) {
    const TensorView &x = context.input(0), &regions = context.input(1), &batch = context.input(2);
    const Shape shape = to_shape(context.node(), roi_align_output_dims(context.node(), attributes, to_dims(x.dims),
                                                                       to_dims(regions.dims), to_dims(batch.dims)));
    const std::span<const int64_t> images = batch.values<int64_t>();
    for (const int64_t image : images) {
      if (image < 0 || image >= x.dim(0))
        context.reject("batch index {} is out of range, expected 0 to {}", image, x.dim(0) - 1);
    }
    const MutableTensorView y = context.output(0, x.type, shape);
    if (y.elements() == 0) return;
    visit_compute_type(x.type, "RoiAlign", [&]<typename C>() {
      const ComputeInput<C> in(x), corners(regions);
      const ComputeOutput<C> out(y);
      const int64_t image_size = x.shape().elements(1, 4), result_size = shape.elements(1, 4);
      for (int64_t i = 0; i < shape[0]; ++i) {
        align_region<C>(attributes, corners.data() + 4 * i, in.data() + images[static_cast<size_t>(i)] * image_size,
                        x.shape(), out.data() + i * result_size);
      }
      out.store();
    });
  };
}

constexpr std::array kRoiAlignOps = {
    OpEntry{"", "RoiAlign", infer_roi_align, make_roi_align},
};

}  // namespace

std::span<const OpEntry> roi_align_ops() {
  return kRoiAlignOps;
}

}  // namespace overt
