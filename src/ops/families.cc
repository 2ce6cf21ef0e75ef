#include "ops/families.h"

#include <array>

namespace overt {

std::span<const std::span<const OpEntry>> op_families() {
  // One line per family.
  // clang-format off
  static const std::array families = {
      activation_ops(),
      arg_reduce_ops(),
      arithmetic_ops(),
      axis_normalization_ops(),
      batch_normalization_ops(),
      bitwise_ops(),
      cast_ops(),
      compare_ops(),
      concat_ops(),
      constant_ops(),
      conv_ops(),
      conv_transpose_ops(),
      cumulative_ops(),
      diagonal_ops(),
      dropout_ops(),
      einsum_ops(),
      expand_ops(),
      gather_ops(),
      gemm_ops(),
      group_normalization_ops(),
      if_ops(),
      layer_normalization_ops(),
      matmul_ops(),
      non_max_suppression_ops(),
      onehot_ops(),
      pad_ops(),
      pool_ops(),
      range_ops(),
      reduce_ops(),
      reshape_ops(),
      resize_ops(),
      reverse_sequence_ops(),
      scatter_ops(),
      select_ops(),
      shape_ops(),
      slice_ops(),
      softmax_ops(),
      top_k_ops(),
      transpose_ops(),
      unary_ops(),
      variadic_ops(),
      roi_align_ops(),
      grid_sample_ops(),
      max_unpool_ops(),
      det_ops(),
  };
  // clang-format on
  return families;
}

}  // namespace overt
