#ifndef OVERT_OPS_FUSED_H_
#define OVERT_OPS_FUSED_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace overt {

// Operators of kPrivateDomain, made by passes. Each carries its parts, which define it: shape inference and the
// reference kernel run these. The tensors of a Conv, MatMul or Attention have one type of float16, bfloat16 and
// float32.
//
// overt.Conv           x, w, [b], operands -> y
//   y = epilogue(Conv(x, w, b)), with the attributes of Conv-11. The epilogue holds at most two operands of y's
//   shape.
// overt.MatMul         a, b, [bias], operands -> y
//   y = epilogue(alpha * op(a) * op(b) + beta * bias), with the attributes of Gemm-13 (transA and transB swap the
//   last two axes). a: [..., M, K] and b: [..., K, N] as for MatMul, or of rank 2. bias: N elements, its last axis
//   N long and the others 1, added along the last axis of y. Operands have y's shape.
// overt.Attention      q, k, v, [mask] -> y
//   y = softmax(scale * q*transpose(k) + mask) * v, the softmax along the keys. See FusedAttentionAttributes.
// overt.SpaceToDepth   x -> y
//   See FusedSpaceToDepthAttributes.
inline constexpr std::string_view kFusedConv = "Conv";
inline constexpr std::string_view kFusedMatMul = "MatMul";
inline constexpr std::string_view kFusedAttention = "Attention";
inline constexpr std::string_view kFusedSpaceToDepth = "SpaceToDepth";

/// Axes of an attention tensor, outermost first: b batch, h head, s sequence, d channels of one head.
enum class AttentionLayout : uint8_t {
  bhsd,
  bshd,  ///< as it leaves a linear layer, heads side by side
  bhds,  ///< keys only: already transposed
  bsd,   ///< no head axis: one head
  bds,   ///< keys only: no head axis, already transposed
};

std::string_view attention_layout_name(AttentionLayout layout);

/// q: [B, H, S, D]; k: [B, H, T, D]; v: [B, H, T, E]; y: [B, H, S, E], each with its axes in its own order.
/// mask: added to the scaled scores, broadcasts to [B, H, S, T] (to [B, S, T] for layouts without heads).
struct FusedAttentionAttributes {
  float scale = 1.0f;
  AttentionLayout q = AttentionLayout::bhsd;  ///< attribute "q_layout", and so on
  AttentionLayout k = AttentionLayout::bhsd;
  AttentionLayout v = AttentionLayout::bhsd;
  AttentionLayout y = AttentionLayout::bhsd;
};

/// Of an overt.Attention node. Throws Error(internal) for a layout that is not named above.
FusedAttentionAttributes parse_fused_attention(const Node& node);
void set_fused_attention(Node& node, const FusedAttentionAttributes& attributes);

/// x: [N, C, H, W] -> y: [N, block*block*C, H/block, W/block]. Channels [i*C, (i+1)*C) of y hold the pixels
/// x[:, :, offsets[i][0]::block, offsets[i][1]::block]; every offset pair turns up once.
struct FusedSpaceToDepthAttributes {
  int64_t block = 2;                            ///< attribute "blocksize"
  std::vector<std::array<int64_t, 2>> offsets;  ///< attribute "offsets": row, column, row, column, ...
};

FusedSpaceToDepthAttributes parse_fused_space_to_depth(const Node& node);
void set_fused_space_to_depth(Node& node, const FusedSpaceToDepthAttributes& attributes);

}  // namespace overt

#endif  // OVERT_OPS_FUSED_H_
