#include <gmock/gmock.h>

#include "base/thread_pool.h"
#include "providers/cpu/kernels/convolution_test_support.h"
#include "providers/cpu/kernels/pointwise.h"
#include "providers/cpu/kernels/winograd.h"

namespace overt::cpu {
namespace {

enum class Residual : uint8_t { none, separate, in_place };

struct Case {
  int64_t pictures, inputs, outputs, rows, cols;
  int64_t kernel;
  int64_t pad_begin, pad_end;
  Residual residual = Residual::none;
  Epilogue epilogue = {};
  int threads = 2;
};

double activate(const EpilogueStep& step, double v) {
  switch (step.kind) {
    case EpilogueKind::relu: return std::max(v, 0.0);
    case EpilogueKind::silu: return v / (1 + std::exp(-step.alpha * v));
    case EpilogueKind::sigmoid: return 1 / (1 + std::exp(-v));
    default: return v;
  }
}

class OwnConvolution : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (own_channel_block() == 0) GTEST_SKIP() << "the CPU has vectors of less than 8 lanes";
  }

  static ConvolutionSpec spec_of(const Case& c) {
    const int64_t block = own_channel_block();
    const int64_t grown = c.pad_begin + c.pad_end - c.kernel + 1;
    ConvolutionSpec spec;
    spec.source = blocked({c.pictures, c.inputs, c.rows, c.cols}, block);
    spec.destination = blocked({c.pictures, c.outputs, c.rows + grown, c.cols + grown}, block);
    spec.weights = random_tensor({c.outputs, c.inputs, c.kernel, c.kernel}, 1);
    spec.bias = random_tensor({c.outputs}, 2);
    spec.strides = spec.dilations = {1, 1};
    spec.pads_begin = {c.pad_begin, c.pad_begin};
    spec.pads_end = {c.pad_end, c.pad_end};
    if (c.residual != Residual::none) {
      spec.epilogue.steps.push_back({EpilogueKind::add, 0, 0, 0});
      spec.epilogue.operands.push_back(spec.destination);
      spec.epilogue.first_operand_in_place = c.residual == Residual::in_place;
    }
    spec.epilogue.steps.insert(spec.epilogue.steps.end(), c.epilogue.begin(), c.epilogue.end());
    return spec;
  }
};

// Tolerance: sums of up to 9 * 64 products below 1, in another order and, for minimal filtering, with enlarged
// rounding errors.
TEST_P(OwnConvolution, equals_the_formula_and_keeps_padding_lanes_zero) {
  const Case& c = GetParam();
  const ConvolutionSpec spec = spec_of(c);
  ThreadPool threads(c.threads);
  PackedConstants packed;
  const MadeKernel made =
      c.kernel == 1 ? make_pointwise(spec, packed, threads) : make_winograd(spec, packed, threads);

  const std::vector<float> x = random_values(spec.source.shape.elements(), 3);
  const std::vector<float> residual = random_values(spec.destination.shape.elements(), 4);
  std::vector<double> expected = convolve(spec, x);
  for (size_t i = 0; i < expected.size(); ++i) {
    if (c.residual != Residual::none) expected[i] += residual[i];
    for (const EpilogueStep& step : c.epilogue) expected[i] = activate(step, expected[i]);
  }

  std::vector<float> source = to_blocked(x, spec.source);
  std::vector<float> operand = to_blocked(residual, spec.destination);
  std::vector<float> destination(operand.size(), NAN);
  if (c.residual == Residual::in_place) destination = operand;
  std::vector<void*> pointers = {source.data()};
  if (c.residual == Residual::separate) pointers.push_back(operand.data());
  pointers.push_back(destination.data());
  run_kernel(made, pointers);

  EXPECT_EQ(dirty_lanes(destination, spec.destination), 0);
  const std::vector<float> found = from_blocked(destination, spec.destination);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-4) << "element " << i;
}

INSTANTIATE_TEST_SUITE_P(Pointwise, OwnConvolution,
                         testing::Values(Case{1, 16, 16, 1, 1, 1, 0, 0}, Case{1, 16, 32, 5, 7, 1, 0, 0},
                                         Case{2, 24, 80, 9, 6, 1, 0, 0, Residual::none, {{EpilogueKind::sigmoid}}},
                                         Case{1, 64, 4, 13, 13, 1, 0, 0, Residual::none, {{EpilogueKind::sigmoid}}},
                                         Case{1, 48, 96, 30, 31, 1, 0, 0, Residual::separate, {{EpilogueKind::relu}}},
                                         Case{
                                             3, 32, 32, 7, 7, 1, 0, 0, Residual::in_place, {{EpilogueKind::silu, 1}}},
                                         Case{1, 40, 128, 4, 4, 1, 0, 0, Residual::in_place, {}, 1}));

INSTANTIATE_TEST_SUITE_P(
    Winograd, OwnConvolution,
    testing::Values(Case{1, 16, 16, 16, 16, 3, 1, 1},
                    Case{1, 32, 48, 13, 15, 3, 1, 1, Residual::none, {{EpilogueKind::silu, 1}}},
                    Case{2, 24, 20, 10, 9, 3, 1, 1, Residual::separate, {{EpilogueKind::sigmoid}}},
                    Case{1, 64, 64, 24, 20, 3, 1, 1, Residual::in_place, {{EpilogueKind::relu}}},
                    Case{1, 16, 32, 18, 19, 3, 0, 0}, Case{1, 16, 16, 14, 14, 3, 2, 0},
                    Case{5, 64, 96, 7, 7, 3, 1, 1, Residual::separate, {}},
                    Case{1, 32, 16, 56, 56, 3, 1, 1, Residual::none, {}, 1},
                    Case{1, 16, 16, 50, 50, 3, 1, 1, Residual::none, {}, 3}));

TEST(OwnConvolutionLimits, says_what_it_does_not_compute) {
  if (own_channel_block() == 0) GTEST_SKIP() << "the CPU has vectors of less than 8 lanes";
  const int64_t block = own_channel_block();
  ThreadPool threads(1);
  PackedConstants packed;
  ConvolutionSpec spec;
  spec.source = spec.destination = blocked({1, 32, 20, 20}, block);
  spec.weights = Tensor(DataType::float32, {32, 32, 3, 3});
  spec.strides = spec.dilations = {1, 1};
  spec.pads_begin = spec.pads_end = {1, 1};
  EXPECT_NE(make_winograd(spec, packed, threads).kernel, nullptr);
  EXPECT_EQ(packed.bytes(), 36 * 32 * 32 * 4);
  EXPECT_EQ(make_pointwise(spec, packed, threads).refusal,
            "a kernel of one pixel with stride 1 and no padding is needed");
  spec.dilations = {2, 2};
  EXPECT_EQ(make_winograd(spec, packed, threads).refusal, "a kernel of 3x3 with stride 1 and no dilation is needed");
  spec.dilations = {1, 1};
  spec.epilogue.steps = {{EpilogueKind::add, 0, 0, 0}};
  spec.epilogue.operands = {plain({1, 32, 1, 1})};
  EXPECT_EQ(make_winograd(spec, packed, threads).refusal, "an operand of the epilogue is broadcast");
  spec.epilogue = {};
  spec.source = plain({1, 32, 20, 20});
  EXPECT_THAT(make_winograd(spec, packed, threads).refusal, testing::StartsWith("pictures in blocks of"));
}

TEST(OwnConvolutionLimits, nan_in_a_picture_reaches_the_results_around_it) {
  if (own_channel_block() == 0) GTEST_SKIP() << "the CPU has vectors of less than 8 lanes";
  ThreadPool threads(1);
  PackedConstants packed;
  ConvolutionSpec spec;
  spec.source = spec.destination = blocked({1, 16, 16, 16}, own_channel_block());
  spec.weights = random_tensor({16, 16, 3, 3}, 1);
  spec.strides = spec.dilations = {1, 1};
  spec.pads_begin = spec.pads_end = {1, 1};
  std::vector<float> x(16 * 16 * 16, 1.0f);
  x[5 * 16 + 5] = NAN;
  std::vector<float> source = to_blocked(x, spec.source);
  std::vector<float> destination(source.size());
  run_kernel(make_winograd(spec, packed, threads), {source.data(), destination.data()});
  const std::vector<float> y = from_blocked(destination, spec.destination);
  for (int64_t row = 4; row <= 6; ++row) {
    for (int64_t col = 4; col <= 6; ++col) EXPECT_TRUE(std::isnan(y[static_cast<size_t>(row * 16 + col)]));
  }
  EXPECT_FALSE(std::isnan(y[15 * 16 + 15]));
}

}  // namespace
}  // namespace overt::cpu
