#include "compare_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include "elements.h"
#include "packed.h"

namespace overt::cli {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// |a - b| and how far over its bound that is, above 1 for a difference that counts.
struct Distance {
  double absolute = 0;
  double excess = 0;
};

/// A tolerance with its absolute part decided.
struct Bound {
  double relative = 0;
  double absolute = 0;
};

Bound bound_for(const Tensor& b, const Tolerance& tolerance) {
  if (tolerance.absolute || !is_floating_point(b.type())) return {tolerance.relative, tolerance.absolute.value_or(0)};
  double largest = 0;
  for (int64_t i = 0; i < b.elements(); ++i) {
    const double magnitude = std::abs(element_as_double(b, i));
    if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
  }
  return {tolerance.relative, Tolerance::kShareOfLargest * largest};
}

/// `distance` is |a - b|.
Distance judge(double distance, double b_magnitude, const Bound& bound) {
  if (!std::isfinite(distance)) return {kInfinity, kInfinity};
  const double most = bound.absolute + bound.relative * b_magnitude;
  return {distance, most > 0 ? distance / most : kInfinity};
}

/// Bit for bit, for whole numbers, bools and strings.
bool equal_at(const Tensor& a, const Tensor& b, int64_t i) {
  const auto at = static_cast<size_t>(i);
  if (a.type() == DataType::string) return a.values<std::string>()[at] == b.values<std::string>()[at];
  if (is_packed(a.type())) return packed_bits(a, i) == packed_bits(b, i);
  const auto bytes = static_cast<size_t>(data_type_bits(a.type())) / 8;
  const auto* in_a = static_cast<const char*>(a.data()) + at * bytes;
  const auto* in_b = static_cast<const char*>(b.data()) + at * bytes;
  return std::memcmp(in_a, in_b, bytes) == 0;
}

Distance distance_at(const Tensor& a, const Tensor& b, int64_t i, const Bound& bound) {
  if (a.type() == DataType::complex64 || a.type() == DataType::complex128) {
    const std::complex<double> x = element_as_complex(a, i);
    const std::complex<double> y = element_as_complex(b, i);
    return x == y || equal_at(a, b, i) ? Distance{} : judge(std::abs(x - y), std::abs(y), bound);
  }
  if (!is_floating_point(a.type())) {
    if (equal_at(a, b, i)) return {};
    const double distance = std::abs(element_as_double(a, i) - element_as_double(b, i));
    return {std::isnan(distance) ? kInfinity : distance, kInfinity};
  }
  const double x = element_as_double(a, i);
  const double y = element_as_double(b, i);
  if (x == y || (std::isnan(x) && std::isnan(y))) return {};
  return judge(std::abs(x - y), std::abs(y), bound);
}

}  // namespace

Difference compare_tensors(const Tensor& a, const Tensor& b, const Tolerance& tolerance) {
  Difference found;
  if (a.empty() || b.empty() || a.type() != b.type() || a.shape() != b.shape()) {
    if (a.empty() && b.empty()) return found;
    const auto name = [](const Tensor& tensor) {
      return tensor.empty() ? std::string("nothing")
                            : fmt::format("{} {}", data_type_name(tensor.type()), tensor.shape().to_string());
    };
    found.within = false;
    found.mismatch = fmt::format("{} against {}", name(a), name(b));
    found.excess = found.largest = kInfinity;
    return found;
  }
  found.elements = a.elements();
  const Bound bound = bound_for(b, tolerance);
  for (int64_t i = 0; i < found.elements; ++i) {
    const Distance distance = distance_at(a, b, i, bound);
    if (distance.excess > 1) ++found.over;
    found.largest = std::max(found.largest, distance.absolute);
    if (distance.excess <= found.excess) continue;
    found.excess = distance.excess;
    found.worst_index = i;
  }
  found.within = found.over == 0;
  if (found.worst_index >= 0) {
    found.worst_a = element_text(a, found.worst_index);
    found.worst_b = element_text(b, found.worst_index);
  }
  return found;
}

std::string index_text(const Shape& shape, int64_t index) {
  Shape place(shape);
  for (int64_t axis = shape.rank() - 1; axis >= 0; --axis) {
    place[axis] = shape[axis] == 0 ? 0 : index % shape[axis];
    index = shape[axis] == 0 ? 0 : index / shape[axis];
  }
  return place.to_string();
}

}  // namespace overt::cli
