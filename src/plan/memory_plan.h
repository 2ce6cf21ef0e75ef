#ifndef OVERT_PLAN_MEMORY_PLAN_H_
#define OVERT_PLAN_MEMORY_PLAN_H_

#include <cstdint>
#include <span>
#include <vector>

namespace overt {

/// A buffer that is needed from step `first` to step `last`, both inclusive.
struct Lifetime {
  int64_t bytes = 0;
  int32_t first = 0;
  int32_t last = 0;
};

struct MemoryPlan {
  std::vector<int64_t> offsets;  ///< one for each lifetime, a multiple of the alignment
  int64_t slab_bytes = 0;
};

/// Gives each buffer a place in one slab so that buffers needed at the same step do not overlap.
///
/// Greedy by size: largest first, each at the lowest offset that is free during its life (Pisarchyk & Lee,
/// "Efficient Memory Management for Deep Neural Net Inference", 2020). Deterministic. The slab is at least
/// `peak_bytes`.
MemoryPlan plan_memory(std::span<const Lifetime> lifetimes, int64_t alignment);

/// The largest sum of sizes alive at one step: no plan can be smaller.
int64_t peak_bytes(std::span<const Lifetime> lifetimes, int64_t alignment);

}  // namespace overt

#endif  // OVERT_PLAN_MEMORY_PLAN_H_
