#include "providers/cpu/kernels/rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/thread_pool.h"

namespace overt::cpu {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

std::vector<float> waves(int64_t count) {
  std::vector<float> values(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) values[static_cast<size_t>(i)] = 3 * std::sin(0.37f * static_cast<float>(i));
  return values;
}

TEST(SoftmaxRows, equals_the_formula_at_every_length) {
  ThreadPool threads(2);
  for (const int64_t cols : {1, 2, 15, 16, 33, 128, 1000}) {
    const int64_t rows = 5;
    const std::vector<float> x = waves(rows * cols);
    std::vector<float> y(x.size());
    std::vector<float> logarithms(x.size());
    softmax_rows(x.data(), y.data(), rows, cols, threads);
    log_softmax_rows(x.data(), logarithms.data(), rows, cols, threads);
    for (int64_t row = 0; row < rows; ++row) {
      double sum = 0;
      for (int64_t i = 0; i < cols; ++i) sum += std::exp(static_cast<double>(x[static_cast<size_t>(row * cols + i)]));
      for (int64_t i = row * cols; i < (row + 1) * cols; ++i) {
        const size_t at = static_cast<size_t>(i);
        ASSERT_NEAR(y[at], std::exp(static_cast<double>(x[at])) / sum, 2e-7) << cols;
        ASSERT_NEAR(logarithms[at], x[at] - std::log(sum), 2e-6) << cols;
      }
    }
  }
}

TEST(SoftmaxRows, large_values_do_not_overflow_and_minus_infinity_gives_zero) {
  ThreadPool threads(1);
  std::vector<float> x = {1000, 1000, -kInf, -1000};
  softmax_rows(x.data(), x.data(), 1, 4, threads);
  EXPECT_EQ(x, (std::vector<float>{0.5f, 0.5f, 0, 0}));
}

TEST(SoftmaxRows, nan_fills_its_own_row_alone) {
  ThreadPool threads(1);
  for (const int64_t cols : {3, 40}) {
    std::vector<float> x(static_cast<size_t>(2 * cols), 0.0f);
    x[static_cast<size_t>(cols - 1)] = kNan;
    softmax_rows(x.data(), x.data(), 2, cols, threads);
    for (int64_t i = 0; i < cols; ++i) {
      EXPECT_TRUE(std::isnan(x[static_cast<size_t>(i)]));
      EXPECT_NEAR(x[static_cast<size_t>(cols + i)], 1.0f / static_cast<float>(cols), 1e-7f);
    }
  }
}

TEST(SoftmaxRows, nothing_is_written_for_no_rows_or_columns) {
  ThreadPool threads(1);
  softmax_rows(nullptr, nullptr, 0, 5, threads);
  softmax_rows(nullptr, nullptr, 5, 0, threads);
}

TEST(LayerNormRows, equals_the_formula_with_residual_and_statistics) {
  ThreadPool threads(2);
  for (const int64_t cols : {1, 5, 16, 37, 768}) {
    const int64_t rows = 40;
    const std::vector<float> x = waves(rows * cols);
    std::vector<float> residual = waves(rows * cols + 3);
    residual.erase(residual.begin(), residual.begin() + 3);
    const std::vector<float> scale = waves(cols);
    const std::vector<float> bias(static_cast<size_t>(cols), 0.5f);
    std::vector<float> y(x.size());
    std::vector<float> mean(static_cast<size_t>(rows));
    std::vector<float> inverse(static_cast<size_t>(rows));
    layer_norm_rows({x.data(), residual.data(), scale.data(), bias.data(), y.data(), mean.data(), inverse.data(),
                     rows, cols, 1e-3f},
                    threads);
    for (int64_t row = 0; row < rows; ++row) {
      const size_t at = static_cast<size_t>(row * cols);
      double sum = 0;
      double squares = 0;
      for (size_t i = at; i < at + static_cast<size_t>(cols); ++i) sum += x[i] + residual[i];
      const double exact_mean = sum / static_cast<double>(cols);
      for (size_t i = at; i < at + static_cast<size_t>(cols); ++i)
        squares += std::pow(x[i] + residual[i] - exact_mean, 2);
      const double factor = 1 / std::sqrt(squares / static_cast<double>(cols) + 1e-3f);
      ASSERT_NEAR(mean[static_cast<size_t>(row)], exact_mean, 1e-6);
      ASSERT_NEAR(inverse[static_cast<size_t>(row)], factor, 1e-5 * factor);
      for (size_t i = 0; i < static_cast<size_t>(cols); ++i) {
        ASSERT_NEAR(y[at + i], (x[at + i] + residual[at + i] - exact_mean) * factor * scale[i] + 0.5, 1e-5) << cols;
      }
    }
  }
}

TEST(LayerNormRows, works_in_place_without_residual_and_bias) {
  ThreadPool threads(1);
  std::vector<float> x = {1, 3, kNan, 0};
  const std::vector<float> scale = {2, 4};
  LayerNormRows arguments;
  arguments.x = arguments.y = x.data();
  arguments.scale = scale.data();
  arguments.rows = arguments.cols = 2;
  arguments.epsilon = 0;
  layer_norm_rows(arguments, threads);
  EXPECT_EQ(x[0], -2);
  EXPECT_EQ(x[1], 4);
  EXPECT_TRUE(std::isnan(x[2]));
  EXPECT_TRUE(std::isnan(x[3]));
}

}  // namespace
}  // namespace overt::cpu
