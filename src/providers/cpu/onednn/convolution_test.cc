#include "providers/cpu/onednn/convolution.h"

#include <gmock/gmock.h>

#include <cmath>

#include "providers/cpu/onednn/onednn_test_support.h"

namespace overt::cpu::onednn {
namespace {

/// Two spatial axes, computed as the standard's formula says.
std::vector<float> convolve(const ConvolutionSpec& spec, const std::vector<float>& x) {
  const auto& s = spec.source.shape;
  const auto& d = spec.destination.shape;
  const Shape& w = spec.weights.shape();
  const std::span<const float> weights = spec.weights.values<float>();
  std::vector<float> y(static_cast<size_t>(d.elements()));
  const int64_t outputs_per_group = d[1] / spec.groups;
  size_t at = 0;
  for (int64_t n = 0; n < d[0]; ++n) {
    for (int64_t m = 0; m < d[1]; ++m) {
      for (int64_t i = 0; i < d[2]; ++i) {
        for (int64_t j = 0; j < d[3]; ++j) {
          float sum = spec.bias.empty() ? 0.0f : spec.bias.values<float>()[static_cast<size_t>(m)];
          for (int64_t c = 0; c < w[1]; ++c) {
            for (int64_t a = 0; a < w[2]; ++a) {
              for (int64_t b = 0; b < w[3]; ++b) {
                const int64_t row = i * spec.strides[0] - spec.pads_begin[0] + a * spec.dilations[0];
                const int64_t column = j * spec.strides[1] - spec.pads_begin[1] + b * spec.dilations[1];
                if (row < 0 || row >= s[2] || column < 0 || column >= s[3]) continue;
                const int64_t channel = m / outputs_per_group * w[1] + c;
                sum += x[static_cast<size_t>(((n * s[1] + channel) * s[2] + row) * s[3] + column)] *
                       weights[static_cast<size_t>(((m * w[1] + c) * w[2] + a) * w[3] + b)];
              }
            }
          }
          y[at++] = sum;
        }
      }
    }
  }
  return y;
}

class Convolution : public OneDnn {
 protected:
  /// A square 3x3 convolution with padding 1.
  static ConvolutionSpec spec3x3(Layout source, Layout destination, int64_t stride, int64_t groups) {
    ConvolutionSpec spec;
    spec.weights = random_tensor({destination.channels(), source.channels() / groups, 3, 3}, 1);
    spec.bias = random_tensor({destination.channels()}, 2);
    spec.source = std::move(source);
    spec.destination = std::move(destination);
    spec.strides = {stride, stride};
    spec.dilations = {1, 1};
    spec.pads_begin = spec.pads_end = {1, 1};
    spec.groups = groups;
    return spec;
  }

  /// The convolution's result in row-major order, through the layouts of `spec`.
  std::vector<float> compute(const ConvolutionSpec& spec, const std::vector<float>& x,
                             std::vector<std::vector<float>> operands = {}) {
    PackedWeights packed(library());
    const MadeKernel made = make_convolution(library(), packed, spec);
    std::vector<float> source = to_layout(x, spec.source);
    std::vector<float> destination(static_cast<size_t>(spec.destination.elements()), -1.0f);
    std::vector<void*> pointers = {source.data()};
    for (std::vector<float>& operand : operands) pointers.push_back(operand.data());
    pointers.push_back(destination.data());
    run(made, pointers);
    return from_layout(destination, spec.destination);
  }
};

constexpr float kTolerance = 2e-5f;  // sums of at most 432 products of values below 1, in another order

TEST_F(Convolution, blocked_to_blocked_equals_the_formula) {
  const ConvolutionSpec spec = spec3x3(blocks({2, 32, 7, 9}), blocks({2, 48, 7, 9}), 1, 1);
  const std::vector<float> x = random_values(2 * 32 * 7 * 9, 3);
  expect_near(compute(spec, x), convolve(spec, x), kTolerance);
}

TEST_F(Convolution, channels_that_fill_no_block_equal_the_formula) {
  const ConvolutionSpec spec = spec3x3(blocks({1, 24, 5, 5}), blocks({1, 20, 3, 3}), 2, 1);
  const std::vector<float> x = random_values(24 * 5 * 5, 3);
  expect_near(compute(spec, x), convolve(spec, x), kTolerance);
}

TEST_F(Convolution, a_first_layer_reads_row_major_pictures) {
  const ConvolutionSpec spec = spec3x3(plain({1, 3, 8, 8}), blocks({1, 16, 4, 4}), 2, 1);
  EXPECT_FALSE(prefers_blocked_source(library(), 3, 1));
  const std::vector<float> x = random_values(3 * 8 * 8, 3);
  expect_near(compute(spec, x), convolve(spec, x), kTolerance);
}

TEST_F(Convolution, depthwise_equals_the_formula) {
  const ConvolutionSpec spec = spec3x3(blocks({1, 32, 6, 7}), blocks({1, 32, 6, 7}), 1, 32);
  const std::vector<float> x = random_values(32 * 6 * 7, 3);
  expect_near(compute(spec, x), convolve(spec, x), kTolerance);
}

TEST_F(Convolution, row_major_groups_equal_the_formula) {
  const ConvolutionSpec spec = spec3x3(plain({1, 6, 5, 5}), plain({1, 4, 5, 5}), 1, 2);
  const std::vector<float> x = random_values(6 * 5 * 5, 3);
  expect_near(compute(spec, x), convolve(spec, x), kTolerance);
}

TEST_F(Convolution, weights_can_come_with_the_run) {
  ConvolutionSpec spec = spec3x3(plain({1, 4, 5, 5}), plain({1, 4, 5, 5}), 1, 1);
  const std::vector<float> x = random_values(4 * 5 * 5, 3);
  const std::vector<float> expected = convolve(spec, x);
  const std::span<const float> values = spec.weights.values<float>();
  spec.weights_shape = spec.weights.shape();
  std::vector<float> weights(values.begin(), values.end());
  spec.weights = Tensor();
  expect_near(compute(spec, x, {weights}), expected, kTolerance);
}

TEST_F(Convolution, adds_a_residual_and_applies_silu) {
  ConvolutionSpec spec = spec3x3(blocks({1, 16, 6, 6}), blocks({1, 16, 6, 6}), 1, 1);
  spec.epilogue.steps = {{EpilogueKind::add, 0, 0, 0}, {EpilogueKind::silu, 1.0f, 0, -1}};
  spec.epilogue.operands = {spec.destination};
  const std::vector<float> x = random_values(16 * 6 * 6, 3);
  const std::vector<float> residual = random_values(16 * 6 * 6, 4);
  std::vector<float> expected = convolve(spec, x);
  for (size_t i = 0; i < expected.size(); ++i) {
    const float sum = expected[i] + residual[i];
    expected[i] = sum / (1.0f + std::exp(-sum));
  }
  expect_near(compute(spec, x, {to_layout(residual, spec.destination)}), expected, kTolerance);
}

TEST_F(Convolution, a_residual_in_place_is_read_from_the_destination) {
  ConvolutionSpec spec = spec3x3(blocks({1, 16, 6, 6}), blocks({1, 16, 6, 6}), 1, 1);
  spec.epilogue.steps = {{EpilogueKind::add, 0, 0, 0}, {EpilogueKind::relu, 0, 0, -1}};
  spec.epilogue.operands = {spec.destination};
  spec.epilogue.first_operand_in_place = true;
  const std::vector<float> x = random_values(16 * 6 * 6, 3);
  const std::vector<float> residual = random_values(16 * 6 * 6, 4);
  std::vector<float> expected = convolve(spec, x);
  for (size_t i = 0; i < expected.size(); ++i) expected[i] = std::max(0.0f, expected[i] + residual[i]);

  PackedWeights packed(library());
  std::vector<float> source = to_layout(x, spec.source);
  std::vector<float> destination = to_layout(residual, spec.destination);
  run(make_convolution(library(), packed, spec), {source.data(), destination.data()});
  expect_near(from_layout(destination, spec.destination), expected, kTolerance);
}

TEST_F(Convolution, the_named_epilogues_equal_their_formulas) {
  const ConvolutionSpec base = spec3x3(blocks({1, 16, 4, 4}), blocks({1, 16, 4, 4}), 1, 1);
  const std::vector<float> x = random_values(16 * 4 * 4, 3);
  const std::vector<float> sums = convolve(base, x);
  const auto expect_step = [&](EpilogueStep step, float (*formula)(float)) {
    ConvolutionSpec spec = base;
    spec.epilogue.steps = {step};
    std::vector<float> expected = sums;
    for (float& value : expected) value = formula(value);
    SCOPED_TRACE(to_string(spec.epilogue.steps));
    expect_near(compute(spec, x), expected, 3e-5f);
  };
  expect_step({EpilogueKind::clip, -1, 2}, [](float v) { return std::clamp(v, -1.0f, 2.0f); });
  expect_step({EpilogueKind::leaky_relu, 0.1f}, [](float v) { return v < 0 ? 0.1f * v : v; });
  expect_step({EpilogueKind::sigmoid}, [](float v) { return 1 / (1 + std::exp(-v)); });
  expect_step({EpilogueKind::tanh}, [](float v) { return std::tanh(v); });
  expect_step({EpilogueKind::hard_sigmoid, 0.2f, 0.5f},
              [](float v) { return std::clamp(0.2f * v + 0.5f, 0.0f, 1.0f); });
  expect_step({EpilogueKind::hard_swish}, [](float v) { return v * std::clamp(v / 6 + 0.5f, 0.0f, 1.0f); });
  expect_step({EpilogueKind::gelu_erf}, [](float v) { return 0.5f * v * (1 + std::erf(v * 0.70710678f)); });
  expect_step({EpilogueKind::gelu_tanh},
              [](float v) { return 0.5f * v * (1 + std::tanh(0.79788456f * (v + 0.044715f * v * v * v))); });
  expect_step({EpilogueKind::elu, 0.5f}, [](float v) { return v < 0 ? 0.5f * (std::exp(v) - 1) : v; });
}

TEST_F(Convolution, two_contexts_share_the_packed_weights) {
  const ConvolutionSpec spec = spec3x3(blocks({1, 16, 4, 4}), blocks({1, 16, 4, 4}), 1, 1);
  PackedWeights packed(library());
  const MadeKernel first = make_convolution(library(), packed, spec);
  const int64_t bytes = packed.bytes();
  EXPECT_GE(bytes, 16 * 16 * 9 * 4);
  const MadeKernel second = make_convolution(library(), packed, spec);
  EXPECT_EQ(packed.bytes(), bytes);
  EXPECT_THAT(std::string(first.kernel->name()), testing::StartsWith("onednn convolution "));
}

TEST_F(Convolution, other_types_are_refused_in_words) {
  ConvolutionSpec spec = spec3x3(plain({1, 4, 5, 5}), plain({1, 4, 5, 5}), 1, 1);
  spec.weights = Tensor(DataType::float64, {4, 4, 3, 3});
  PackedWeights packed(library());
  EXPECT_EQ(make_convolution(library(), packed, spec).refusal, "weights are float64, float32 is needed");
}

TEST_F(Convolution, deconvolution_spreads_each_input) {
  ConvolutionSpec spec;
  spec.source = plain({1, 1, 2, 2});
  spec.destination = plain({1, 1, 3, 3});
  spec.weights = Tensor::of<float>({1, 1, 2, 2}, {1, 2, 3, 4});
  spec.strides = spec.dilations = {1, 1};
  spec.pads_begin = spec.pads_end = {0, 0};
  PackedWeights packed(library());
  std::vector<float> x = {1, 2, 3, 4};
  std::vector<float> y(9);
  run(make_deconvolution(library(), packed, spec), {x.data(), y.data()});
  EXPECT_EQ(y, (std::vector<float>{1, 4, 4, 6, 20, 16, 9, 24, 16}));
}

}  // namespace
}  // namespace overt::cpu::onednn
