#include "ops/resample.h"

#include <algorithm>
#include <cmath>

namespace overt {
namespace {

/// Far outside every input, and well inside int64.
constexpr double kFarAway = 1e17;

int64_t nearest_index(NearestMode mode, double coordinate, double scale) {
  switch (mode) {
    case NearestMode::prefer_floor: return static_cast<int64_t>(std::ceil(coordinate - 0.5));
    case NearestMode::prefer_ceil: return static_cast<int64_t>(std::floor(coordinate + 0.5));
    case NearestMode::floor: return static_cast<int64_t>(std::floor(coordinate));
    case NearestMode::ceil: return static_cast<int64_t>(std::ceil(coordinate));
    case NearestMode::by_direction:
      return static_cast<int64_t>(scale < 1 ? std::ceil(coordinate) : std::floor(coordinate));
  }
  return 0;
}

/// The triangle of linear interpolation at a distance.
double linear_weight(double distance) {
  return std::max(1 - std::abs(distance), 0.0);
}

/// Keys' cubic convolution kernel at a distance (1981, equation 4).
double cubic_weight(double distance, double a) {
  const double x = std::abs(distance);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

/// Weights of taps base + first + i for a coordinate, i in [0, taps); `stretch` < 1 widens the filter.
void tap_weights(const ResizeAttributes& attributes, double coordinate, int64_t first_index, double stretch,
                 int64_t length, double* weights, int64_t taps) {
  double sum = 0;
  for (int64_t i = 0; i < taps; ++i) {
    const int64_t index = first_index + i;
    const double distance = (static_cast<double>(index) - coordinate) * stretch;
    const bool has_weight = !attributes.exclude_outside || (index >= 0 && index < length);
    weights[i] = !has_weight ? 0
                 : attributes.mode == ResizeMode::linear
                     ? linear_weight(distance)
                     : cubic_weight(distance, static_cast<double>(attributes.cubic_a));
    sum += weights[i];
  }
  if (sum == 0 || !(attributes.exclude_outside || attributes.antialias)) return;
  for (int64_t i = 0; i < taps; ++i) weights[i] /= sum;
}

}  // namespace

double source_coordinate(const ResizeAxis& axis, CoordinateMode mode, int64_t position) {
  const double x = static_cast<double>(position), length = static_cast<double>(axis.input);
  const double resized = axis.scale * length;  // a fraction where a scale was given
  switch (mode) {
    case CoordinateMode::half_pixel: return (x + 0.5) / axis.scale - 0.5;
    case CoordinateMode::half_pixel_symmetric:
      return length / 2 * (1 - static_cast<double>(axis.output) / resized) + (x + 0.5) / axis.scale - 0.5;
    case CoordinateMode::pytorch_half_pixel: return axis.output > 1 ? (x + 0.5) / axis.scale - 0.5 : 0;
    case CoordinateMode::tf_half_pixel_for_nn: return (x + 0.5) / axis.scale;
    case CoordinateMode::align_corners: return resized == 1 ? 0 : x * (length - 1) / (resized - 1);
    case CoordinateMode::asymmetric: return x / axis.scale;
    case CoordinateMode::tf_crop_and_resize: {
      const double span = (axis.roi_end - axis.roi_start) * (length - 1);
      return axis.roi_start * (length - 1) + (resized == 1 ? span / 2 : x * span / (resized - 1));
    }
  }
  return 0;
}

AxisSamples sample_axis(const ResizeAttributes& attributes, const ResizeAxis& axis) {
  const bool crops = attributes.coordinates == CoordinateMode::tf_crop_and_resize;
  const bool is_nearest = attributes.mode == ResizeMode::nearest;
  const double stretch = attributes.antialias ? std::min(axis.scale, 1.0) : 1;
  const double radius = attributes.mode == ResizeMode::cubic ? 2 : 1;
  // Taps lie at base + reach to base + 1 - reach, where base is the last index before the coordinate.
  const int64_t reach = is_nearest ? 0 : static_cast<int64_t>(std::floor(-radius / stretch)) + 1;
  AxisSamples samples;
  samples.taps = is_nearest ? 1 : 2 - 2 * reach;
  samples.indices.resize(static_cast<size_t>(axis.output * samples.taps));
  if (!is_nearest) samples.weights.resize(samples.indices.size());
  if (crops) samples.outside.resize(static_cast<size_t>(axis.output));
  for (int64_t position = 0; position < axis.output; ++position) {
    const double coordinate =
        std::clamp(source_coordinate(axis, attributes.coordinates, position), -kFarAway, kFarAway);
    int64_t first = 0;
    if (is_nearest) {
      first = nearest_index(attributes.nearest, coordinate, axis.scale);
    } else {
      first = static_cast<int64_t>(std::ceil(coordinate)) - 1 + reach;
      tap_weights(attributes, coordinate, first, stretch, axis.input,
                  &samples.weights[static_cast<size_t>(position * samples.taps)], samples.taps);
    }
    for (int64_t i = 0; i < samples.taps; ++i) {
      samples.indices[static_cast<size_t>(position * samples.taps + i)] =
          std::clamp<int64_t>(first + i, 0, axis.input - 1);
    }
    if (crops) {
      const bool is_inside = coordinate >= 0 && coordinate <= static_cast<double>(axis.input - 1);
      samples.outside[static_cast<size_t>(position)] = is_inside ? 0 : 1;
    }
  }
  return samples;
}

}  // namespace overt
