#ifndef OVERT_PROVIDERS_CPU_LOWERINGS_H_
#define OVERT_PROVIDERS_CPU_LOWERINGS_H_

#include "providers/cpu/lowering.h"

namespace overt::cpu {

// The ways to run operators, one function each; kernel_table.cc orders them.

/// Conv and its fused form, float32, 1 to 3 spatial axes, by oneDNN.
Lowered lower_convolution(const LowerContext& context);
Lowered lower_deconvolution(const LowerContext& context);
/// MatMul, Gemm and their fused form, float32, by oneDNN.
Lowered lower_matmul(const LowerContext& context);
/// MaxPool (without Indices), AveragePool and their global forms, float32, by oneDNN.
Lowered lower_pool(const LowerContext& context);
/// Softmax over one axis, float32, by oneDNN.
Lowered lower_softmax(const LowerContext& context);
/// Reshape, Flatten, Squeeze, Unsqueeze, Identity: the same memory with another shape.
Lowered lower_reshape_view(const LowerContext& context);
/// Split where the parts lie one after the other: views.
Lowered lower_split_view(const LowerContext& context);

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_LOWERINGS_H_
