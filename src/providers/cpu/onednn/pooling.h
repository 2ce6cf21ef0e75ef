#ifndef OVERT_PROVIDERS_CPU_ONEDNN_POOLING_H_
#define OVERT_PROVIDERS_CPU_ONEDNN_POOLING_H_

#include <vector>

#include "providers/cpu/onednn/primitive_kernel.h"

namespace overt::cpu::onednn {

enum class PoolingKind : uint8_t { maximum, average_without_padding, average_with_padding };

/// Pooling of concrete shapes over 1 to 3 spatial axes; source and destination have the same block.
/// A global pool is one whose kernel is the whole of the spatial axes.
struct PoolingSpec {
  PoolingKind kind = PoolingKind::maximum;
  Layout source;
  Layout destination;
  std::vector<int64_t> kernel;
  std::vector<int64_t> strides;
  std::vector<int64_t> dilations;  ///< 1: dense
  std::vector<int64_t> pads_begin;
  std::vector<int64_t> pads_end;
};

/// Pointers of a run: source, destination, scratch memory.
MadeKernel make_pooling(const Library& library, const PoolingSpec& spec);

}  // namespace overt::cpu::onednn

#endif  // OVERT_PROVIDERS_CPU_ONEDNN_POOLING_H_
