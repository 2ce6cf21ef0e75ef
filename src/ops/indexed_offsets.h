#ifndef OVERT_OPS_INDEXED_OFFSETS_H_
#define OVERT_OPS_INDEXED_OFFSETS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "ops/kernel_context.h"

namespace overt {

/// Where each index of GatherElements and ScatterElements points in a tensor of shape `dims`: element offsets, in
/// the order of the indices. The rank of `indices` is that of dims, its other lengths are no greater.
/// Rejects an index out of range.
std::vector<int64_t> element_offsets(const KernelContext& context, std::span<const int64_t> dims,
                                     const TensorView& indices, int64_t axis);

/// Where each index tuple of GatherND and ScatterND points: offsets of slices with dims after the batch_dims and
/// the tuple's length, in the order of the tuples. Rejects an index out of range.
std::vector<int64_t> slice_offsets(const KernelContext& context, std::span<const int64_t> dims,
                                   const TensorView& indices, int64_t batch_dims);

}  // namespace overt

#endif  // OVERT_OPS_INDEXED_OFFSETS_H_
