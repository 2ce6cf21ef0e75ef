#ifndef OVERT_RUN_TEST_PROVIDER_H_
#define OVERT_RUN_TEST_PROVIDER_H_

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ops/kernel_context.h"
#include "provider_api/provider.h"

namespace overt {

/// Host memory that says it is a device's, and counts what is allocated and copied.
class TestMemory final : public DeviceMemory {
 public:
  explicit TestMemory(bool host_accessible) : host_accessible_(host_accessible) {}
  void* allocate(int64_t bytes) override {
    allocated += bytes;
    return ::operator new (static_cast<size_t>(bytes), std::align_val_t{64});
  }
  void deallocate(void* memory, int64_t bytes) noexcept override {
    allocated -= bytes;
    ::operator delete (memory, std::align_val_t{64});
  }
  int64_t alignment() const override { return 64; }
  bool host_accessible() const override { return host_accessible_; }
  void copy_from_host(void* device, const void* host, int64_t bytes) override {
    copied_in += bytes;
    std::memcpy(device, host, static_cast<size_t>(bytes));
  }
  void copy_to_host(void* host, const void* device, int64_t bytes) override {
    copied_out += bytes;
    std::memcpy(host, device, static_cast<size_t>(bytes));
  }

  int64_t allocated = 0;
  int64_t copied_in = 0;
  int64_t copied_out = 0;

 private:
  bool host_accessible_;
};

/// Runs partitions node by node with reference kernels, and calls `on_run` at the start of each run.
class TestProgram final : public Program {
 public:
  TestProgram(const PartitionView& partition, std::function<void()> on_run)
      : graph_(partition.graph),
        nodes_(partition.nodes.begin(), partition.nodes.end()),
        inputs_(partition.inputs.begin(), partition.inputs.end()),
        outputs_(partition.outputs.begin(), partition.outputs.end()),
        values_(partition.values),
        dynamic_(partition.dynamic_outputs),
        on_run_(std::move(on_run)) {}

  int32_t step_count() const override { return 1; }
  std::span<const BufferRequest> buffers() const override { return {}; }
  std::span<const KernelChoice> choices() const override { return {}; }
  std::string describe() const override { return "  test program\n"; }
  std::unique_ptr<ProgramInstance> instantiate(const ProgramAddresses& addresses) const override {
    return std::make_unique<Instance>(*this, addresses);
  }

 private:
  class Instance final : public ProgramInstance {
   public:
    Instance(const TestProgram& program, const ProgramAddresses& addresses)
        : program_(program), addresses_(addresses) {}

    void run(const RunControl& control) override {
      if (program_.on_run_) program_.on_run_();
      std::vector<Tensor> values(program_.graph_.value_count());
      for (size_t v = 0; v < values.size(); ++v) {
        if (const Tensor* constant = program_.values_.constants[v]) values[v] = *constant;
      }
      for (size_t i = 0; i < program_.inputs_.size(); ++i) {
        const size_t v = index_of(program_.inputs_[i]);
        values[v] = Tensor(program_.values_.types[v], program_.values_.shapes[v]);
        std::memcpy(values[v].mutable_data(), addresses_.inputs[i], values[v].bytes());
      }
      for (const NodeId id : program_.nodes_) {
        const Node& node = program_.graph_.node(id);
        std::vector<Tensor> inputs;
        for (const ValueId input : node.inputs)
          inputs.push_back(input == ValueId::none ? Tensor() : values[index_of(input)]);
        std::vector<Tensor> outputs = evaluate_node(node, inputs);
        for (size_t i = 0; i < outputs.size(); ++i) {
          if (!node.has_output(i)) continue;
          values[index_of(node.outputs[i])] = outputs[i];
          if (!program_.dynamic_) continue;
          const auto view = control.dynamic_outputs->allocate(i, outputs[i].type(), outputs[i].shape());
          if (outputs[i].bytes() > 0) std::memcpy(view.data, outputs[i].data(), outputs[i].bytes());
        }
      }
      if (program_.dynamic_) return;
      for (size_t i = 0; i < program_.outputs_.size(); ++i) {
        const Tensor& result = values[index_of(program_.outputs_[i])];
        std::memcpy(addresses_.outputs[i], result.data(), result.bytes());
      }
    }

   private:
    const TestProgram& program_;
    const ProgramAddresses& addresses_;
  };

  const Graph& graph_;
  std::vector<NodeId> nodes_;
  std::vector<ValueId> inputs_;
  std::vector<ValueId> outputs_;
  PlannedValues values_;
  bool dynamic_;
  std::function<void()> on_run_;
};

/// A provider for tests: takes what `takes` says, in memory of its own or the host's.
class TestProvider final : public Provider {
 public:
  TestProvider(std::string name, bool host_memory) : memory_(host_memory), name_(std::move(name)) {}

  std::function<bool(const Node&)> takes = [](const Node&) { return true; };
  std::function<void()> on_run;
  int compiled = 0;

  std::string_view name() const override { return name_; }
  std::string device_description() const override { return "for tests"; }
  std::optional<Refusal> supports(const Graph&, const Node& node) const override {
    return takes(node) ? std::nullopt : std::optional(Refusal{name_ + " has no kernel for " + node.op.type});
  }
  std::unique_ptr<Program> compile(const PartitionView& partition) override {
    ++compiled;
    return std::make_unique<TestProgram>(partition, on_run);
  }
  TestMemory& memory() override { return memory_; }
  int64_t packed_weight_bytes() const override { return 0; }

 private:
  TestMemory memory_;
  std::string name_;
};

}  // namespace overt

#endif  // OVERT_RUN_TEST_PROVIDER_H_
