#ifndef OVERT_PROVIDERS_CPU_PROGRAM_H_
#define OVERT_PROVIDERS_CPU_PROGRAM_H_

#include <memory>
#include <string>
#include <vector>

#include "provider_api/program.h"
#include "providers/cpu/kernel.h"

namespace overt::cpu {

/// Where one pointer of a kernel comes from.
struct Operand {
  enum class Kind : uint8_t { input, output, buffer, constant };
  Kind kind = Kind::buffer;
  int32_t index = 0;  ///< of the program's input, output or buffer
  int64_t offset_bytes = 0;
  const void* constant = nullptr;  ///< owned by the plan or the model
};

struct CpuStep {
  std::unique_ptr<const Kernel> kernel;
  std::vector<Operand> operands;  ///< without the scratch memory
  int32_t scratch_buffer = -1;
  std::string node;  ///< for profiles: display name
  std::string op;
};

/// Steps in order over buffers. Immutable.
class CpuProgram final : public Program {
 public:
  CpuProgram(std::vector<CpuStep> steps, std::vector<BufferRequest> buffers, std::vector<KernelChoice> choices,
             std::vector<Tensor> constants)
      : steps_(std::move(steps)),
        buffers_(std::move(buffers)),
        choices_(std::move(choices)),
        constants_(std::move(constants)) {}

  int32_t step_count() const override { return static_cast<int32_t>(steps_.size()); }
  std::span<const BufferRequest> buffers() const override { return buffers_; }
  std::span<const KernelChoice> choices() const override { return choices_; }
  std::string describe() const override;
  std::unique_ptr<ProgramInstance> instantiate(const ProgramAddresses& addresses) const override;

 private:
  std::vector<CpuStep> steps_;
  std::vector<BufferRequest> buffers_;
  std::vector<KernelChoice> choices_;
  std::vector<Tensor> constants_;  ///< copies that steps read
};

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_PROGRAM_H_
