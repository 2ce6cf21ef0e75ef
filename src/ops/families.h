#ifndef OVERT_OPS_FAMILIES_H_
#define OVERT_OPS_FAMILIES_H_

#include <span>

#include "ops/op.h"

namespace overt {

// One list per family; each is defined in the family's source file as a constexpr array.
std::span<const OpEntry> activation_ops();
std::span<const OpEntry> arg_reduce_ops();
std::span<const OpEntry> arithmetic_ops();
std::span<const OpEntry> axis_normalization_ops();
std::span<const OpEntry> batch_normalization_ops();
std::span<const OpEntry> bitwise_ops();
std::span<const OpEntry> cast_ops();
std::span<const OpEntry> compare_ops();
std::span<const OpEntry> concat_ops();
std::span<const OpEntry> constant_ops();
std::span<const OpEntry> conv_ops();
std::span<const OpEntry> conv_transpose_ops();
std::span<const OpEntry> cumulative_ops();
std::span<const OpEntry> diagonal_ops();
std::span<const OpEntry> dropout_ops();
std::span<const OpEntry> einsum_ops();
std::span<const OpEntry> expand_ops();
std::span<const OpEntry> gather_ops();
std::span<const OpEntry> gemm_ops();
std::span<const OpEntry> group_normalization_ops();
std::span<const OpEntry> if_ops();
std::span<const OpEntry> layer_normalization_ops();
std::span<const OpEntry> matmul_ops();
std::span<const OpEntry> non_max_suppression_ops();
std::span<const OpEntry> onehot_ops();
std::span<const OpEntry> pad_ops();
std::span<const OpEntry> pool_ops();
std::span<const OpEntry> range_ops();
std::span<const OpEntry> reduce_ops();
std::span<const OpEntry> reshape_ops();
std::span<const OpEntry> resize_ops();
std::span<const OpEntry> reverse_sequence_ops();
std::span<const OpEntry> scatter_ops();
std::span<const OpEntry> select_ops();
std::span<const OpEntry> shape_ops();
std::span<const OpEntry> slice_ops();
std::span<const OpEntry> softmax_ops();
std::span<const OpEntry> top_k_ops();
std::span<const OpEntry> transpose_ops();
std::span<const OpEntry> unary_ops();
std::span<const OpEntry> variadic_ops();
std::span<const OpEntry> roi_align_ops();
std::span<const OpEntry> grid_sample_ops();
std::span<const OpEntry> max_unpool_ops();
std::span<const OpEntry> det_ops();

/// All families.
std::span<const std::span<const OpEntry>> op_families();

}  // namespace overt

#endif  // OVERT_OPS_FAMILIES_H_
