// Included once for each instruction set that kernels are compiled for.
#if defined(OVERT_PROVIDERS_CPU_KERNELS_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef OVERT_PROVIDERS_CPU_KERNELS_MATH_INL_H_
#undef OVERT_PROVIDERS_CPU_KERNELS_MATH_INL_H_
#else
#define OVERT_PROVIDERS_CPU_KERNELS_MATH_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace overt::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A polynomial by Horner's rule, constant term first.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V polynomial(D d, V, float c0) {
  return hn::Set(d, c0);
}
template <class D, class V = hn::Vec<D>, typename... Floats>
HWY_INLINE V polynomial(D d, V x, float c0, Floats... rest) {
  return hn::MulAdd(polynomial(d, x, rest...), x, hn::Set(d, c0));
}

/// `result` where x is a number, else x.
template <class V>
HWY_INLINE V keep_nan(V x, V result) {
  return hn::IfThenElse(hn::IsNaN(x), x, result);
}

/// exp(r) = 2^-n exp(x) for n = round(x / ln 2), |r| <= ln(2) / 2: minimax polynomial, relative error 2e-9.
/// ln 2 is taken off in two parts, the first with few bits, so that n * kLn2High is exact.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_reduced(D d, V x, V& n) {
  n = hn::Round(hn::Mul(x, hn::Set(d, 1.44269504f)));
  V r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), x);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
  return polynomial(d, r, 1.0f, 1.00000004f, 0.49999992f, 0.16666419f, 0.04166823f, 0.0083749f, 0.00138367f);
}

/// 2^n for whole n in [-126, 127].
template <class D, class V = hn::Vec<D>>
HWY_INLINE V power_of_two(D d, V n) {
  const hn::RebindToSigned<D> di;
  return hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(hn::ConvertTo(di, n), hn::Set(di, 127))));
}

/// exp(x) for x within [-87, 87]; outside it is exp of the nearer bound.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_bounded(D d, V x) {
  V n;
  const V clamped = hn::Max(hn::Min(x, hn::Set(d, 87.0f)), hn::Set(d, -87.0f));
  const V p = exp_reduced(d, clamped, n);
  return hn::Mul(p, power_of_two(d, n));
}

/// exp(x) for every x: 0 below -103.3 or so, infinity above 88.7, NaN for NaN. Relative error about 1e-7, denormal
/// results included as far as the CPU keeps them. The power of two is applied in two halves, as it may lie outside
/// of what a float's exponent holds while the result does not.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_any(D d, V x) {
  V n;
  const V clamped = hn::Max(hn::Min(x, hn::Set(d, 90.0f)), hn::Set(d, -105.0f));
  const V p = exp_reduced(d, clamped, n);
  const V half = hn::Floor(hn::Mul(n, hn::Set(d, 0.5f)));
  return keep_nan(x, hn::Mul(hn::Mul(p, power_of_two(d, half)), power_of_two(d, hn::Sub(n, half))));
}

/// 1 / (1 + exp(-x)).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V sigmoid(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  return keep_nan(x, hn::Div(one, hn::Add(one, exp_bounded(d, hn::Neg(x)))));
}

/// x / (1 + exp(-alpha x)).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V silu(D d, V x, V alpha) {
  return hn::Div(x, hn::Add(hn::Set(d, 1.0f), exp_bounded(d, hn::Neg(hn::Mul(x, alpha)))));
}

/// An odd minimax polynomial below 0.625 (error 4e-9), 1 - 2 / (exp(2|x|) + 1) above.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V tanh(D d, V x) {
  const V magnitude = hn::Abs(x);
  const V square = hn::Mul(x, x);
  const V small =
      hn::Mul(x, polynomial(d, square, 1.0f, -0.3333326f, 0.13331128f, -0.05372107f, 0.02059099f, -0.00565998f));
  const V e = exp_bounded(d, hn::Add(magnitude, magnitude));
  const V large = hn::Sub(hn::Set(d, 1.0f), hn::Div(hn::Set(d, 2.0f), hn::Add(e, hn::Set(d, 1.0f))));
  const V result = hn::IfThenElse(hn::Lt(magnitude, hn::Set(d, 0.625f)), small, hn::CopySign(large, x));
  return keep_nan(x, result);
}

/// An odd minimax polynomial below 0.8 (error 3e-9), above it 1 - exp(-q(|x|)) where q is a minimax fit to
/// -log(erfc) up to 4, beyond which the result is 1 in float32.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V erf(D d, V x) {
  const V magnitude = hn::Abs(x);
  const V square = hn::Mul(x, x);
  const V small = hn::Mul(
      x, polynomial(d, square, 1.12837916f, -0.37612601f, 0.11283113f, -0.02682081f, 0.00508513f, -0.00065352f));
  const V bounded = hn::Min(magnitude, hn::Set(d, 4.0f));
  const V q = polynomial(d, bounded, 6.5974507e-5f, 1.12822893f, 0.63622192f, 0.10479873f, -0.0226562025f,
                         0.00315361847f, -0.000207455005f);
  const V large = hn::Sub(hn::Set(d, 1.0f), exp_bounded(d, hn::Neg(q)));
  const V result = hn::IfThenElse(hn::Lt(magnitude, hn::Set(d, 0.8f)), small, hn::CopySign(large, x));
  return keep_nan(x, result);
}

/// x/2 (1 + erf(x / sqrt 2)).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V gelu_erf(D d, V x) {
  const V half = hn::Mul(x, hn::Set(d, 0.5f));
  return hn::MulAdd(half, erf(d, hn::Mul(x, hn::Set(d, 0.70710678f))), half);
}

/// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), which is x sigmoid of twice the argument.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V gelu_tanh(D d, V x) {
  const V inner = hn::Mul(x, hn::MulAdd(hn::Mul(x, x), hn::Set(d, 0.044715f), hn::Set(d, 1.0f)));
  const V doubled = hn::Mul(inner, hn::Set(d, 2.0f * 0.79788456f));
  return hn::Div(x, hn::Add(hn::Set(d, 1.0f), exp_bounded(d, hn::Neg(doubled))));
}

}  // namespace HWY_NAMESPACE
}  // namespace overt::cpu
HWY_AFTER_NAMESPACE();

#endif  // OVERT_PROVIDERS_CPU_KERNELS_MATH_INL_H_
