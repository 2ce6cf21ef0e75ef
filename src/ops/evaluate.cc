#include "base/escape.h"
#include "ops/kernel_context.h"
#include "ops/op.h"

namespace overt {
namespace {

/// New host tensors, within a limit on the sum of their bytes.
class HeapOutputs final : public OutputAllocator {
 public:
  HeapOutputs(const Node& node, int64_t limit) : node_(node), left_(limit), tensors_(node.outputs.size()) {}

  MutableTensorView allocate(size_t output, DataType type, const Shape& shape) override {
    const int64_t bytes = tensor_bytes(type, shape);
    if (bytes > left_) {
      fail_at(ErrorCode::out_of_memory, node_.name,
              "{}: output {} {} {} takes {} bytes where {} are left of the limit", display_name(node_), output,
              data_type_name(type), shape.to_string(), bytes, left_);
    }
    left_ -= bytes;
    tensors_[output] = Tensor(type, shape);
    return {type, tensors_[output].shape().dims(), tensors_[output].mutable_data()};
  }

  std::vector<Tensor> take() { return std::move(tensors_); }

 private:
  const Node& node_;
  int64_t left_;
  std::vector<Tensor> tensors_;
};

}  // namespace

std::vector<Tensor> evaluate_node(const Node& node, std::span<const Tensor> inputs, int64_t memory_limit) {
  if (node.parts) return evaluate_graph(*node.parts, inputs, memory_limit);
  const OpEntry* op = find_op(node);
  if (op == nullptr || op->reference == nullptr) {
    fail_at(ErrorCode::unsupported, node.name, "{}: no kernel runs {}", display_name(node),
            escape_name(node.op.to_string()));
  }
  std::vector<TensorView> views;
  views.reserve(inputs.size());
  std::vector<Tensor> aligned(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    aligned[i] = inputs[i].aligned();
    views.push_back(view_of(aligned[i]));
  }
  HeapOutputs outputs(node, memory_limit);
  KernelContext context(node, views, outputs);
  op->reference(node)(context);
  return outputs.take();
}

std::vector<Tensor> evaluate_graph(const Graph& graph, std::span<const Tensor> inputs, int64_t memory_limit) {
  std::vector<Tensor> values(graph.value_count());
  for (size_t i = 0; i < graph.value_count(); ++i) values[i] = graph.value(static_cast<ValueId>(i)).constant;
  for (size_t i = 0; i < graph.inputs().size() && i < inputs.size(); ++i) {
    values[index_of(graph.inputs()[i])] = inputs[i];
  }
  std::vector<Tensor> node_inputs;
  for (const NodeId id : graph.order()) {
    const Node& node = graph.node(id);
    node_inputs.clear();
    for (const ValueId input : node.inputs) {
      node_inputs.push_back(input == ValueId::none ? Tensor() : values[index_of(input)]);
    }
    std::vector<Tensor> outputs = evaluate_node(node, node_inputs, memory_limit);
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (node.has_output(i)) values[index_of(node.outputs[i])] = std::move(outputs[i]);
    }
  }
  std::vector<Tensor> results;
  for (const ValueId id : graph.outputs()) results.push_back(values[index_of(id)]);
  return results;
}

}  // namespace overt
