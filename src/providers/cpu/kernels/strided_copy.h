#ifndef OVERT_PROVIDERS_CPU_KERNELS_STRIDED_COPY_H_
#define OVERT_PROVIDERS_CPU_KERNELS_STRIDED_COPY_H_

#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.h"

namespace overt::cpu {

/// Copies an index space from one set of strides to another: Transpose, Slice, one input of Concat, Expand (source
/// strides of 0), SpaceToDepth, each seen as dims and strides. Made once, run often; immutable.
class StridedCopy {
 public:
  /// dims >= 0; strides in elements, of any sign for the source, for the destination such that no element is
  /// written twice. `element_bytes` is 1, 2, 4 or 8, or any number where the innermost copied run is whole
  /// elements (it is then seen as bytes).
  StridedCopy(std::span<const int64_t> dims, std::span<const int64_t> source_strides,
              std::span<const int64_t> destination_strides, int64_t element_bytes);

  /// source and destination are the addresses of index (0, ..., 0). They may not overlap.
  void run(const void* source, void* destination, Threads& threads) const;

 private:
  struct Axis {
    int64_t dim;
    int64_t source;       ///< stride in elements
    int64_t destination;  ///< stride in elements
  };

  enum class Inner : uint8_t {
    run,        ///< the last axis is contiguous on both sides
    transpose,  ///< the last axis is contiguous in the destination, the one before it in the source
    scattered,
  };

  void merge_axes();
  void choose_inner();
  void copy_range(const char* source, char* destination, int64_t first, int64_t last) const;
  void copy_inner(const char* source, char* destination, int64_t count) const;

  std::vector<Axis> axes_;  ///< sorted by destination stride, largest first; neighbours merged
  Inner inner_ = Inner::scattered;
  int64_t element_bytes_;
  size_t outer_axes_ = 0;  ///< the axes before the inner one or two
  int64_t outer_ = 1;      ///< product of their dims
  int64_t piece_ = 1;      ///< the first inner axis is cut into pieces of this length, for the threads
  int64_t pieces_ = 1;
  int64_t piece_bytes_ = 0;
};

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_KERNELS_STRIDED_COPY_H_
