#ifndef OVERT_OPS_INFER_CONTEXT_H_
#define OVERT_OPS_INFER_CONTEXT_H_

#include <fmt/core.h>

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "graph/graph.h"

namespace overt {

/// What is known of one input while shapes are inferred.
struct InferInput {
  const ValueInfo* info = nullptr;   ///< null: the optional input is left out
  const Tensor* constant = nullptr;  ///< contents, where they are known for good or known to the plan
};

/// One node's view during shape inference. Inputs that are left out are absent; asking for one throws
/// Error(invalid_model) "input 2 (axes) is missing".
class InferContext {
 public:
  /// `outer` infers subgraphs with the graph-level engine (see infer_graph); null where none may appear.
  using InferSubgraph = std::vector<ValueInfo> (*)(const Graph& subgraph, std::span<const InferInput> inputs);

  InferContext(const Node& node, std::span<const InferInput> inputs, InferSubgraph infer_subgraph)
      : node_(node), inputs_(inputs), infer_subgraph_(infer_subgraph), outputs_(node.outputs.size()) {}

  const Node& node() const { return node_; }
  size_t input_count() const { return inputs_.size(); }
  bool has_input(size_t i) const { return i < inputs_.size() && inputs_[i].info != nullptr; }
  const ValueInfo& input(size_t i) const;
  DataType type(size_t i) const { return input(i).type; }
  /// Shape of input i, or null where not even the rank is known.
  const Dims* shape(size_t i) const { return input(i).shape ? &*input(i).shape : nullptr; }
  /// Contents, or null where they are not known. Never for an absent input.
  const Tensor* constant(size_t i) const { return has_input(i) ? inputs_[i].constant : nullptr; }
  /// Integer contents as dims (from a constant or from shape arithmetic); nothing where they are not known, or
  /// the input is absent, or it has more than kMaxKnownElements.
  std::optional<Dims> integers(size_t i) const;

  size_t output_count() const { return outputs_.size(); }
  bool wants_output(size_t i) const { return node_.has_output(i); }
  void set_output(size_t i, ValueInfo info);  ///< ignored for outputs that the node does not have
  /// An output of known type whose shape cannot be known now.
  void set_output_type(size_t i, DataType type);
  std::vector<ValueInfo> take_outputs() { return std::move(outputs_); }

  /// A fresh unknown length for axis `axis` of output `i` ("?name.axis"), the same at each call.
  Dim unknown_dim(size_t i, int64_t axis) const;

  /// Infers a subgraph attribute with these inputs (formal inputs first, then captures, in the subgraph's order).
  std::vector<ValueInfo> infer_subgraph(const Graph& subgraph, std::span<const InferInput> inputs) const;
  /// The input as it would be handed to a subgraph capture.
  InferInput raw_input(size_t i) const { return inputs_[i]; }

  /// Throws Error(invalid_model) that names the node: "Softmax 'x': axis 4 is out of ...".
  template <typename... Args>
  [[noreturn]] void reject(fmt::format_string<Args...> format, Args&&... args) const {
    reject_with(fmt::format(format, std::forward<Args>(args)...));
  }
  /// `axis` in [-rank, rank) made non-negative; rejects otherwise.
  int64_t normalise_axis(int64_t axis, int64_t rank, std::string_view attribute = "axis") const;

 private:
  [[noreturn]] void reject_with(const std::string& message) const;

  const Node& node_;
  std::span<const InferInput> inputs_;
  InferSubgraph infer_subgraph_;
  std::vector<ValueInfo> outputs_;
};

/// Infers one node of the graph from its inputs' infos and constants, without changing the graph. For a fused
/// node, runs over its parts. An operator that no family has gives outputs of unknown type and shape.
/// Also checks each result against what the file declared: a contradiction in type, rank or a number is
/// Error(invalid_model) only when `strict`.
std::vector<ValueInfo> infer_node(const Node& node, std::span<const InferInput> inputs);

/// Infers all values of the graph in order and stores the infos. Values keep what the file declared where
/// inference knows less; where both know, they must agree (Error invalid_model), except that intermediate
/// value_info that merely differs gives a line in `warnings` and inference wins.
void infer_graph(Graph& graph, std::vector<std::string>* warnings);

}  // namespace overt

#endif  // OVERT_OPS_INFER_CONTEXT_H_
