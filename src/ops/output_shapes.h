#ifndef OVERT_OPS_OUTPUT_SHAPES_H_
#define OVERT_OPS_OUTPUT_SHAPES_H_

#include <vector>

#include "ops/kernel_context.h"

namespace overt {

/// Shapes of the node's outputs, worked out by its family's own inference from the inputs at hand (for an output
/// that is not wanted: empty). So a kernel checks ranks, lengths and attributes by the same code as a plan.
/// Throws Error(invalid_argument) where the inputs do not fit or a length does not fit 63 bits. Not for operators
/// whose shapes depend on data.
std::vector<Shape> output_shapes(const KernelContext& context);

/// The elements of an int32 or int64 tensor. Throws Error(invalid_argument) for another type.
std::vector<int64_t> index_values(const TensorView& view);

/// The one element of an int32 or int64 tensor; `name` is for the message.
int64_t single_integer(const KernelContext& context, size_t i, std::string_view name);

/// An axis that inference has found to be in [-rank, rank), made non-negative.
inline int64_t positive_axis(int64_t axis, int64_t rank) {
  return axis < 0 ? axis + rank : axis;
}

/// An index in [-length, length) made non-negative; rejects others.
inline int64_t checked_index(const KernelContext& context, int64_t index, int64_t length, int64_t axis) {
  if (index < -length || index >= length) {
    context.reject("index {} is out of range for axis {} of length {}, expected {} to {}", index, axis, length,
                   -length, length - 1);
  }
  return index < 0 ? index + length : index;
}

}  // namespace overt

#endif  // OVERT_OPS_OUTPUT_SHAPES_H_
