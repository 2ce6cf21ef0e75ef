#ifndef OVERT_RUN_MEMORY_BUDGET_H_
#define OVERT_RUN_MEMORY_BUDGET_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "provider_api/memory.h"

namespace overt {

/// A session's memory against its limit: weights that providers hold in their own form, and every block that
/// execution contexts take. Safe to use from several threads.
class MemoryBudget {
 public:
  /// `limit` in bytes; 0: none.
  explicit MemoryBudget(int64_t limit) : limit_(limit) {}

  /// Takes note of the bytes of packed weights. Throws as `reserve` does.
  void set_weights(int64_t bytes);
  /// Throws Error(out_of_memory) that says how much is missing and for what.
  void reserve(int64_t bytes, std::string_view what);
  void release(int64_t bytes) noexcept;
  int64_t used() const;

 private:
  void check(int64_t wanted, std::string_view what) const;

  const int64_t limit_;
  mutable std::mutex mutex_;
  int64_t weights_ = 0;
  int64_t blocks_ = 0;
};

/// Memory of a device, given back when it goes. Counted in the budget.
class DeviceBlock {
 public:
  DeviceBlock() = default;
  /// Throws Error(out_of_memory). `what` is for the message.
  DeviceBlock(DeviceMemory& memory, MemoryBudget& budget, int64_t bytes, std::string_view what);
  DeviceBlock(DeviceBlock&& other) noexcept;
  DeviceBlock& operator=(DeviceBlock&& other) noexcept;
  ~DeviceBlock();

  void* data() const { return data_; }
  int64_t bytes() const { return bytes_; }

 private:
  DeviceMemory* memory_ = nullptr;
  MemoryBudget* budget_ = nullptr;
  void* data_ = nullptr;
  int64_t bytes_ = 0;
};

}  // namespace overt

#endif  // OVERT_RUN_MEMORY_BUDGET_H_
