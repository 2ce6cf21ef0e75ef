#include "ops/families.h"

#include <array>

namespace overt {

std::span<const std::span<const OpEntry>> op_families() {
  // clang-format off: one line per family
  static const std::array families = {
      activation_ops(),
      arg_reduce_ops(),
      arithmetic_ops(),
      bitwise_ops(),
      compare_ops(),
      concat_ops(),
      cumulative_ops(),
      expand_ops(),
      reduce_ops(),
      reshape_ops(),
      shape_ops(),
      top_k_ops(),
      transpose_ops(),
      unary_ops(),
      variadic_ops(),
      softmax_ops(),
      gemm_ops(),
      matmul_ops(),
      einsum_ops(),
      conv_ops(),
      conv_transpose_ops(),
      pool_ops(),
      batch_normalization_ops(),
      layer_normalization_ops(),
      group_normalization_ops(),
      axis_normalization_ops(),
      resize_ops(),
      non_max_suppression_ops(),
  };
  // clang-format on
  return families;
}

}  // namespace overt
