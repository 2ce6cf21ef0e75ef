#ifndef OVERT_PROVIDERS_CPU_LOWER_EPILOGUE_H_
#define OVERT_PROVIDERS_CPU_LOWER_EPILOGUE_H_

#include <string>
#include <vector>

#include "providers/cpu/lowering.h"
#include "providers/cpu/onednn/post_ops.h"

namespace overt::cpu {

/// A fused node's epilogue for a result of layout `result`: steps with their operands numbered from 0, and the
/// operands as reads, in the order of the steps. Operands of the result's shape take its layout, others are
/// row-major with leading axes of length 1.
struct LoweredEpilogue {
  onednn::EpilogueSpec spec;
  std::vector<TensorUse> reads;
  std::string refusal;  ///< empty: it can be done
};
LoweredEpilogue lower_epilogue(const LowerContext& context, const Layout& result);

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_LOWER_EPILOGUE_H_
