#ifndef OVERT_PROVIDERS_CPU_HOST_KERNEL_H_
#define OVERT_PROVIDERS_CPU_HOST_KERNEL_H_

#include <memory>
#include <string>
#include <utility>

#include "providers/cpu/kernel.h"

namespace overt::cpu {

/// A kernel of our own made of one callable: `body(pointers)`, const, without state of a run. It is the same object
/// in all contexts.
template <typename Body>
class HostKernel final : public Kernel {
 public:
  HostKernel(std::string name, Body body, int64_t scratch_bytes)
      : name_(std::move(name)), body_(std::move(body)), scratch_bytes_(scratch_bytes) {}

  std::string_view name() const override { return name_; }
  int64_t scratch_bytes() const override { return scratch_bytes_; }
  std::unique_ptr<KernelInstance> instantiate() const override { return std::make_unique<Instance>(body_); }

 private:
  class Instance final : public KernelInstance {
   public:
    explicit Instance(const Body& body) : body_(body) {}
    void run(std::span<void* const> pointers) override { body_(pointers); }

   private:
    const Body& body_;
  };

  std::string name_;
  Body body_;
  int64_t scratch_bytes_;
};

template <typename Body>
std::unique_ptr<const Kernel> host_kernel(std::string name, Body body, int64_t scratch_bytes = 0) {
  return std::make_unique<HostKernel<Body>>(std::move(name), std::move(body), scratch_bytes);
}

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_HOST_KERNEL_H_
