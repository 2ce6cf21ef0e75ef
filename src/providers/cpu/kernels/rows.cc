#include "providers/cpu/kernels/rows.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/rows.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "providers/cpu/kernels/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace overt::cpu {
namespace HWY_NAMESPACE {

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

float row_max(const float* x, int64_t cols) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  V most = hn::Set(d, x[0]);
  int64_t i = 0;
  for (; i + lanes <= cols; i += lanes) most = hn::Max(most, hn::LoadU(d, x + i));
  float result = hn::GetLane(hn::MaxOfLanes(d, most));
  for (; i < cols; ++i) result = std::max(result, x[i]);
  return result;
}

/// y = exp(x - most), or nothing is written where y is null; gives the sum. Two sums hide the addition's latency.
float exp_sum(const float* x, float* y, float most, int64_t cols) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const V shift = hn::Set(d, most);
  V sum0 = hn::Zero(d);
  V sum1 = hn::Zero(d);
  int64_t i = 0;
  for (; i + 2 * lanes <= cols; i += 2 * lanes) {
    const V e0 = exp_any(d, hn::Sub(hn::LoadU(d, x + i), shift));
    const V e1 = exp_any(d, hn::Sub(hn::LoadU(d, x + i + lanes), shift));
    if (y != nullptr) {
      hn::StoreU(e0, d, y + i);
      hn::StoreU(e1, d, y + i + lanes);
    }
    sum0 = hn::Add(sum0, e0);
    sum1 = hn::Add(sum1, e1);
  }
  // The rest, in lanes whose surplus is -infinity and so adds 0.
  for (; i < cols; i += lanes) {
    const int64_t count = std::min(lanes, cols - i);
    HWY_ALIGN float rest[hn::MaxLanes(D())];
    std::fill(std::copy_n(x + i, count, rest), rest + lanes, -HUGE_VALF);
    hn::Store(exp_any(d, hn::Sub(hn::Load(d, rest), shift)), d, rest);
    std::fill(rest + count, rest + lanes, 0.0f);
    sum0 = hn::Add(sum0, hn::Load(d, rest));
    if (y != nullptr) std::copy_n(rest, count, y + i);
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(sum0, sum1)));
}

/// y = x * factor + term.
void scale_row(const float* x, float* y, float factor, float term, int64_t cols) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= cols; i += lanes) {
    hn::StoreU(hn::MulAdd(hn::LoadU(d, x + i), hn::Set(d, factor), hn::Set(d, term)), d, y + i);
  }
  for (; i < cols; ++i) y[i] = x[i] * factor + term;
}

void softmax_range(const float* x, float* y, int64_t first, int64_t last, int64_t cols) {
  for (int64_t row = first; row < last; ++row) {
    const float* from = x + row * cols;
    float* to = y + row * cols;
    const float sum = exp_sum(from, to, row_max(from, cols), cols);
    scale_row(to, to, 1.0f / sum, 0.0f, cols);
  }
}

void log_softmax_range(const float* x, float* y, int64_t first, int64_t last, int64_t cols) {
  for (int64_t row = first; row < last; ++row) {
    const float* from = x + row * cols;
    const float most = row_max(from, cols);
    const float sum = exp_sum(from, nullptr, most, cols);
    const D d;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    const float logarithm = std::log(sum);
    // Two subtractions: most + log(sum) rounded first would lose the digits of small differences.
    float* to = y + row * cols;
    int64_t i = 0;
    for (; i + lanes <= cols; i += lanes) {
      const V shifted = hn::Sub(hn::LoadU(d, from + i), hn::Set(d, most));
      hn::StoreU(hn::Sub(shifted, hn::Set(d, logarithm)), d, to + i);
    }
    for (; i < cols; ++i) to[i] = from[i] - most - logarithm;
  }
}

/// y = x + residual (x where residual is null); gives the sum.
float add_row(const float* x, const float* residual, float* y, int64_t cols) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  V sum = hn::Zero(d);
  int64_t i = 0;
  for (; i + lanes <= cols; i += lanes) {
    V v = hn::LoadU(d, x + i);
    if (residual != nullptr) v = hn::Add(v, hn::LoadU(d, residual + i));
    hn::StoreU(v, d, y + i);
    sum = hn::Add(sum, v);
  }
  float total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < cols; ++i) {
    y[i] = residual == nullptr ? x[i] : x[i] + residual[i];
    total += y[i];
  }
  return total;
}

float squared_deviations(const float* x, float mean, int64_t cols) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  V sum = hn::Zero(d);
  int64_t i = 0;
  for (; i + lanes <= cols; i += lanes) {
    const V deviation = hn::Sub(hn::LoadU(d, x + i), hn::Set(d, mean));
    sum = hn::MulAdd(deviation, deviation, sum);
  }
  float total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < cols; ++i) total += (x[i] - mean) * (x[i] - mean);
  return total;
}

/// y = (y - mean) * factor * scale + bias.
void normalize_row(float* y, float mean, float factor, const float* scale, const float* bias, int64_t cols) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= cols; i += lanes) {
    const V v = hn::Mul(hn::Sub(hn::LoadU(d, y + i), hn::Set(d, mean)), hn::Set(d, factor));
    const V b = bias == nullptr ? hn::Zero(d) : hn::LoadU(d, bias + i);
    hn::StoreU(hn::MulAdd(v, hn::LoadU(d, scale + i), b), d, y + i);
  }
  for (; i < cols; ++i) y[i] = (y[i] - mean) * factor * scale[i] + (bias == nullptr ? 0.0f : bias[i]);
}

void layer_norm_range(const LayerNormRows& a, int64_t first, int64_t last) {
  for (int64_t row = first; row < last; ++row) {
    const int64_t at = row * a.cols;
    float* const y = a.y + at;
    const float* residual = a.residual == nullptr ? nullptr : a.residual + at;
    const float count = static_cast<float>(a.cols);
    const float mean = add_row(a.x + at, residual, y, a.cols) / count;
    const float factor = 1.0f / std::sqrt(squared_deviations(y, mean, a.cols) / count + a.epsilon);
    normalize_row(y, mean, factor, a.scale, a.bias, a.cols);
    if (a.mean != nullptr) a.mean[row] = mean;
    if (a.inverse_deviation != nullptr) a.inverse_deviation[row] = factor;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace overt::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace overt::cpu {
namespace {

HWY_EXPORT(softmax_range);
HWY_EXPORT(log_softmax_range);
HWY_EXPORT(layer_norm_range);

/// Rows of about 8192 elements together: less is not worth a second thread.
int64_t rows_at_once(int64_t cols) {
  return std::max<int64_t>(1, 8192 / cols);
}

}  // namespace

void softmax_rows(const float* x, float* y, int64_t rows, int64_t cols, Threads& threads) {
  if (rows == 0 || cols == 0) return;
  parallel_for(threads, rows, rows_at_once(cols), [&](int64_t first, int64_t last) {
    HWY_DYNAMIC_DISPATCH(softmax_range)(x, y, first, last, cols);
  });
}

void log_softmax_rows(const float* x, float* y, int64_t rows, int64_t cols, Threads& threads) {
  if (rows == 0 || cols == 0) return;
  parallel_for(threads, rows, rows_at_once(cols), [&](int64_t first, int64_t last) {
    HWY_DYNAMIC_DISPATCH(log_softmax_range)(x, y, first, last, cols);
  });
}

void layer_norm_rows(const LayerNormRows& arguments, Threads& threads) {
  if (arguments.rows == 0 || arguments.cols == 0) return;
  parallel_for(threads, arguments.rows, rows_at_once(arguments.cols), [&](int64_t first, int64_t last) {
    HWY_DYNAMIC_DISPATCH(layer_norm_range)(arguments, first, last);
  });
}

}  // namespace overt::cpu
#endif
