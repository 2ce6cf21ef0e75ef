#include <algorithm>
#include <array>

#include "providers/cpu/lowering.h"
#include "providers/cpu/lowerings.h"
#include "providers/cpu/reference_kernel.h"

namespace overt::cpu {
namespace {

constexpr LoweringEntry kReference{"reference", &lower_reference};

constexpr std::array kConvolution = {LoweringEntry{"winograd", &lower_winograd},
                                     LoweringEntry{"pointwise", &lower_pointwise},
                                     LoweringEntry{"onednn convolution", &lower_convolution}, kReference};
constexpr std::array kDeconvolution = {LoweringEntry{"onednn deconvolution", &lower_deconvolution}, kReference};
constexpr std::array kMatmul = {LoweringEntry{"onednn matmul", &lower_matmul}, kReference};
constexpr std::array kPool = {LoweringEntry{"onednn pooling", &lower_pool}, kReference};
constexpr std::array kSoftmax = {LoweringEntry{"softmax_rows", &lower_softmax}, kReference};
constexpr std::array kLayerNorm = {LoweringEntry{"layer_norm_rows", &lower_layer_normalization}, kReference};
constexpr std::array kAttention = {LoweringEntry{"attention", &lower_attention}, kReference};
constexpr std::array kResize = {LoweringEntry{"resize_nearest", &lower_nearest_resize}, kReference};
constexpr std::array kUnary = {LoweringEntry{"elementwise", &lower_unary}, kReference};
constexpr std::array kBinary = {LoweringEntry{"elementwise", &lower_binary}, kReference};
constexpr std::array kTranspose = {LoweringEntry{"transpose", &lower_transpose}, kReference};
constexpr std::array kExpand = {LoweringEntry{"expand", &lower_expand}, kReference};
constexpr std::array kSlice = {LoweringEntry{"slice", &lower_slice}, kReference};
constexpr std::array kConcat = {LoweringEntry{"concat", &lower_concat}, kReference};
constexpr std::array kSpaceToDepth = {LoweringEntry{"space_to_depth", &lower_space_to_depth}, kReference};
constexpr std::array kReshape = {LoweringEntry{"view", &lower_reshape_view}, kReference};
constexpr std::array kSplit = {LoweringEntry{"view", &lower_split_view}, kReference};
constexpr std::array kOthers = {kReference};

struct TableEntry {
  std::string_view domain;
  std::string_view type;
  std::span<const LoweringEntry> ways;
};

constexpr std::array kTable = {
    TableEntry{"", "Conv", kConvolution},
    TableEntry{kPrivateDomain, "Conv", kConvolution},
    TableEntry{"", "ConvTranspose", kDeconvolution},
    TableEntry{"", "MatMul", kMatmul},
    TableEntry{"", "Gemm", kMatmul},
    TableEntry{kPrivateDomain, "MatMul", kMatmul},
    TableEntry{"", "MaxPool", kPool},
    TableEntry{"", "AveragePool", kPool},
    TableEntry{"", "GlobalAveragePool", kPool},
    TableEntry{"", "GlobalMaxPool", kPool},
    TableEntry{"", "Softmax", kSoftmax},
    TableEntry{"", "Reshape", kReshape},
    TableEntry{"", "Flatten", kReshape},
    TableEntry{"", "Squeeze", kReshape},
    TableEntry{"", "Unsqueeze", kReshape},
    TableEntry{"", "Identity", kReshape},
    TableEntry{"", "Split", kSplit},
    TableEntry{"", "Abs", kUnary},
    TableEntry{"", "Clip", kUnary},
    TableEntry{"", "Elu", kUnary},
    TableEntry{"", "Erf", kUnary},
    TableEntry{"", "Exp", kUnary},
    TableEntry{"", "Gelu", kUnary},
    TableEntry{"", "HardSigmoid", kUnary},
    TableEntry{"", "HardSwish", kUnary},
    TableEntry{"", "LeakyRelu", kUnary},
    TableEntry{"", "Neg", kUnary},
    TableEntry{"", "Reciprocal", kUnary},
    TableEntry{"", "Relu", kUnary},
    TableEntry{"", "Sigmoid", kUnary},
    TableEntry{"", "Sqrt", kUnary},
    TableEntry{"", "Swish", kUnary},
    TableEntry{"", "Tanh", kUnary},
    TableEntry{"", "Add", kBinary},
    TableEntry{"", "Div", kBinary},
    TableEntry{"", "Max", kBinary},
    TableEntry{"", "Min", kBinary},
    TableEntry{"", "Mul", kBinary},
    TableEntry{"", "Sub", kBinary},
    TableEntry{"", "LogSoftmax", kSoftmax},
    TableEntry{"", "LayerNormalization", kLayerNorm},
    TableEntry{kPrivateDomain, "Attention", kAttention},
    TableEntry{kPrivateDomain, "SpaceToDepth", kSpaceToDepth},
    TableEntry{"", "Resize", kResize},
    TableEntry{"", "Upsample", kResize},
    TableEntry{"", "Transpose", kTranspose},
    TableEntry{"", "Expand", kExpand},
    TableEntry{"", "Slice", kSlice},
    TableEntry{"", "Concat", kConcat},
};

}  // namespace

std::span<const LoweringEntry> lowerings(const Node& node) {
  for (const TableEntry& entry : kTable) {
    if (entry.type == node.op.type && entry.domain == node.op.domain) return entry.ways;
  }
  return kOthers;
}

}  // namespace overt::cpu
