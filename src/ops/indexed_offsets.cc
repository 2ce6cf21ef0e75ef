#include "ops/indexed_offsets.h"

#include <algorithm>

#include "ops/broadcast.h"
#include "ops/output_shapes.h"

namespace overt {
namespace {

void require_elements(const KernelContext& context, std::span<const int64_t> dims) {
  if (std::ranges::find(dims, 0) == dims.end()) return;
  context.reject("indices are given into data of shape {}, which has no elements", Shape(dims).to_string());
}

}  // namespace

std::vector<int64_t> element_offsets(const KernelContext& context, std::span<const int64_t> dims,
                                     const TensorView& indices, int64_t axis) {
  std::vector<int64_t> offsets = index_values(indices);
  if (offsets.empty()) return offsets;
  require_elements(context, dims);
  std::vector<int64_t> strides = row_major_strides(dims);
  const int64_t axis_stride = dims.empty() ? 0 : std::exchange(strides[static_cast<size_t>(axis)], 0);
  const int64_t length = dims.empty() ? 1 : dims[static_cast<size_t>(axis)];
  StridedWalk walk(indices.dims, {strides});
  for (int64_t& offset : offsets) {
    offset = walk.offset(0) + checked_index(context, offset, length, axis) * axis_stride;
    walk.next();
  }
  return offsets;
}

std::vector<int64_t> slice_offsets(const KernelContext& context, std::span<const int64_t> dims,
                                   const TensorView& indices, int64_t batch_dims) {
  const Shape tuples = indices.shape();
  const int64_t depth = tuples[tuples.rank() - 1];
  const int64_t count = tuples.elements(0, tuples.rank() - 1);
  std::vector<int64_t> offsets(static_cast<size_t>(count));
  if (count == 0) return offsets;
  require_elements(context, dims);
  const std::vector<int64_t> values = index_values(indices);
  const std::vector<int64_t> strides = row_major_strides(dims);
  const Shape shape(dims);
  const int64_t per_batch = count / std::max<int64_t>(1, shape.elements(0, batch_dims));
  const int64_t batch_stride = shape.elements(batch_dims, shape.rank());
  size_t next = 0;
  for (int64_t i = 0; i < count; ++i) {
    int64_t offset = i / std::max<int64_t>(1, per_batch) * batch_stride;
    for (int64_t j = 0; j < depth; ++j) {
      const int64_t axis = batch_dims + j;
      offset += checked_index(context, values[next++], shape[axis], axis) * strides[static_cast<size_t>(axis)];
    }
    offsets[static_cast<size_t>(i)] = offset;
  }
  return offsets;
}

}  // namespace overt
