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

/// Of hn::Min(bound, x) and hn::Max(bound, x) with x on the right, the result is NaN where x is: x86 gives the right
/// operand, others the NaN. So the clamps below keep NaN.

/// `result` where x is a number, else x.
template <class V>
HWY_INLINE V keep_nan(V x, V result) {
  return hn::IfThenElse(hn::IsNaN(x), x, result);
}

/// exp(x) = 2^n exp(r) with n = round(x / ln 2), |r| <= ln(2) / 2.
///
/// Adding 1.5 * 2^23 rounds to a whole number and leaves it in the low bits of the sum; with 127 in it these are,
/// shifted to the exponent's place, the float 2^n for n in [-126, 127]. ln 2 is taken off in two parts, the first
/// with few bits, so that n times it is exact. exp(r) is a minimax polynomial, relative error 2e-9.
template <class D, class V = hn::Vec<D>>
struct ExpParts {
  V n;        ///< whole
  V power;    ///< 2^n, where n allows
  V of_rest;  ///< exp(r)
};
template <class D, class V = hn::Vec<D>>
HWY_INLINE ExpParts<D> exp_parts(D d, V x) {
  const hn::RebindToSigned<D> di;
  const V magic = hn::Set(d, 12583039.0f);
  const V sum = hn::MulAdd(x, hn::Set(d, 1.44269504f), magic);
  const V n = hn::Sub(sum, magic);
  V r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), x);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
  return {n, hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(di, sum))),
          polynomial(d, r, 1.0f, 1.00000004f, 0.49999992f, 0.16666419f, 0.04166823f, 0.0083749f, 0.00138367f)};
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
  const ExpParts<D> e = exp_parts(d, hn::Max(hn::Set(d, -87.0f), hn::Min(hn::Set(d, 87.0f), x)));
  return hn::Mul(e.of_rest, e.power);
}

/// exp(x) for every x: 0 below -103.3 or so, infinity above 88.7, NaN for NaN. Relative error about 1e-7, denormal
/// results included as far as the CPU keeps them. The power of two is applied in two halves, as it may lie outside
/// of what a float's exponent holds while the result does not.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_any(D d, V x) {
  const ExpParts<D> e = exp_parts(d, hn::Max(hn::Set(d, -105.0f), hn::Min(hn::Set(d, 90.0f), x)));
  const V half = hn::Floor(hn::Mul(e.n, hn::Set(d, 0.5f)));
  return hn::Mul(hn::Mul(e.of_rest, power_of_two(d, half)), power_of_two(d, hn::Sub(e.n, half)));
}

/// 1 / x for x in [1, 2^126], from the CPU's approximation (12 bits or more) by one step of Newton's method.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V reciprocal(D d, V x) {
  const V near = hn::ApproximateReciprocal(x);
  return hn::Mul(near, hn::NegMulAdd(near, x, hn::Set(d, 2.0f)));
}

/// 1 / (1 + exp(-x)).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V sigmoid(D d, V x) {
  return reciprocal(d, hn::Add(hn::Set(d, 1.0f), exp_bounded(d, hn::Neg(x))));
}

/// x sigmoid(argument). The sigmoid counts as 0 where exp_bounded stops falling, so that an x of any size vanishes there.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V times_sigmoid(D d, V x, V argument) {
  return hn::Mul(x, hn::IfThenZeroElse(hn::Lt(argument, hn::Set(d, -87.0f)), sigmoid(d, argument)));
}

/// x / (1 + exp(-alpha x)).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V silu(D d, V x, V alpha) {
  return times_sigmoid(d, x, hn::Mul(x, alpha));
}

/// An odd minimax polynomial below 0.625 (error 4e-9), 1 - 2 / (exp(2|x|) + 1) above.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V tanh(D d, V x) {
  const V magnitude = hn::Abs(x);
  const V square = hn::Mul(x, x);
  const V small =
      hn::Mul(x, polynomial(d, square, 1.0f, -0.3333326f, 0.13331128f, -0.05372107f, 0.02059099f, -0.00565998f));
  const V e = exp_bounded(d, hn::Add(magnitude, magnitude));
  const V large = hn::Sub(hn::Set(d, 1.0f), hn::Mul(hn::Set(d, 2.0f), reciprocal(d, hn::Add(e, hn::Set(d, 1.0f)))));
  return hn::IfThenElse(hn::Lt(magnitude, hn::Set(d, 0.625f)), small, hn::CopySign(large, x));
}

/// An odd minimax polynomial below 0.8 (error 3e-9), above it 1 - exp(-q(|x|)) where q is a minimax fit to
/// -log(erfc) up to 4, beyond which the result is 1 in float32.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V erf(D d, V x) {
  const V magnitude = hn::Abs(x);
  const V square = hn::Mul(x, x);
  const V small = hn::Mul(
      x, polynomial(d, square, 1.12837916f, -0.37612601f, 0.11283113f, -0.02682081f, 0.00508513f, -0.00065352f));
  const V bounded = hn::Min(hn::Set(d, 4.0f), magnitude);
  const V q = polynomial(d, bounded, 6.5974507e-5f, 1.12822893f, 0.63622192f, 0.10479873f, -0.0226562025f,
                         0.00315361847f, -0.000207455005f);
  const V large = hn::Sub(hn::Set(d, 1.0f), exp_bounded(d, hn::Neg(q)));
  return hn::IfThenElse(hn::Lt(magnitude, hn::Set(d, 0.8f)), small, hn::CopySign(large, x));
}

/// max(0, min(1, a x + b)).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V hard_sigmoid(D d, V x, float a, float b) {
  const V line = hn::MulAdd(x, hn::Set(d, a), hn::Set(d, b));
  return hn::Min(hn::Set(d, 1.0f), hn::Max(hn::Zero(d), line));
}

/// x < 0 ? alpha (exp(x) - 1) : x. The difference loses its digits near 0; tanh(x/2) (exp(x) + 1) is the same.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V elu(D d, V x, float alpha) {
  const V e = exp_bounded(d, x);
  const V below = hn::Mul(tanh(d, hn::Mul(x, hn::Set(d, 0.5f))), hn::Add(e, hn::Set(d, 1.0f)));
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Mul(below, hn::Set(d, alpha)), x);
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
  return times_sigmoid(d, x, hn::Mul(inner, hn::Set(d, 2.0f * 0.79788456f)));
}

}  // namespace HWY_NAMESPACE
}  // namespace overt::cpu
HWY_AFTER_NAMESPACE();

#endif  // OVERT_PROVIDERS_CPU_KERNELS_MATH_INL_H_
