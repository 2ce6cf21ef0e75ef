#include "providers/cpu/copy_kernel.h"

#include <algorithm>
#include <cstring>

#include "providers/cpu/onednn/reorder.h"

namespace overt::cpu {
namespace {

/// Below this a second thread costs more than it copies.
constexpr int64_t kBytesPerTask = int64_t{64} << 10;

class Copy final : public Kernel {
 public:
  Copy(Threads& threads, int64_t bytes) : threads_(threads), bytes_(bytes) {}
  std::string_view name() const override { return "copy"; }
  int64_t scratch_bytes() const override { return 0; }
  std::unique_ptr<KernelInstance> instantiate() const override;

  void run(const std::byte* source, std::byte* destination) const {
    const int64_t tasks = (bytes_ + kBytesPerTask - 1) / kBytesPerTask;
    parallel_for(threads_, tasks, 4, [&](int64_t first, int64_t last) {
      const int64_t begin = first * kBytesPerTask;
      const int64_t end = std::min(last * kBytesPerTask, bytes_);
      std::memcpy(destination + begin, source + begin, static_cast<size_t>(end - begin));
    });
  }

 private:
  Threads& threads_;
  int64_t bytes_;
};

class CopyInstance final : public KernelInstance {
 public:
  explicit CopyInstance(const Copy& copy) : copy_(copy) {}
  void run(std::span<void* const> pointers) override {
    copy_.run(static_cast<const std::byte*>(pointers[0]), static_cast<std::byte*>(pointers[1]));
  }

 private:
  const Copy& copy_;
};

std::unique_ptr<KernelInstance> Copy::instantiate() const {
  return std::make_unique<CopyInstance>(*this);
}

}  // namespace

std::unique_ptr<const Kernel> make_copy(const Device& device, int64_t bytes) {
  return std::make_unique<Copy>(device.threads(), bytes);
}

MadeKernel make_layout_change(const Device& device, const Layout& source, const Layout& destination) {
  if (!device.onednn) return MadeKernel::refused("blocked layouts need oneDNN");
  return onednn::make_reorder(*device.onednn, source, destination);
}

}  // namespace overt::cpu
