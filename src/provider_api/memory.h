#ifndef OVERT_PROVIDER_API_MEMORY_H_
#define OVERT_PROVIDER_API_MEMORY_H_

#include <cstddef>
#include <cstdint>

namespace overt {

/// Memory of one device, shared by the sessions on it. Safe to use from several threads.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;

  /// Uninitialised memory, aligned to `alignment()`. Throws Error(out_of_memory) saying how much the device has.
  virtual void* allocate(int64_t bytes) = 0;
  virtual void deallocate(void* memory, int64_t bytes) noexcept = 0;
  virtual int64_t alignment() const = 0;
  /// True where the host may read and write the memory directly.
  virtual bool host_accessible() const = 0;

  // Blocking copies. Ranges may not overlap.
  virtual void copy_from_host(void* device, const void* host, int64_t bytes) = 0;
  virtual void copy_to_host(void* host, const void* device, int64_t bytes) = 0;
};

}  // namespace overt

#endif  // OVERT_PROVIDER_API_MEMORY_H_
