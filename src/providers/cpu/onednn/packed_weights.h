#ifndef OVERT_PROVIDERS_CPU_ONEDNN_PACKED_WEIGHTS_H_
#define OVERT_PROVIDERS_CPU_ONEDNN_PACKED_WEIGHTS_H_

#include <map>
#include <vector>

#include "overt/tensor.h"
#include "providers/cpu/onednn/library.h"

namespace overt::cpu::onednn {

/// Constants in the layouts that kernels want, one copy for all plans of a session. Used by one thread at a time;
/// what it gives stays valid in other threads and after its end.
class PackedWeights {
 public:
  explicit PackedWeights(const Library& library) : library_(library) {}

  /// `constant`'s memory, read as `source`, in the layout `target`. The memory itself, not a copy, where the two
  /// are equal. Throws Error(out_of_memory).
  Tensor get(const Tensor& constant, const_dnnl_memory_desc_t source, const_dnnl_memory_desc_t target);

  /// Bytes of the copies.
  int64_t bytes() const { return bytes_; }

 private:
  struct Entry {
    Tensor constant;  ///< keeps the key's address in use
    MemoryDesc source;
    MemoryDesc target;
    Tensor packed;
  };

  Tensor pack(const Tensor& constant, const_dnnl_memory_desc_t source, const_dnnl_memory_desc_t target) const;

  const Library& library_;
  std::map<const void*, std::vector<Entry>> entries_;
  int64_t bytes_ = 0;
};

}  // namespace overt::cpu::onednn

#endif  // OVERT_PROVIDERS_CPU_ONEDNN_PACKED_WEIGHTS_H_
