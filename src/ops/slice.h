#ifndef OVERT_OPS_SLICE_H_
#define OVERT_OPS_SLICE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/node.h"

namespace overt {

/// Before opset 10. Later starts, ends, axes and steps are inputs 1 to 4.
struct SliceAttributes {
  std::optional<std::vector<int64_t>> starts;
  std::optional<std::vector<int64_t>> ends;
  std::optional<std::vector<int64_t>> axes;
};
SliceAttributes parse_slice(const Node& node);

/// Elements start, start + step, ... of an axis; each lies in it. step is not 0; with count 0 start means nothing.
struct SliceRange {
  int64_t start = 0;
  int64_t step = 1;
  int64_t count = 0;
  friend bool operator==(const SliceRange&, const SliceRange&) = default;
};

/// The standard's clamps for one axis of this length, for any numbers; step is not 0.
SliceRange slice_range(int64_t length, int64_t start, int64_t end, int64_t step);

/// One range for each axis of an input of shape `dims`. Empty axes stand for the first ones, empty steps for 1.
/// The lists have been checked by inference.
std::vector<SliceRange> slice_ranges(std::span<const int64_t> dims, std::span<const int64_t> starts,
                                     std::span<const int64_t> ends, std::span<const int64_t> axes,
                                     std::span<const int64_t> steps);

}  // namespace overt

#endif  // OVERT_OPS_SLICE_H_
