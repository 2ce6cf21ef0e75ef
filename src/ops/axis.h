#ifndef OVERT_OPS_AXIS_H_
#define OVERT_OPS_AXIS_H_

#include <cstdint>
#include <span>

namespace overt {

/// A row-major tensor seen as [outer, length, inner], `length` being one axis or several adjacent ones.
struct AxisSplit {
  int64_t outer = 1;
  int64_t length = 1;
  int64_t inner = 1;
};
/// The split at one axis, which must be in range.
AxisSplit split_at(std::span<const int64_t> dims, int64_t axis);
/// The split in which dims [axis, rank) are the length and inner is 1.
AxisSplit split_from(std::span<const int64_t> dims, int64_t axis);

}  // namespace overt

#endif  // OVERT_OPS_AXIS_H_
