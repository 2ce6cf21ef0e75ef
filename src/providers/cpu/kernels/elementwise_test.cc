#include "providers/cpu/kernels/elementwise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/thread_pool.h"

namespace overt::cpu {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

std::vector<float> run(std::vector<ElementwiseStep> steps, std::vector<float> x) {
  ThreadPool threads(2);
  std::vector<float> y(x.size(), -99.0f);
  elementwise(steps, x.data(), y.data(), static_cast<int64_t>(x.size()), threads);
  return y;
}

std::vector<float> ramp(int64_t count, float from, float to) {
  std::vector<float> values(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    values[static_cast<size_t>(i)] = from + (to - from) * static_cast<float>(i) / static_cast<float>(count - 1);
  }
  return values;
}

struct Formula {
  ElementwiseStep step;
  double (*exact)(double);
};

class ElementwiseUnary : public testing::TestWithParam<Formula> {};

// Tolerance: 4 units in the last place of the result, or of 1 for results near 0 that cancel.
TEST_P(ElementwiseUnary, equals_its_formula_at_every_length) {
  for (const int64_t count : {1, 7, 16, 17, 4099, 40000}) {
    const std::vector<float> x = ramp(std::max<int64_t>(count, 2), -12.0f, 12.3f);
    const std::vector<float> y = run({GetParam().step}, x);
    for (size_t i = 0; i < x.size(); ++i) {
      const double exact = GetParam().exact(x[i]);
      ASSERT_NEAR(y[i], exact, 5e-7 * (std::abs(exact) + 0.3)) << "x = " << x[i];
    }
  }
}

TEST_P(ElementwiseUnary, nan_gives_nan) {
  EXPECT_TRUE(std::isnan(run({GetParam().step}, {0.5f, kNan})[1]));
}

INSTANTIATE_TEST_SUITE_P(
    All, ElementwiseUnary,
    testing::Values(
        Formula{{ElementwiseOp::relu}, [](double v) { return std::max(v, 0.0); }},
        Formula{{ElementwiseOp::clip, -1.5f, 2.5f}, [](double v) { return std::clamp(v, -1.5, 2.5); }},
        Formula{{ElementwiseOp::leaky_relu, 0.25f}, [](double v) { return v < 0 ? 0.25 * v : v; }},
        Formula{{ElementwiseOp::elu, 2.0f}, [](double v) { return v < 0 ? 2 * std::expm1(v) : v; }},
        Formula{{ElementwiseOp::sigmoid}, [](double v) { return 1 / (1 + std::exp(-v)); }},
        Formula{{ElementwiseOp::tanh}, [](double v) { return std::tanh(v); }},
        Formula{{ElementwiseOp::silu, 1.5f}, [](double v) { return v / (1 + std::exp(-1.5 * v)); }},
        Formula{{ElementwiseOp::hard_sigmoid, 0.2f, 0.5f},
                [](double v) { return std::clamp(static_cast<double>(0.2f) * v + 0.5, 0.0, 1.0); }},
        Formula{{ElementwiseOp::hard_swish}, [](double v) { return v * std::clamp(v / 6 + 0.5, 0.0, 1.0); }},
        Formula{{ElementwiseOp::gelu_erf}, [](double v) { return 0.5 * v * (1 + std::erf(v / std::sqrt(2.0))); }},
        Formula{{ElementwiseOp::gelu_tanh},
                [](double v) { return 0.5 * v * (1 + std::tanh(std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v))); }},
        Formula{{ElementwiseOp::erf}, [](double v) { return std::erf(v); }},
        Formula{{ElementwiseOp::exp}, [](double v) { return std::exp(v); }},
        Formula{{ElementwiseOp::reciprocal}, [](double v) { return 1 / v; }},
        Formula{{ElementwiseOp::absolute}, [](double v) { return std::abs(v); }},
        Formula{{ElementwiseOp::negate}, [](double v) { return -v; }},
        Formula{{ElementwiseOp::linear, 0.5f, -3.0f}, [](double v) { return 0.5 * v - 3; }}));

TEST(Elementwise, limits_at_infinity) {
  const std::vector<float> x = {-kInf, kInf};
  EXPECT_EQ(run({{ElementwiseOp::relu}}, x), (std::vector<float>{0, kInf}));
  EXPECT_EQ(run({{ElementwiseOp::exp}}, x), (std::vector<float>{0, kInf}));
  EXPECT_EQ(run({{ElementwiseOp::tanh}}, x), (std::vector<float>{-1, 1}));
  EXPECT_EQ(run({{ElementwiseOp::erf}}, x), (std::vector<float>{-1, 1}));
  EXPECT_EQ(run({{ElementwiseOp::elu, 1.0f}}, x), (std::vector<float>{-1, kInf}));
  EXPECT_NEAR(run({{ElementwiseOp::sigmoid}}, x)[0], 0, 1e-30);
  EXPECT_EQ(run({{ElementwiseOp::sigmoid}}, x)[1], 1);
}

TEST(Elementwise, gates_vanish_on_the_largest_negative_numbers) {
  EXPECT_EQ(run({{ElementwiseOp::gelu_tanh}}, {-1e10f, -3e38f}), (std::vector<float>{0, 0}));
  EXPECT_EQ(run({{ElementwiseOp::silu, 1.0f}}, {-1e10f, -3e38f}), (std::vector<float>{0, 0}));
}

TEST(Elementwise, exp_reaches_both_ends_of_float32) {
  const std::vector<float> y = run({{ElementwiseOp::exp}}, {88.7f, 88.8f, -87.5f, -100.0f, -104.0f});
  EXPECT_NEAR(y[0] / 3.3266e38f, 1.0f, 1e-3f);
  EXPECT_EQ(y[1], kInf);
  EXPECT_NEAR(y[2] / std::exp(-87.5f), 1.0f, 1e-5f);
  EXPECT_NEAR(y[3], std::exp(-100.0f), 3e-45f);
  EXPECT_EQ(y[4], 0.0f);
}

TEST(Elementwise, binary_steps_read_an_operand_of_the_same_shape) {
  const std::vector<float> o = {2, 4, 8};
  const ElementwiseOperand same{o.data(), 3, 1, 1};
  const std::vector<float> x = {1, 2, 3};
  const auto with = [&](ElementwiseOp op) { return run({{op, 0, 0, same}}, x); };
  EXPECT_EQ(with(ElementwiseOp::add), (std::vector<float>{3, 6, 11}));
  EXPECT_EQ(with(ElementwiseOp::subtract), (std::vector<float>{-1, -2, -5}));
  EXPECT_EQ(with(ElementwiseOp::reverse_subtract), (std::vector<float>{1, 2, 5}));
  EXPECT_EQ(with(ElementwiseOp::multiply), (std::vector<float>{2, 8, 24}));
  EXPECT_EQ(with(ElementwiseOp::divide), (std::vector<float>{0.5f, 0.5f, 0.375f}));
  EXPECT_EQ(with(ElementwiseOp::reverse_divide), (std::vector<float>{2, 2, 8.0f / 3}));
  EXPECT_EQ(with(ElementwiseOp::minimum), x);
  EXPECT_EQ(with(ElementwiseOp::maximum), o);
}

TEST(Elementwise, minimum_and_maximum_give_nan_if_either_is) {
  const std::vector<float> o = {kNan, 1};
  const ElementwiseOperand same{o.data(), 2, 1, 1};
  for (const ElementwiseOp op : {ElementwiseOp::minimum, ElementwiseOp::maximum}) {
    const std::vector<float> y = run({{op, 0, 0, same}}, {1, kNan});
    EXPECT_TRUE(std::isnan(y[0]));
    EXPECT_TRUE(std::isnan(y[1]));
  }
}

TEST(Elementwise, operands_broadcast_over_every_kind_of_axis) {
  const std::vector<float> o = {10, 20, 30, 40, 50, 60};
  std::vector<float> x(6000, 1.0f);
  const auto expect = [&](ElementwiseOperand operand, auto index_of) {
    const std::vector<float> y = run({{ElementwiseOp::add, 0, 0, operand}}, x);
    for (size_t i = 0; i < y.size(); ++i) ASSERT_EQ(y[i], 1 + o[index_of(i)]) << i;
  };
  expect({o.data(), 1, 1, 1}, [](size_t) { return 0; });                         // a scalar
  expect({o.data(), 1, 1, 6}, [](size_t i) { return i % 6; });                   // the last axis
  expect({o.data(), 6, 1, 1}, [](size_t i) { return i % 6; });                   // the same, otherwise said
  expect({o.data(), 3, 500, 1}, [](size_t i) { return i / 500 % 3; });           // channels
  expect({o.data(), 3, 7, 2}, [](size_t i) { return i / 14 % 3 * 2 + i % 2; });  // channels in blocks
}

TEST(Elementwise, a_chain_may_write_onto_its_operand) {
  ThreadPool threads(2);
  std::vector<float> x = ramp(5000, -1, 1);
  std::vector<float> y = ramp(5000, 3, 4);
  std::vector<float> expected(5000);
  for (size_t i = 0; i < y.size(); ++i) expected[i] = (2 * x[i] + y[i]) * y[i];
  const ElementwiseOperand same{y.data(), 5000, 1, 1};
  const std::vector<ElementwiseStep> steps = {
      {ElementwiseOp::linear, 2, 0}, {ElementwiseOp::add, 0, 0, same}, {ElementwiseOp::multiply, 0, 0, same}};
  elementwise(steps, x.data(), y.data(), 5000, threads);
  EXPECT_EQ(y, expected);
}

TEST(Elementwise, no_elements_and_no_steps) {
  EXPECT_TRUE(run({{ElementwiseOp::relu}}, {}).empty());
  EXPECT_EQ(run({}, {1, -2}), (std::vector<float>{1, -2}));
}

}  // namespace
}  // namespace overt::cpu
