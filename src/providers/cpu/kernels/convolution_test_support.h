#ifndef OVERT_PROVIDERS_CPU_KERNELS_CONVOLUTION_TEST_SUPPORT_H_
#define OVERT_PROVIDERS_CPU_KERNELS_CONVOLUTION_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "providers/cpu/convolution_spec.h"
#include "providers/cpu/kernel.h"

namespace overt::cpu {

/// Values in [-1, 1), the same for the same seed.
inline std::vector<float> random_values(int64_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = uniform(engine);
  return values;
}

inline Tensor random_tensor(Shape shape, unsigned seed) {
  Tensor tensor(DataType::float32, shape);
  std::ranges::copy(random_values(shape.elements(), seed), tensor.mutable_values<float>().begin());
  return tensor;
}

/// Where element (n, c, pixel) of a blocked layout lies.
inline size_t blocked_index(const Layout& layout, int64_t n, int64_t c, int64_t pixel) {
  const int64_t b = layout.block;
  return static_cast<size_t>(((n * layout.channel_groups() + c / b) * layout.spatial() + pixel) * b + c % b);
}

inline std::vector<float> to_blocked(const std::vector<float>& values, const Layout& layout) {
  std::vector<float> result(static_cast<size_t>(layout.elements()), 0.0f);
  size_t at = 0;
  for (int64_t n = 0; n < layout.shape[0]; ++n) {
    for (int64_t c = 0; c < layout.channels(); ++c) {
      for (int64_t i = 0; i < layout.spatial(); ++i) result[blocked_index(layout, n, c, i)] = values[at++];
    }
  }
  return result;
}

inline std::vector<float> from_blocked(const std::vector<float>& values, const Layout& layout) {
  std::vector<float> result(static_cast<size_t>(layout.shape.elements()));
  size_t at = 0;
  for (int64_t n = 0; n < layout.shape[0]; ++n) {
    for (int64_t c = 0; c < layout.channels(); ++c) {
      for (int64_t i = 0; i < layout.spatial(); ++i) result[at++] = values[blocked_index(layout, n, c, i)];
    }
  }
  return result;
}

/// Lanes past the channels that are not zero.
inline int64_t dirty_lanes(const std::vector<float>& values, const Layout& layout) {
  int64_t dirty = 0;
  for (int64_t n = 0; n < layout.shape[0]; ++n) {
    for (int64_t c = layout.channels(); c < layout.channel_groups() * layout.block; ++c) {
      for (int64_t i = 0; i < layout.spatial(); ++i) dirty += values[blocked_index(layout, n, c, i)] != 0.0f ? 1 : 0;
    }
  }
  return dirty;
}

/// The convolution of two spatial axes without its epilogue, as the standard's formula says, in double precision.
inline std::vector<double> convolve(const ConvolutionSpec& spec, const std::vector<float>& x) {
  const Shape& s = spec.source.shape;
  const Shape& d = spec.destination.shape;
  const Shape& w = spec.weights.shape();
  const std::span<const float> weights = spec.weights.values<float>();
  std::vector<double> y;
  const int64_t outputs_per_group = d[1] / spec.groups;
  for (int64_t n = 0; n < d[0]; ++n) {
    for (int64_t m = 0; m < d[1]; ++m) {
      for (int64_t i = 0; i < d[2] * d[3]; ++i) {
        double sum = spec.bias.empty() ? 0.0 : spec.bias.values<float>()[static_cast<size_t>(m)];
        for (int64_t c = 0; c < w[1]; ++c) {
          for (int64_t a = 0; a < w[2] * w[3]; ++a) {
            const int64_t row = i / d[3] * spec.strides[0] - spec.pads_begin[0] + a / w[3];
            const int64_t column = i % d[3] * spec.strides[1] - spec.pads_begin[1] + a % w[3];
            if (row < 0 || row >= s[2] || column < 0 || column >= s[3]) continue;
            const int64_t channel = m / outputs_per_group * w[1] + c;
            sum += static_cast<double>(x[static_cast<size_t>(((n * s[1] + channel) * s[2] + row) * s[3] + column)]) *
                   static_cast<double>(weights[static_cast<size_t>((m * w[1] + c) * w[2] * w[3] + a)]);
          }
        }
        y.push_back(sum);
      }
    }
  }
  return y;
}

/// Runs a kernel once with scratch memory that holds NaN.
inline void run_kernel(const MadeKernel& made, std::vector<void*> pointers) {
  ASSERT_NE(made.kernel, nullptr) << made.refusal;
  std::vector<float> scratch(static_cast<size_t>(made.kernel->scratch_bytes()) / sizeof(float) + 1, NAN);
  pointers.push_back(scratch.data());
  made.kernel->instantiate()->run(pointers);
}

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_KERNELS_CONVOLUTION_TEST_SUPPORT_H_
