#include "ops/grid_sample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/escape.h"
#include "ops/broadcast.h"
#include "ops/checks.h"
#include "ops/compute_values.h"
#include "ops/families.h"

namespace overt {

GridSampleAttributes parse_grid_sample(const Node& node) {
  GridSampleAttributes attributes;
  const std::string_view mode = node.string("mode", "linear"), padding = node.string("padding_mode", "zeros");
  if (mode == "nearest") {
    attributes.mode = GridMode::nearest;
  } else if (mode == "cubic" || mode == "bicubic") {
    attributes.mode = GridMode::cubic;
  } else if (mode != "linear" && mode != "bilinear") {
    reject_node(node, "mode is \"{}\", expected nearest, linear or cubic", escape_name(mode));
  }
  if (padding == "border") {
    attributes.padding = GridPadding::border;
  } else if (padding == "reflection") {
    attributes.padding = GridPadding::reflection;
  } else if (padding != "zeros") {
    reject_node(node, "padding_mode is \"{}\", expected zeros, border or reflection", escape_name(padding));
  }
  attributes.align_corners = node.integer("align_corners", 0) != 0;
  return attributes;
}

Dims grid_sample_output_dims(const Node& node, const Dims& x, const Dims& grid) {
  const bool ranks_fit = x.size() >= 3 && x.size() == grid.size();
  if (!ranks_fit || differ(x[0], grid[0]) || differ(grid.back(), static_cast<int64_t>(x.size()) - 2)) {
    reject_node(node,
                "x {} and grid {} do not fit, expected [batch, channels, spatial...] and [batch, positions..., r]",
                to_string(x), to_string(grid));
  }
  Dims output = {x[0], x[1]};
  output.insert(output.end(), grid.begin() + 1, grid.end() - 1);
  return output;
}

void infer_grid_sample(InferContext& context) {
  parse_grid_sample(context.node());
  const Dims *x = context.shape(0), *grid = context.shape(1);
  if (x == nullptr || grid == nullptr) return context.set_output_type(0, context.type(0));
  context.set_output(0, ValueInfo::tensor(context.type(0), grid_sample_output_dims(context.node(), *x, *grid)));
}

namespace {

/// An offset in an image's plane and how much of its element is taken.
template <typename C>
struct Tap {
  int64_t offset = 0;
  C weight = 0;
};

/// Reflects x between the borders as often as it takes.
template <typename C>
C reflected(C x, C low, C high) {
  const C range = high - low;
  if (!(range > 0)) return low;
  const C past = x < low ? low - x : x - high;
  if (past <= 0) return x;
  const C folds = std::floor(past / range), rest = past - folds * range;
  const bool from_near_border = std::fmod(folds, C{2}) == 0;
  return (x < low) == from_near_border ? low + rest : high - rest;
}

/// Reading along one axis of `length` elements.
template <typename C>
class GridAxis {
 public:
  GridAxis(const GridSampleAttributes& attributes, int64_t length, int64_t stride)
      : attributes_(attributes), length_(length), stride_(stride) {
    low_ = attributes.align_corners ? C{0} : C{-0.5};
    high_ = static_cast<C>(length) - (attributes.align_corners ? C{1} : C{0.5});
  }

  /// Appends the taps of a normalised coordinate. NaN reads as far outside.
  void taps(C normalised, std::vector<Tap<C>>& taps) const {
    const C length = static_cast<C>(length_);
    C at = attributes_.align_corners ? (normalised + 1) / 2 * (length - 1) : ((normalised + 1) * length - 1) / 2;
    constexpr C kFarAway = C{1e9};  // outside every image, and exact enough to be reflected
    at = at == at ? std::clamp(at, -kFarAway, kFarAway) : -kFarAway;
    if (attributes_.mode == GridMode::nearest) at = std::nearbyint(at);
    if (at < low_ || at > high_) {
      if (attributes_.padding == GridPadding::border) at = std::clamp(at, C{0}, length - 1);
      if (attributes_.padding == GridPadding::reflection) at = reflected(at, low_, high_);
    }
    if (attributes_.mode == GridMode::nearest) return add(static_cast<int64_t>(at), 1, taps);
    const int64_t base = static_cast<int64_t>(std::floor(at));
    const C part = at - static_cast<C>(base);
    if (attributes_.mode == GridMode::linear) {
      add(base, 1 - part, taps);
      return add(base + 1, part, taps);
    }
    for (int64_t i = -1; i <= 2; ++i) add(base + i, cubic_weight(part - static_cast<C>(i)), taps);
  }

 private:
  /// Keys' cubic convolution kernel with a = -3/4.
  static C cubic_weight(C distance) {
    constexpr C a = C{-0.75};
    const C x = std::abs(distance);
    if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  }

  void add(int64_t index, C weight, std::vector<Tap<C>>& taps) const {
    if (index < 0 || index >= length_) {
      if (attributes_.padding == GridPadding::zeros) return;
      if (attributes_.padding == GridPadding::reflection)
        index = static_cast<int64_t>(reflected(static_cast<C>(index), low_, high_));
      index = std::clamp<int64_t>(index, 0, length_ - 1);
    }
    taps.push_back({index * stride_, weight});
  }

  const GridSampleAttributes& attributes_;
  int64_t length_, stride_;
  C low_, high_;
};

/// All products of the axes' taps at one grid position; `point` has the last axis' coordinate first.
template <typename C>
void combine_taps(const std::vector<GridAxis<C>>& axes, const C* point, std::vector<Tap<C>>& all) {
  std::vector<Tap<C>> axis_taps, product;
  all.assign(1, {0, C{1}});
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    axis_taps.clear();
    axes[axis].taps(point[axes.size() - 1 - axis], axis_taps);
    product.clear();
    for (const Tap<C>& outer : all) {
      for (const Tap<C>& inner : axis_taps)
        product.push_back({outer.offset + inner.offset, outer.weight * inner.weight});
    }
    all.swap(product);
  }
}

template <typename C>
void sample_grid(const GridSampleAttributes& attributes, const Shape& x_shape, const C* x, const C* grid,
                 int64_t positions, C* y) {
  const std::span<const int64_t> spatial = x_shape.dims().subspan(2);
  const std::vector<int64_t> strides = row_major_strides(spatial);
  std::vector<GridAxis<C>> axes;
  for (size_t i = 0; i < spatial.size(); ++i) axes.emplace_back(attributes, spatial[i], strides[i]);
  const int64_t channels = x_shape[1], plane = x_shape.elements(2, x_shape.rank());
  std::vector<Tap<C>> taps;
  for (int64_t n = 0; n < x_shape[0]; ++n, x += channels * plane, y += channels * positions) {
    for (int64_t position = 0; position < positions; ++position, grid += axes.size()) {
      combine_taps(axes, grid, taps);
      for (int64_t c = 0; c < channels; ++c) {
        C sum = 0;
        for (const Tap<C>& tap : taps) sum += tap.weight * x[c * plane + tap.offset];
        y[c * positions + position] = sum;
      }
    }
  }
}

ReferenceKernel make_grid_sample(const Node& node) {
  return [attributes = parse_grid_sample(node)](KernelContext& context) {
    const TensorView &x = context.input(0), &grid = context.input(1);
    const Shape shape =
        to_shape(context.node(), grid_sample_output_dims(context.node(), to_dims(x.dims), to_dims(grid.dims)));
    const MutableTensorView y = context.output(0, x.type, shape);
    if (y.elements() == 0) return;
    if (x.elements() == 0) reject_node(context.node(), "an empty image {} cannot be sampled", x.shape().to_string());
    visit_compute_type(x.type, "GridSample", [&]<typename C>() {
      const ComputeInput<C> in(x), points(grid);
      const ComputeOutput<C> out(y);
      sample_grid<C>(attributes, x.shape(), in.data(), points.data(), shape.elements(2, shape.rank()), out.data());
      out.store();
    });
  };
}

constexpr std::array kGridSampleOps = {
    OpEntry{"", "GridSample", infer_grid_sample, make_grid_sample},
};

}  // namespace

std::span<const OpEntry> grid_sample_ops() {
  return kGridSampleOps;
}

}  // namespace overt
