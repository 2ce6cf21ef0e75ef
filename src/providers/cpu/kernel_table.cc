#include <algorithm>
#include <array>

#include "providers/cpu/lowering.h"
#include "providers/cpu/lowerings.h"
#include "providers/cpu/reference_kernel.h"

namespace overt::cpu {
namespace {

constexpr LoweringEntry kReference{"reference", &lower_reference};

constexpr std::array kConvolution = {LoweringEntry{"onednn convolution", &lower_convolution}, kReference};
constexpr std::array kDeconvolution = {LoweringEntry{"onednn deconvolution", &lower_deconvolution}, kReference};
constexpr std::array kMatmul = {LoweringEntry{"onednn matmul", &lower_matmul}, kReference};
constexpr std::array kPool = {LoweringEntry{"onednn pooling", &lower_pool}, kReference};
constexpr std::array kSoftmax = {LoweringEntry{"onednn softmax", &lower_softmax}, kReference};
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
};

}  // namespace

std::span<const LoweringEntry> lowerings(const Node& node) {
  for (const TableEntry& entry : kTable) {
    if (entry.type == node.op.type && entry.domain == node.op.domain) return entry.ways;
  }
  return kOthers;
}

}  // namespace overt::cpu
