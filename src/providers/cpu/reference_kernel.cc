#include "providers/cpu/reference_kernel.h"

#include <cstring>
#include <vector>

#include "base/error.h"
#include "ops/kernel_context.h"
#include "ops/op.h"

namespace overt::cpu {
namespace {

struct PlannedTensor {
  DataType type = DataType::undefined;
  Shape shape;
};

/// The planned places of a node's outputs; a kernel that gives another shape than inference said is a defect.
class PlannedOutputs final : public OutputAllocator {
 public:
  PlannedOutputs(const Node& node, const std::vector<PlannedTensor>& planned)
      : node_(node), planned_(planned), data_(planned.size()) {}

  void set(size_t output, void* data) { data_[output] = data; }

  MutableTensorView allocate(size_t output, DataType type, const Shape& shape) override {
    const PlannedTensor& expected = planned_[output];
    if (expected.type != type || expected.shape != shape) {
      fail_at(ErrorCode::internal, node_.name, "{}: output {} came out as {} {}, planned was {} {}",
              display_name(node_), output, data_type_name(type), shape.to_string(), data_type_name(expected.type),
              expected.shape.to_string());
    }
    return {type, expected.shape.dims(), data_[output]};
  }

 private:
  const Node& node_;
  const std::vector<PlannedTensor>& planned_;
  std::vector<void*> data_;
};

/// What both kinds of reference kernel hold: the node, its inputs' types and shapes, and its kernel.
struct ReferenceCall {
  Node node;
  std::vector<PlannedTensor> inputs;   ///< by node input; undefined for those left out
  std::vector<PlannedTensor> outputs;  ///< by node output
  ReferenceKernel kernel;              ///< empty for a fused node

  explicit ReferenceCall(const PartitionView& partition, const Node& source) : node(source.clone()) {
    for (const ValueId input : node.inputs) {
      inputs.push_back(input == ValueId::none ? PlannedTensor{}
                                              : PlannedTensor{partition.values.types[index_of(input)],
                                                              partition.values.shapes[index_of(input)]});
    }
    for (const ValueId output : node.outputs) {
      outputs.push_back(output == ValueId::none ? PlannedTensor{}
                                                : PlannedTensor{partition.values.types[index_of(output)],
                                                                partition.values.shapes[index_of(output)]});
    }
    const OpEntry* op = node.parts ? nullptr : find_op(node);
    if (op != nullptr) kernel = op->reference(node);
  }

  /// `data`: one address for each input that is there, in order.
  void run(std::span<void* const> data, OutputAllocator& allocator) const {
    if (!kernel) {
      run_parts(data, allocator);
      return;
    }
    std::vector<TensorView> views(inputs.size());
    size_t next = 0;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].type != DataType::undefined) views[i] = {inputs[i].type, inputs[i].shape.dims(), data[next++]};
    }
    KernelContext context(node, views, allocator);
    kernel(context);
  }

  void run_parts(std::span<void* const> data, OutputAllocator& allocator) const {
    std::vector<Tensor> tensors(inputs.size());
    size_t next = 0;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].type == DataType::undefined) continue;
      tensors[i] = Tensor::borrow(inputs[i].type, inputs[i].shape, data[next++],
                                  static_cast<size_t>(tensor_bytes(inputs[i].type, inputs[i].shape)));
    }
    const std::vector<Tensor> results = evaluate_graph(*node.parts, tensors);
    for (size_t i = 0; i < results.size(); ++i) {
      if (!node.has_output(i)) continue;
      const MutableTensorView view = allocator.allocate(i, results[i].type(), results[i].shape());
      if (results[i].bytes() > 0) std::memcpy(view.data, results[i].data(), results[i].bytes());
    }
  }
};

class ReferenceInstance final : public KernelInstance {
 public:
  explicit ReferenceInstance(const ReferenceCall& call) : call_(call) {}

  void run(std::span<void* const> pointers) override {
    PlannedOutputs outputs(call_.node, call_.outputs);
    size_t next = 0;
    for (const PlannedTensor& input : call_.inputs) next += input.type != DataType::undefined ? 1 : 0;
    const size_t input_count = next;
    for (size_t i = 0; i < call_.outputs.size(); ++i) {
      if (call_.outputs[i].type != DataType::undefined) outputs.set(i, pointers[next++]);
    }
    call_.run(pointers.first(input_count), outputs);
  }

 private:
  const ReferenceCall& call_;
};

class Reference final : public Kernel {
 public:
  Reference(const PartitionView& partition, const Node& node) : call_(partition, node) {}
  std::string_view name() const override { return "reference"; }
  int64_t scratch_bytes() const override { return 0; }
  std::unique_ptr<KernelInstance> instantiate() const override { return std::make_unique<ReferenceInstance>(call_); }

 private:
  ReferenceCall call_;
};

/// Inputs of a dynamic program may be constants of the plan.
class DynamicProgram final : public Program {
 public:
  explicit DynamicProgram(const PartitionView& partition)
      : call_(partition, partition.graph.node(partition.nodes[0])), choices_{{partition.nodes[0], "reference", {}}} {
    for (const ValueId input : call_.node.inputs) {
      if (input == ValueId::none) continue;
      const Tensor* constant = partition.values.constants[index_of(input)];
      int32_t from = -1;
      for (size_t i = 0; i < partition.inputs.size(); ++i) {
        if (partition.inputs[i] == input) from = static_cast<int32_t>(i);
      }
      sources_.push_back({from, constant != nullptr ? constant->data() : nullptr});
    }
  }

  int32_t step_count() const override { return 1; }
  std::span<const BufferRequest> buffers() const override { return {}; }
  std::span<const KernelChoice> choices() const override { return choices_; }
  std::string describe() const override {
    return "  " + display_name(call_.node) + " [reference], shapes from data\n";
  }
  std::unique_ptr<ProgramInstance> instantiate(const ProgramAddresses& addresses) const override;

 private:
  friend class DynamicInstance;
  struct Source {
    int32_t input = -1;              ///< of the program, or
    const void* constant = nullptr;  ///< a constant's data
  };
  ReferenceCall call_;
  std::vector<Source> sources_;  ///< by input that is there
  std::vector<KernelChoice> choices_;
};

class DynamicInstance final : public ProgramInstance {
 public:
  DynamicInstance(const DynamicProgram& program, const ProgramAddresses& addresses)
      : program_(program), addresses_(addresses) {}

  void run(const RunControl& control) override {
    std::vector<void*> data;
    for (const DynamicProgram::Source& source : program_.sources_) {
      const void* address =
          source.input >= 0 ? addresses_.inputs[static_cast<size_t>(source.input)] : source.constant;
      data.push_back(const_cast<void*>(address));  // read only
    }
    program_.call_.run(data, *control.dynamic_outputs);
  }

 private:
  const DynamicProgram& program_;
  const ProgramAddresses& addresses_;
};

std::unique_ptr<ProgramInstance> DynamicProgram::instantiate(const ProgramAddresses& addresses) const {
  return std::make_unique<DynamicInstance>(*this, addresses);
}

}  // namespace

Lowered lower_reference(const LowerContext& context) {
  LoweredNode lowered;
  lowered.kernel = std::make_unique<Reference>(context.partition, context.node);
  for (const ValueId input : context.node.inputs) {
    if (input != ValueId::none) lowered.reads.push_back({input, plain(context.shape(input))});
  }
  for (const ValueId output : context.node.outputs) {
    if (output != ValueId::none) lowered.writes.push_back({output, plain(context.shape(output))});
  }
  return {std::move(lowered), {}};
}

std::unique_ptr<Program> make_dynamic_program(const PartitionView& partition) {
  return std::make_unique<DynamicProgram>(partition);
}

}  // namespace overt::cpu
