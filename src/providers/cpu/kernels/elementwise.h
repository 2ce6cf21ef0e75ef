#ifndef OVERT_PROVIDERS_CPU_KERNELS_ELEMENTWISE_H_
#define OVERT_PROVIDERS_CPU_KERNELS_ELEMENTWISE_H_

#include <cstdint>
#include <span>

#include "base/threads.h"

namespace overt::cpu {

/// One step of a chain on float32: v becomes op(v). `o` is the step's operand, `a` and `b` its numbers.
enum class ElementwiseOp : uint8_t {
  add,               ///< v + o
  subtract,          ///< v - o
  reverse_subtract,  ///< o - v
  multiply,          ///< v * o
  divide,            ///< v / o
  reverse_divide,    ///< o / v
  minimum,           ///< NaN if either is
  maximum,           ///< NaN if either is
  relu,              ///< max(v, 0), NaN for NaN
  clip,              ///< min(max(v, a), b), NaN for NaN
  leaky_relu,        ///< v < 0 ? a v : v
  elu,               ///< v < 0 ? a (exp(v) - 1) : v
  sigmoid,
  tanh,
  silu,          ///< v sigmoid(a v)
  hard_sigmoid,  ///< max(0, min(1, a v + b))
  hard_swish,    ///< v max(0, min(1, v/6 + 1/2))
  gelu_erf,
  gelu_tanh,
  erf,
  exp,
  sqrt,
  reciprocal,
  absolute,
  negate,
  linear,  ///< a v + b
};

/// A second input of a step. With i the index of an element of the chain's tensor, in memory order, the step reads
///   data[(i / lanes / inner) % channels * lanes + i % lanes]
/// which says, for a tensor of [outer, channels, inner] elements:
///   the same shape: channels = elements, inner = lanes = 1;  a scalar: all 1;
///   one value for each channel: inner = product of the dims after the channels, lanes = 1;
///   one value for each position of the last axis: channels = inner = 1, lanes = its length;
///   one value for each channel of a layout in blocks of B: channels = groups, inner = spatial size, lanes = B,
///   where data has a value for each lane of the last group.
struct ElementwiseOperand {
  const float* data = nullptr;
  int64_t channels = 1;
  int64_t inner = 1;
  int64_t lanes = 1;
};

struct ElementwiseStep {
  ElementwiseOp op = ElementwiseOp::relu;
  float a = 0.0f;
  float b = 0.0f;
  ElementwiseOperand operand = {};  ///< for the first eight
};

/// y[i] = the steps applied to x[i] in order, for i in [0, count): one pass over memory.
///
/// x, y and operands of y's shape may be the same memory; other operands may not overlap y. No steps: a copy.
/// Errors against exact arithmetic: a few units in the last place of exp, sigmoid, tanh, erf and what is made of
/// them. NaN gives NaN.
void elementwise(std::span<const ElementwiseStep> steps, const float* x, float* y, int64_t count, Threads& threads);

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_KERNELS_ELEMENTWISE_H_
