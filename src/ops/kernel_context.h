#ifndef OVERT_OPS_KERNEL_CONTEXT_H_
#define OVERT_OPS_KERNEL_CONTEXT_H_

#include <span>
#include <vector>

#include "base/error.h"
#include "graph/graph.h"
#include "overt/tensor.h"
#include "tensor/view.h"

namespace overt {

/// One call of a reference kernel.
class KernelContext {
 public:
  KernelContext(const Node& node, std::span<const TensorView> inputs, OutputAllocator& outputs)
      : node_(node), inputs_(inputs), outputs_(outputs) {}

  const Node& node() const { return node_; }
  size_t input_count() const { return inputs_.size(); }
  bool has_input(size_t i) const { return i < inputs_.size() && inputs_[i].present(); }
  /// Throws Error(invalid_model) where the input is left out.
  const TensorView& input(size_t i) const;
  size_t output_count() const { return node_.outputs.size(); }
  bool wants_output(size_t i) const { return node_.has_output(i); }
  /// Memory for output i, uninitialised. Call once per wanted output.
  MutableTensorView output(size_t i, DataType type, const Shape& shape) { return outputs_.allocate(i, type, shape); }

  /// Throws Error(invalid_argument) that names the node: contents break the standard.
  template <typename... Args>
  [[noreturn]] void reject(fmt::format_string<Args...> format, Args&&... args) const {
    reject_with(fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  [[noreturn]] void reject_with(const std::string& message) const;

  const Node& node_;
  std::span<const TensorView> inputs_;
  OutputAllocator& outputs_;
};

/// Runs the node's reference kernel on host tensors (an empty Tensor stands for an absent input) and gives its
/// outputs (empty where not wanted). A fused node runs its parts. `memory_limit` bounds the outputs' bytes.
/// Throws Error(unsupported) where no family has the operator.
std::vector<Tensor> evaluate_node(const Node& node, std::span<const Tensor> inputs, int64_t memory_limit = INT64_MAX);

/// Runs a whole graph with reference kernels: captured inputs are ordinary inputs here. For parts of fused
/// nodes, folding and tests; subgraphs of If are run too.
std::vector<Tensor> evaluate_graph(const Graph& graph, std::span<const Tensor> inputs,
                                   int64_t memory_limit = INT64_MAX);

}  // namespace overt

#endif  // OVERT_OPS_KERNEL_CONTEXT_H_
