#ifndef OVERT_PROVIDERS_CPU_CONVOLUTION_SPEC_H_
#define OVERT_PROVIDERS_CPU_CONVOLUTION_SPEC_H_

#include <cstdint>
#include <vector>

#include "graph/epilogue.h"
#include "overt/options.h"
#include "overt/tensor.h"
#include "providers/cpu/layout.h"

namespace overt::cpu {

/// What follows an operator's result, and how its extra inputs lie in memory.
struct EpilogueSpec {
  float scale = 1.0f;  ///< multiplies the result, bias included, before the steps
  Epilogue steps;      ///< EpilogueStep::operand indexes `operands`
  /// Layouts of the extra inputs, all of the result's rank: its own shape, or 1 on broadcast axes (and then plain).
  std::vector<Layout> operands;
  /// The operand of the first step, which adds it, lies where the result shall be written: the run's destination
  /// pointer holds it beforehand, and no pointer is given for it. Saves reading it from elsewhere.
  bool first_operand_in_place = false;
};

/// A convolution of concrete shapes over 1 to 3 spatial axes, padding resolved to numbers.
struct ConvolutionSpec {
  Layout source;       ///< [N, C, spatial...]
  Layout destination;  ///< [N, M, spatial...]
  /// ONNX's order: [M, C / groups, kernel...], for a deconvolution [C, M / groups, kernel...]. Empty: the run
  /// gives them, row-major, with `weights_shape`.
  Tensor weights;
  Shape weights_shape;
  Tensor bias;  ///< [M], or empty for none
  std::vector<int64_t> strides;
  std::vector<int64_t> dilations;  ///< 1: dense
  std::vector<int64_t> pads_begin;
  std::vector<int64_t> pads_end;
  int64_t groups = 1;
  EpilogueSpec epilogue;
  Precision precision = Precision::fp32;
};

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_CONVOLUTION_SPEC_H_
