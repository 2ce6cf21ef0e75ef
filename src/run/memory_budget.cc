#include "run/memory_budget.h"

#include <utility>

#include "base/error.h"

namespace overt {

void MemoryBudget::check(int64_t wanted, std::string_view what) const {
  const int64_t total = weights_ + blocks_ + wanted;
  if (limit_ == 0 || total <= limit_) return;
  fail(ErrorCode::out_of_memory,
       "memory_limit is {} bytes and {} needs {} more than it allows ({} bytes; packed weights hold {}, other "
       "blocks {}); raise memory_limit to at least {}, or use a smaller batch or input",
       limit_, what, total - limit_, wanted, weights_, blocks_, total);
}

void MemoryBudget::set_weights(int64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > weights_) check(bytes - weights_, "the weights in the form that kernels read");
  weights_ = bytes;
}

void MemoryBudget::reserve(int64_t bytes, std::string_view what) {
  const std::lock_guard lock(mutex_);
  check(bytes, what);
  blocks_ += bytes;
}

void MemoryBudget::release(int64_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  blocks_ -= bytes;
}

int64_t MemoryBudget::used() const {
  const std::lock_guard lock(mutex_);
  return weights_ + blocks_;
}

DeviceBlock::DeviceBlock(DeviceMemory& memory, MemoryBudget& budget, int64_t bytes, std::string_view what) {
  if (bytes == 0) return;
  budget.reserve(bytes, what);
  try {
    data_ = memory.allocate(bytes);
  } catch (...) {
    budget.release(bytes);
    throw;
  }
  memory_ = &memory;
  budget_ = &budget;
  bytes_ = bytes;
}

DeviceBlock::DeviceBlock(DeviceBlock&& other) noexcept {
  *this = std::move(other);
}

DeviceBlock& DeviceBlock::operator=(DeviceBlock&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(budget_, other.budget_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

DeviceBlock::~DeviceBlock() {
  if (data_ == nullptr) return;
  memory_->deallocate(data_, bytes_);
  budget_->release(bytes_);
}

}  // namespace overt
