#ifndef OVERT_PROVIDERS_CPU_LOWERINGS_H_
#define OVERT_PROVIDERS_CPU_LOWERINGS_H_

#include "providers/cpu/lowering.h"

namespace overt::cpu {

// The ways to run operators, one function each; kernel_table.cc orders them.

/// Conv and its fused form, float32, 1 to 3 spatial axes, by oneDNN.
Lowered lower_convolution(const LowerContext& context);
/// 3x3 convolutions with stride 1 by minimal filtering, 1x1 convolutions followed by costly activations: our own.
Lowered lower_winograd(const LowerContext& context);
Lowered lower_pointwise(const LowerContext& context);
Lowered lower_deconvolution(const LowerContext& context);
/// MatMul, Gemm and their fused form, float32, by oneDNN.
Lowered lower_matmul(const LowerContext& context);
/// MaxPool (without Indices), AveragePool and their global forms, float32, by oneDNN.
Lowered lower_pool(const LowerContext& context);
/// The fused attention, float32: two products by oneDNN with our softmax between.
Lowered lower_attention(const LowerContext& context);
/// Softmax and LogSoftmax of rows, float32.
Lowered lower_softmax(const LowerContext& context);
/// LayerNormalization of rows, float32, without the statistics.
Lowered lower_layer_normalization(const LowerContext& context);
/// Resize to the nearest, float32, of the last two of four axes.
Lowered lower_nearest_resize(const LowerContext& context);
/// Element-wise operators of one float32 tensor.
Lowered lower_unary(const LowerContext& context);
/// Element-wise operators of two float32 tensors, one of which has the result's shape.
Lowered lower_binary(const LowerContext& context);
/// Operators that only move elements.
Lowered lower_transpose(const LowerContext& context);
Lowered lower_expand(const LowerContext& context);
Lowered lower_slice(const LowerContext& context);
Lowered lower_concat(const LowerContext& context);
Lowered lower_space_to_depth(const LowerContext& context);
/// Reshape, Flatten, Squeeze, Unsqueeze, Identity: the same memory with another shape.
Lowered lower_reshape_view(const LowerContext& context);
/// Split where the parts lie one after the other: views.
Lowered lower_split_view(const LowerContext& context);

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_LOWERINGS_H_
