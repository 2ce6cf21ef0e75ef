#include "providers/cpu/program.h"

#include <fmt/core.h>

namespace overt::cpu {
namespace {

/// A pointer that changes from run to run: an input or output of the program.
struct Patch {
  int32_t step = 0;
  int32_t position = 0;
  Operand operand;
};

class CpuProgramInstance final : public ProgramInstance {
 public:
  CpuProgramInstance(const std::vector<CpuStep>& steps, const ProgramAddresses& addresses)
      : steps_(steps), addresses_(addresses) {
    for (size_t s = 0; s < steps.size(); ++s) add_step(static_cast<int32_t>(s));
  }

  void run(const RunControl& control) override {
    for (const Patch& patch : patches_)
      pointers_[static_cast<size_t>(patch.step)][static_cast<size_t>(patch.position)] = resolve(patch.operand);
    for (size_t s = 0; s < kernels_.size(); ++s) {
      control.check();
      if (control.profile == nullptr) {
        kernels_[s]->run(pointers_[s]);
        continue;
      }
      const auto start = std::chrono::steady_clock::now();
      kernels_[s]->run(pointers_[s]);
      const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
      control.profile->push_back(
          {steps_[s].node, steps_[s].op, std::string(steps_[s].kernel->name()), spent.count()});
    }
  }

 private:
  void add_step(int32_t s) {
    const CpuStep& step = steps_[static_cast<size_t>(s)];
    kernels_.push_back(step.kernel->instantiate());
    std::vector<void*>& pointers = pointers_.emplace_back();
    for (size_t i = 0; i < step.operands.size(); ++i) {
      const Operand& operand = step.operands[i];
      const bool fixed = operand.kind == Operand::Kind::buffer || operand.kind == Operand::Kind::constant;
      pointers.push_back(fixed ? resolve(operand) : nullptr);
      if (!fixed) patches_.push_back({s, static_cast<int32_t>(i), operand});
    }
    pointers.push_back(step.scratch_buffer < 0 ? nullptr
                                               : addresses_.buffers[static_cast<size_t>(step.scratch_buffer)]);
  }

  void* resolve(const Operand& operand) const {
    const auto index = static_cast<size_t>(operand.index);
    // Kernels only read inputs and constants; they take all pointers through one list.
    switch (operand.kind) {
      case Operand::Kind::input:
        return static_cast<std::byte*>(const_cast<void*>(addresses_.inputs[index])) + operand.offset_bytes;
      case Operand::Kind::output: return static_cast<std::byte*>(addresses_.outputs[index]) + operand.offset_bytes;
      case Operand::Kind::buffer: return static_cast<std::byte*>(addresses_.buffers[index]) + operand.offset_bytes;
      case Operand::Kind::constant: return const_cast<void*>(operand.constant);
    }
    return nullptr;
  }

  const std::vector<CpuStep>& steps_;
  const ProgramAddresses& addresses_;
  std::vector<std::unique_ptr<KernelInstance>> kernels_;
  std::vector<std::vector<void*>> pointers_;
  std::vector<Patch> patches_;
};

}  // namespace

std::unique_ptr<ProgramInstance> CpuProgram::instantiate(const ProgramAddresses& addresses) const {
  return std::make_unique<CpuProgramInstance>(steps_, addresses);
}

std::string CpuProgram::describe() const {
  std::string text;
  for (const CpuStep& step : steps_) {
    text += fmt::format("  {} [{}]", step.node, step.kernel->name());
    for (const Operand& operand : step.operands) {
      static constexpr char kLetters[] = {'i', 'o', 'b', 'c'};
      text += fmt::format(" {}{}", kLetters[static_cast<size_t>(operand.kind)], operand.index);
      if (operand.offset_bytes != 0) text += fmt::format("+{}", operand.offset_bytes);
    }
    text += "\n";
  }
  return text;
}

}  // namespace overt::cpu
