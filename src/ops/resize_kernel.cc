#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "ops/checks.h"
#include "ops/families.h"
#include "ops/resample.h"
#include "ops/visit.h"

namespace overt {
namespace {

/// One pass: an axis of a tensor seen as [outer, axis.input, inner] becomes [outer, axis.output, inner].
struct AxisPass {
  AxisSamples samples;
  ResizeAxis axis;
  size_t number = 0;  ///< of the axis
};

/// The passes in the order that keeps what lies between them small: axes that shrink first.
std::vector<AxisPass> plan_passes(const ResizeAttributes& attributes, const std::vector<ResizeAxis>& axes) {
  std::vector<AxisPass> passes;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].is_resized) passes.push_back({sample_axis(attributes, axes[i]), axes[i], i});
  }
  const auto growth = [](const AxisPass& pass) {
    return static_cast<double>(pass.axis.output) / static_cast<double>(pass.axis.input);
  };
  std::ranges::stable_sort(passes, {}, growth);
  return passes;
}

/// `value` as T; integers are rounded to the nearest, halves to even, and saturate.
template <typename T>
T converted(double value) {
  if constexpr (std::is_integral_v<T>) {
    const double rounded = std::nearbyint(value);
    if (!(rounded > static_cast<double>(std::numeric_limits<T>::min()))) return std::numeric_limits<T>::min();
    if (!(rounded < static_cast<double>(std::numeric_limits<T>::max()))) return std::numeric_limits<T>::max();
    return static_cast<T>(rounded);
  } else {
    return T(static_cast<ComputeType<T>>(value));
  }
}

template <typename E>
void pass_nearest(const AxisPass& pass, int64_t outer, int64_t inner, const E* x, E* y) {
  for (int64_t o = 0; o < outer; ++o, x += pass.axis.input * inner) {
    for (const int64_t index : pass.samples.indices) y = std::copy_n(x + index * inner, inner, y);
  }
}

template <typename C>
void pass_weighted(const AxisPass& pass, int64_t outer, int64_t inner, const C* x, C* y) {
  const AxisSamples& samples = pass.samples;
  for (int64_t o = 0; o < outer; ++o, x += pass.axis.input * inner) {
    for (int64_t position = 0; position < pass.axis.output; ++position, y += inner) {
      std::fill_n(y, inner, C{});
      for (int64_t tap = 0; tap < samples.taps; ++tap) {
        const size_t at = static_cast<size_t>(position * samples.taps + tap);
        const C weight = static_cast<C>(samples.weights[at]);
        if (weight == 0) continue;  // taps past the edge of a widened filter
        const C* row = x + samples.indices[at] * inner;
        for (int64_t i = 0; i < inner; ++i) y[i] += weight * row[i];
      }
    }
  }
}

/// Puts the extrapolation value where the pass read outside.
template <typename E>
void fill_outside(const AxisPass& pass, int64_t outer, int64_t inner, const E& value, E* y) {
  for (int64_t o = 0; o < outer; ++o) {
    for (const uint8_t is_outside : pass.samples.outside) {
      if (is_outside != 0) std::fill_n(y, inner, value);
      y += inner;
    }
  }
}

/// Runs all passes from `x` of shape `dims` and hands the result to take(const E*). Later passes average or pick
/// among equal extrapolation values, so that these may be written after each pass.
template <typename E, typename Pass, typename Take>
void run_passes(const std::vector<AxisPass>& passes, Shape dims, const E* x, const E& extrapolation, Pass&& run_pass,
                Take&& take) {
  std::vector<E> present, next;
  for (const AxisPass& pass : passes) {
    const int64_t number = static_cast<int64_t>(pass.number);
    const int64_t outer = dims.elements(0, number), inner = dims.elements(number + 1, dims.rank());
    next.resize(static_cast<size_t>(outer * pass.axis.output * inner));
    run_pass(pass, outer, inner, x, next.data());
    if (!pass.samples.outside.empty()) fill_outside(pass, outer, inner, extrapolation, next.data());
    dims[number] = pass.axis.output;
    present.swap(next);
    x = present.data();
  }
  take(x);
}

/// The extrapolation value in the memory of an element of `type`; zero for types that are no numbers.
template <typename E>
E extrapolation_element(DataType type, double value) {
  E element{};
  if constexpr (std::is_trivially_copyable_v<E>) {
    if (type == DataType::boolean || value == 0) return element;
    visit_types(NumericTypes{}, type, "Resize", [&]<typename T>() {
      const T number = converted<T>(value);
      std::memcpy(&element, &number, std::min(sizeof(T), sizeof(E)));
    });
  }
  return element;
}

void resize_nearest(const std::vector<AxisPass>& passes, double extrapolation, const TensorView& x,
                    const MutableTensorView& y) {
  visit_element_size(x.type, "Resize", [&]<typename E>() {
    const E outside = extrapolation_element<E>(x.type, extrapolation);
    run_passes<E>(passes, x.shape(), static_cast<const E*>(x.data), outside, pass_nearest<E>,
                  [&](const E* result) { std::copy_n(result, y.elements(), static_cast<E*>(y.data)); });
  });
}

/// C: float for the floats up to 32 bits, double for all else.
template <typename C>
void resize_weighted(const std::vector<AxisPass>& passes, double extrapolation, const TensorView& x,
                     const MutableTensorView& y) {
  std::vector<C> values(static_cast<size_t>(x.elements()));
  visit_types(NumericTypes{}, x.type, "Resize", [&]<typename T>() {
    std::ranges::transform(x.values<T>(), values.begin(),
                           [](T v) { return static_cast<C>(static_cast<ComputeType<T>>(v)); });
  });
  run_passes<C>(passes, x.shape(), values.data(), static_cast<C>(extrapolation), pass_weighted<C>,
                [&](const C* result) {
                  visit_types(NumericTypes{}, y.type, "Resize", [&]<typename T>() {
                    for (T& value : y.values<T>()) value = converted<T>(static_cast<double>(*result++));
                  });
                });
}

template <typename T>
std::span<const T> contents(const KernelContext& context, int input) {
  if (input < 0 || !context.has_input(static_cast<size_t>(input))) return {};
  const TensorView& view = context.input(static_cast<size_t>(input));
  if (view.type != data_type_of<T>) {
    reject_node(context.node(), "input {} has type {}, expected {}", input, data_type_name(view.type),
                data_type_name(data_type_of<T>));
  }
  return view.values<T>();
}

/// The region of interest is of x's type; it is looked at for one coordinate mode alone.
std::vector<float> region(const KernelContext& context, const ResizeAttributes& attributes) {
  if (attributes.coordinates != CoordinateMode::tf_crop_and_resize || attributes.roi_input < 0) return {};
  if (!context.has_input(static_cast<size_t>(attributes.roi_input))) return {};
  const TensorView& view = context.input(static_cast<size_t>(attributes.roi_input));
  std::vector<float> values(static_cast<size_t>(view.elements()));
  visit_types(FloatTypes{}, view.type, "Resize's roi", [&]<typename T>() {
    std::ranges::transform(view.values<T>(), values.begin(), [](T v) { return static_cast<float>(v); });
  });
  return values;
}

ReferenceKernel make_resize(const Node& node) {
  return [attributes = parse_resize(node)](KernelContext& context) {
    const TensorView& x = context.input(0);
    const std::vector<ResizeAxis> axes = resolve_resize(
        context.node(), attributes, x.shape(), region(context, attributes),
        contents<float>(context, attributes.scales_input), contents<int64_t>(context, attributes.sizes_input));
    Shape shape;
    for (const ResizeAxis& axis : axes) shape.push_back(axis.output);
    const MutableTensorView y = context.output(0, x.type, shape);
    if (y.elements() == 0) return;
    const std::vector<AxisPass> passes = plan_passes(attributes, axes);
    const double extrapolation = static_cast<double>(attributes.extrapolation_value);
    if (attributes.mode == ResizeMode::nearest) return resize_nearest(passes, extrapolation, x, y);
    const bool in_float = is_floating_point(x.type) && x.type != DataType::float64;
    (in_float ? resize_weighted<float> : resize_weighted<double>)(passes, extrapolation, x, y);
  };
}

constexpr std::array kResizeOps = {
    OpEntry{"", "Resize", infer_resize, make_resize, input_bit(1) | input_bit(2) | input_bit(3)},
    OpEntry{"", "Upsample", infer_resize, make_resize, input_bit(1)},
};

}  // namespace

std::span<const OpEntry> resize_ops() {
  return kResizeOps;
}

}  // namespace overt
