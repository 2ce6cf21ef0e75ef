#ifndef OVERT_ONNX_GRAPH_BUILDER_H_
#define OVERT_ONNX_GRAPH_BUILDER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/model.h"
#include "onnx/functions.h"
#include "onnx/name_scope.h"
#include "onnx/proto.h"
#include "onnx/tensor_reader.h"
#include "onnx/type_proto.h"

namespace overt {

/// Makes Model::graph from the messages of a file: names become ids, functions are expanded, subgraphs get their
/// captures. Used for one model, once. Recursion is as deep as subgraphs and functions nest, which the readers
/// before have bounded.
class GraphBuilder {
 public:
  /// All arguments must outlive the builder. `model` gets graph, names, source_nodes, input_defaults, warnings.
  GraphBuilder(const ProtoModel& proto, FileOrigin origin, uint64_t hash_key, const LoadLimits& limits,
               const OpsetTable& opsets, const FunctionTable& functions, TensorReader& tensors, Model& model);
  /// Throws Error(invalid_model) or Error(unsupported), naming the node or value.
  void build();

 private:
  /// What a function's attributes are in one call; null where the call gives none and there is no default.
  using Bindings = NameMap<const ProtoAttribute*>;

  /// Where nodes come from: the model, subgraphs included, or one call of a function.
  struct Frame {
    const OpsetTable& opsets;
    const Function* function = nullptr;  ///< null outside functions
    const Bindings* bindings = nullptr;  ///< of the call
    std::string prefix = {};             ///< of the names of the call's nodes and values
    int32_t source = 0;                  ///< Model::source_nodes index of the outermost call
  };

  /// A node under construction, and the outer values that its subgraphs read.
  struct OpenNode {
    Node node;
    std::unordered_map<ValueId, int32_t> captured;  ///< to the node's input
  };

  // Graphs.
  void build_graph(const ProtoGraph& proto, NameScope& scope, const Frame& frame, NameReach reach);
  void add_inputs_and_constants(const ProtoGraph& proto, NameScope& scope, const Frame& frame, NameReach reach);
  std::vector<NamedTensor> read_initializers(const ProtoGraph& proto, const Frame& frame, NameReach reach,
                                             NameMap<size_t>& by_name);
  void add_input_default(const ProtoValueInfo& input, const ValueInfo& declared, const Tensor& tensor);
  void note_declared(std::span<const ProtoValueInfo> infos, NameScope& scope, NameReach reach);
  void add_outputs(const ProtoGraph& proto, NameScope& scope, NameReach reach);
  int32_t add_sources(const ProtoNodes& body);

  // Nodes.
  using WantedOutputs = NameMap<ValueId>;
  /// Makes the values that the nodes give, in order; those named in `wanted` (may be null) exist already.
  std::vector<ValueId> declare_outputs(const ProtoNodes& body, NameScope& scope, const Frame& frame,
                                       const WantedOutputs* wanted);
  void add_nodes(const ProtoNodes& body, NameScope& scope, const Frame& frame, std::span<const ValueId> outputs,
                 int32_t first_source);
  void add_node(const ProtoNodes& body, const ProtoNode& proto, NameScope& scope, const Frame& frame,
                std::span<const ValueId> outputs, int32_t source);
  std::vector<ValueId> resolve_inputs(const ProtoNodes& body, const ProtoNode& proto, NameScope& scope);
  void add_attributes(const ProtoNodes& body, const ProtoNode& proto, NameScope& scope, const Frame& frame,
                      OpenNode& open);
  void check_attribute_names(const ProtoNodes& body, const ProtoNode& proto) const;
  std::unique_ptr<Graph> build_subgraph(const ProtoGraph& proto, NameScope& scope, const Frame& frame,
                                        OpenNode& open);

  // Functions.
  void expand_call(const ProtoNodes& body, const ProtoNode& call, const Function& function, NameScope& scope,
                   const Frame& frame, std::span<const ValueId> outputs, int32_t source);
  Bindings bind_attributes(const ProtoNodes& body, const ProtoNode& call, const Function& function,
                           const Frame& frame) const;
  /// The attribute itself, or what it refers to in the frame's call; null where the call gives nothing.
  const ProtoAttribute* follow_reference(const ProtoNode& node, const ProtoAttribute& attribute,
                                         const Frame& frame) const;
  std::string call_prefix(const ProtoNode& call, const Frame& frame);

  ValueId add_value(Graph& graph, std::string_view name, const Frame& frame);
  void warn(std::string text);

  const ProtoModel& proto_;
  FileOrigin origin_;
  uint64_t hash_key_;
  const LoadLimits& limits_;
  const OpsetTable& opsets_;
  const FunctionTable& functions_;
  TensorReader& tensors_;
  Model& model_;
  int64_t calls_ = 0;
};

}  // namespace overt

#endif  // OVERT_ONNX_GRAPH_BUILDER_H_
