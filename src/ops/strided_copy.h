#ifndef OVERT_OPS_STRIDED_COPY_H_
#define OVERT_OPS_STRIDED_COPY_H_

#include <algorithm>
#include <span>
#include <vector>

#include "ops/kernel_context.h"

namespace overt {

/// One axis of a copy: how many elements, and the steps between them in elements.
struct CopyAxis {
  int64_t length = 0;
  int64_t source_stride = 0;
  int64_t target_stride = 0;
};

/// The same copy with axes of length 1 left out and neighbours that move as one joined; the innermost axis is
/// last and always there. `axes` must have no length of 0.
std::vector<CopyAxis> joined_axes(std::span<const int64_t> dims, std::span<const int64_t> source_strides,
                                  std::span<const int64_t> target_strides);

/// Copies an index space element by element: target[sum i*target_strides] = source[sum i*source_strides].
/// Strides in elements, of any sign. dims with a zero copy nothing. source and target do not overlap.
template <typename T>
void strided_copy(std::span<const int64_t> dims, const T* source, std::span<const int64_t> source_strides, T* target,
                  std::span<const int64_t> target_strides) {
  if (std::ranges::find(dims, 0) != dims.end()) return;
  const std::vector<CopyAxis> axes = joined_axes(dims, source_strides, target_strides);
  const CopyAxis inner = axes.back();
  const size_t outer = axes.size() - 1;
  std::vector<int64_t> index(outer, 0);
  int64_t from = 0;
  int64_t to = 0;
  while (true) {
    if (inner.source_stride == 1 && inner.target_stride == 1) {
      std::copy_n(source + from, inner.length, target + to);
    } else {
      for (int64_t i = 0; i < inner.length; ++i) {
        target[to + i * inner.target_stride] = source[from + i * inner.source_stride];
      }
    }
    size_t axis = outer;
    while (axis > 0) {
      const CopyAxis& step = axes[--axis];
      from += step.source_stride;
      to += step.target_stride;
      if (++index[axis] < step.length) break;
      from -= step.source_stride * step.length;
      to -= step.target_stride * step.length;
      index[axis] = 0;
      if (axis == 0) return;
    }
    if (outer == 0) return;
  }
}

/// Copies all elements of `from` to `to`, which has as many of the same type; strings and packed types too.
void copy_elements(const TensorView& from, const MutableTensorView& to);

}  // namespace overt

#endif  // OVERT_OPS_STRIDED_COPY_H_
