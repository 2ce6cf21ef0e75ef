#include <algorithm>
#include <array>
#include <new>

#include "base/cpus.h"
#include "base/error.h"
#include "base/thread_pool.h"
#include "ops/op.h"
#include "overt/session.h"
#include "provider_api/provider.h"
#include "providers/cpu/compiler.h"
#include "providers/cpu/device.h"

namespace overt::cpu {
namespace {

/// The process's own memory, in cache lines.
class HostMemory final : public DeviceMemory {
 public:
  void* allocate(int64_t bytes) override {
    void* memory = ::operator new(static_cast<size_t>(bytes), kAlignment, std::nothrow);
    if (memory == nullptr) fail(ErrorCode::out_of_memory, "the system has no {} bytes of memory for the run", bytes);
    return memory;
  }
  void deallocate(void* memory, int64_t) noexcept override { ::operator delete(memory, kAlignment); }
  int64_t alignment() const override { return static_cast<int64_t>(kAlignment); }
  bool host_accessible() const override { return true; }
  void copy_from_host(void* device, const void* host, int64_t bytes) override { copy(device, host, bytes); }
  void copy_to_host(void* host, const void* device, int64_t bytes) override { copy(host, device, bytes); }

 private:
  static constexpr std::align_val_t kAlignment{64};
  static void copy(void* to, const void* from, int64_t bytes) {
    std::copy_n(static_cast<const std::byte*>(from), bytes, static_cast<std::byte*>(to));
  }
};

class CpuProvider final : public Provider {
 public:
  explicit CpuProvider(const ProviderRequest& request) {
    if (request.precision != Precision::fp32 && request.precision != Precision::bf16) {
      fail_at(ErrorCode::invalid_argument, "precision", "the cpu provider computes in fp32 or bf16, {} was asked for",
              precision_name(request.precision));
    }
    const int threads = request.threads > 0 ? request.threads : usable_cpus();
    device_.precision = request.precision;
    if (request.options.use_onednn) {
      onednn::OpenedLibrary opened = onednn::open_library(request.options.onednn, threads);
      device_.onednn = std::move(opened.library);
      device_.onednn_refusal = std::move(opened.refusal);
    } else {
      device_.onednn_refusal = "oneDNN is switched off (use_onednn)";
    }
    if (device_.onednn) {
      device_.packed = std::make_unique<onednn::PackedWeights>(*device_.onednn);
    } else {
      device_.own_threads = std::make_unique<ThreadPool>(threads);
      if (request.log && request.options.use_onednn) request.log(LogLevel::warning, device_.onednn_refusal);
    }
    description_ = fmt::format("cpu, {} threads, {}", device_.threads().count(),
                               device_.onednn ? device_.onednn->description() : device_.onednn_refusal);
  }

  std::string_view name() const override { return "cpu"; }
  std::string device_description() const override { return description_; }

  std::optional<Refusal> supports(const Graph& graph, const Node& node) const override {
    if (node.parts) {
      if (!device_.onednn && node.op.type != "SpaceToDepth") {
        return Refusal{fmt::format("{} as one kernel needs oneDNN: {}", node.op.to_string(), device_.onednn_refusal)};
      }
      for (const NodeId part : node.parts->order()) {  // what no fused kernel takes runs part by part
        if (auto refusal = supports(graph, node.parts->node(part))) return refusal;
      }
      return std::nullopt;
    }
    const OpEntry* op = find_op(node);
    if (op != nullptr && op->reference != nullptr) return std::nullopt;
    return Refusal{fmt::format("no kernel for {}", node.op.to_string())};
  }

  std::unique_ptr<Program> compile(const PartitionView& partition) override {
    return cpu::compile(partition, device_);
  }
  DeviceMemory& memory() override { return memory_; }
  int64_t packed_weight_bytes() const override {
    return device_.own_packed.bytes() + (device_.packed ? device_.packed->bytes() : 0);
  }

 private:
  Device device_;
  HostMemory memory_;
  std::string description_;
};

std::unique_ptr<Provider> create(const ProviderRequest& request) {
  return std::make_unique<CpuProvider>(request);
}

}  // namespace
}  // namespace overt::cpu

/// The one symbol that the core looks for.
extern "C" const overt::ProviderLibrary* overt_provider_library() {
  static const overt::ProviderLibrary kLibrary{"cpu", overt::version(), &overt::cpu::create};
  return &kLibrary;
}
