#ifndef OVERT_PROVIDERS_CPU_KERNEL_H_
#define OVERT_PROVIDERS_CPU_KERNEL_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace overt::cpu {

/// A kernel with the handles of one execution context. One run at a time.
class KernelInstance {
 public:
  virtual ~KernelInstance() = default;
  /// Reads and writes the tensors at `pointers`, whose number and order the maker of the kernel states; the last
  /// is the scratch memory (any value where scratch_bytes() is 0). 64-byte alignment is best, 4 is needed.
  /// Does not allocate. Throws Error(internal) where the library below fails.
  virtual void run(std::span<void* const> pointers) = 0;
};

/// Work of fixed shapes with its weights packed. Immutable, shared by all contexts and threads.
class Kernel {
 public:
  virtual ~Kernel() = default;
  /// For reports: "onednn convolution jit:avx512_core".
  virtual std::string_view name() const = 0;
  virtual int64_t scratch_bytes() const = 0;
  /// Generates the machine code, where the kernel has code of its own to generate; `instantiate` does so too where
  /// nobody has yet. Several kernels may do it at the same time.
  virtual void prepare() const {}
  virtual std::unique_ptr<KernelInstance> instantiate() const = 0;
};

/// A kernel, or why there is none, in words.
struct MadeKernel {
  std::unique_ptr<const Kernel> kernel;  ///< null: see `refusal`
  std::string refusal;

  static MadeKernel refused(std::string reason) { return {nullptr, std::move(reason)}; }
};

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_KERNEL_H_
