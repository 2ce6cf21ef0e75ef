// Included once for each instruction set that kernels are compiled for.
#if defined(OVERT_PROVIDERS_CPU_KERNELS_EPILOGUE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef OVERT_PROVIDERS_CPU_KERNELS_EPILOGUE_INL_H_
#undef OVERT_PROVIDERS_CPU_KERNELS_EPILOGUE_INL_H_
#else
#define OVERT_PROVIDERS_CPU_KERNELS_EPILOGUE_INL_H_
#endif

#include <hwy/highway.h>

#include "providers/cpu/kernels/epilogue.h"
#include "providers/cpu/kernels/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace overt::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// y[i] = f(y[i]) for `count` whole vectors.
template <class Function>
HWY_INLINE void map_vectors(float* y, int64_t count, const Function& f) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < count; ++i, y += lanes) hn::StoreU(f(d, hn::LoadU(d, y)), d, y);
}

/// The steps of an epilogue, each on `count` vectors of results that a kernel has just stored to `y` and that are
/// still in the first-level cache. `offset` is where y[0] lies in the destination, in elements; y may be elsewhere.
inline void apply_epilogue(const EpilogueRun& run, float* y, int64_t offset, int64_t count) {
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  for (int i = 0; i < run.count; ++i) {
    const EpilogueRunStep& step = run.steps[i];
    const float a = step.alpha;
    const float b = step.beta;
    const float* operand = step.operand + offset;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(D()));
    switch (step.kind) {
      case EpilogueKind::add:
        map_vectors(y, count, [&](D d, V v) HWY_ATTR {
          v = hn::Add(v, hn::LoadU(d, operand));
          operand += lanes;
          return v;
        });
        break;
      case EpilogueKind::multiply:
        map_vectors(y, count, [&](D d, V v) HWY_ATTR {
          v = hn::Mul(v, hn::LoadU(d, operand));
          operand += lanes;
          return v;
        });
        break;
      case EpilogueKind::relu:
        map_vectors(y, count, [](D d, V v) HWY_ATTR { return hn::Max(hn::Zero(d), v); });
        break;
      case EpilogueKind::clip:
        map_vectors(y, count, [=](D d, V v) HWY_ATTR { return hn::Min(hn::Set(d, b), hn::Max(hn::Set(d, a), v)); });
        break;
      case EpilogueKind::leaky_relu:
        map_vectors(y, count, [=](D d, V v) HWY_ATTR {
          return hn::IfThenElse(hn::Lt(v, hn::Zero(d)), hn::Mul(v, hn::Set(d, a)), v);
        });
        break;
      case EpilogueKind::sigmoid: map_vectors(y, count, [](D d, V v) HWY_ATTR { return sigmoid(d, v); }); break;
      case EpilogueKind::tanh: map_vectors(y, count, [](D d, V v) HWY_ATTR { return tanh(d, v); }); break;
      case EpilogueKind::silu:
        map_vectors(y, count, [=](D d, V v) HWY_ATTR { return silu(d, v, hn::Set(d, a)); });
        break;
      case EpilogueKind::hard_sigmoid:
        map_vectors(y, count, [=](D d, V v) HWY_ATTR { return hard_sigmoid(d, v, a, b); });
        break;
      case EpilogueKind::hard_swish:
        map_vectors(y, count, [](D d, V v) HWY_ATTR { return hn::Mul(v, hard_sigmoid(d, v, 1.0f / 6.0f, 0.5f)); });
        break;
      case EpilogueKind::gelu_erf: map_vectors(y, count, [](D d, V v) HWY_ATTR { return gelu_erf(d, v); }); break;
      case EpilogueKind::gelu_tanh: map_vectors(y, count, [](D d, V v) HWY_ATTR { return gelu_tanh(d, v); }); break;
      case EpilogueKind::elu: map_vectors(y, count, [=](D d, V v) HWY_ATTR { return elu(d, v, a); }); break;
    }
  }
}

/// Zeroes the lanes past `channels` of `count` vectors that hold a layout's last group of channels.
inline void clear_padding(float* y, int64_t count, int64_t channels) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  if (channels % lanes == 0) return;
  const auto kept = hn::FirstN(d, static_cast<size_t>(channels % lanes));
  map_vectors(y, count, [&](auto, auto v) HWY_ATTR { return hn::IfThenElseZero(kept, v); });
}

}  // namespace HWY_NAMESPACE
}  // namespace overt::cpu
HWY_AFTER_NAMESPACE();

#endif  // OVERT_PROVIDERS_CPU_KERNELS_EPILOGUE_INL_H_
