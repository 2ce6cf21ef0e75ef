#include <algorithm>
#include <optional>

#include "base/escape.h"
#include "ops/infer_context.h"
#include "ops/op.h"

namespace overt {
namespace {

/// Infos and constants of a graph's values while it is inferred without being changed.
class ScratchInference {
 public:
  explicit ScratchInference(const Graph& graph)
      : graph_(graph), infos_(graph.value_count()), constants_(graph.value_count()) {
    for (size_t i = 0; i < graph.value_count(); ++i) {
      const Value& value = graph.value(static_cast<ValueId>(i));
      infos_[i] = value.info;
      constants_[i] = value.is_constant() ? &value.constant : nullptr;
    }
  }

  void bind_inputs(std::span<const InferInput> inputs) {
    for (size_t i = 0; i < graph_.inputs().size() && i < inputs.size(); ++i) {
      if (inputs[i].info == nullptr) continue;
      infos_[index_of(graph_.inputs()[i])] = *inputs[i].info;
      constants_[index_of(graph_.inputs()[i])] = inputs[i].constant;
    }
  }

  void run() {
    std::vector<InferInput> inputs;
    for (const NodeId id : graph_.order()) {
      const Node& node = graph_.node(id);
      inputs.clear();
      for (const ValueId input : node.inputs) {
        inputs.push_back(input == ValueId::none ? InferInput{}
                                                : InferInput{&infos_[index_of(input)], constants_[index_of(input)]});
      }
      std::vector<ValueInfo> outputs = infer_node(node, inputs);
      for (size_t i = 0; i < outputs.size(); ++i) {
        if (node.has_output(i)) infos_[index_of(node.outputs[i])] = std::move(outputs[i]);
      }
    }
  }

  std::vector<ValueInfo> outputs() const {
    std::vector<ValueInfo> result;
    for (const ValueId id : graph_.outputs()) result.push_back(infos_[index_of(id)]);
    return result;
  }

 private:
  const Graph& graph_;
  std::vector<ValueInfo> infos_;
  std::vector<const Tensor*> constants_;
};

std::vector<ValueInfo> infer_subgraph(const Graph& subgraph, std::span<const InferInput> inputs) {
  ScratchInference inference(subgraph);
  inference.bind_inputs(inputs);
  inference.run();
  return inference.outputs();
}

/// Text of a contradiction between what the file declares and what inference found, or nothing.
std::optional<std::string> contradiction(const ValueInfo& declared, const ValueInfo& found) {
  const bool types_differ = declared.type != DataType::undefined && found.type != DataType::undefined &&
                            (declared.type != found.type || declared.kind != found.kind);
  bool shapes_differ = false;
  if (declared.shape && found.shape) {
    shapes_differ = declared.shape->size() != found.shape->size();
    for (size_t i = 0; !shapes_differ && i < found.shape->size(); ++i) {
      const Dim& a = (*declared.shape)[i];
      const Dim& b = (*found.shape)[i];
      shapes_differ = a.is_number() && b.is_number() && !(a == b);
    }
  }
  if (!types_differ && !shapes_differ) return std::nullopt;
  return fmt::format("is declared as {} and works out as {}", declared.to_string(), found.to_string());
}

/// What both say together: numbers win over symbols, then what was found, then what was declared.
ValueInfo merged(const ValueInfo& declared, ValueInfo found) {
  if (found.type == DataType::undefined) {
    found.type = declared.type;
    found.kind = declared.kind;
  }
  if (!found.shape) {
    found.shape = declared.shape;
    return found;
  }
  if (!declared.shape || declared.shape->size() != found.shape->size()) return found;
  for (size_t i = 0; i < found.shape->size(); ++i) {
    Dim& dim = (*found.shape)[i];
    const Dim& said = (*declared.shape)[i];
    const bool unknown = !dim.is_number() && dim.to_string().starts_with('?');
    if (!dim.is_number() && (said.is_number() || (unknown && !said.to_string().starts_with('?')))) dim = said;
  }
  return found;
}

}  // namespace

std::vector<ValueInfo> infer_node(const Node& node, std::span<const InferInput> inputs) {
  if (node.parts) return infer_subgraph(*node.parts, inputs);
  const OpEntry* op = find_op(node);
  if (op == nullptr) return std::vector<ValueInfo>(node.outputs.size());
  InferContext context(node, inputs, &infer_subgraph);
  op->infer(context);
  return context.take_outputs();
}

void infer_graph(Graph& graph, std::vector<std::string>* warnings) {
  std::vector<InferInput> inputs;
  for (const NodeId id : graph.order()) {
    const Node& node = graph.node(id);
    inputs.clear();
    for (const ValueId input : node.inputs) {
      if (input == ValueId::none) {
        inputs.push_back({});
        continue;
      }
      const Value& value = graph.value(input);
      inputs.push_back({&value.info, value.is_constant() ? &value.constant : nullptr});
    }
    std::vector<ValueInfo> found = infer_node(node, inputs);
    for (size_t i = 0; i < found.size(); ++i) {
      if (!node.has_output(i)) continue;
      const ValueId output = node.outputs[i];
      const ValueInfo& declared = graph.value(output).info;
      const auto conflict = contradiction(declared, found[i]);
      if (!conflict) {
        graph.info(output) = merged(declared, std::move(found[i]));
        continue;
      }
      const std::string text =
          fmt::format("{}: output '{}' {}", display_name(node), escape_name(graph.value(output).name), *conflict);
      const bool types_differ = declared.type != found[i].type && found[i].type != DataType::undefined;
      if (graph.is_output(output) || types_differ) {
        fail_at(ErrorCode::invalid_model, graph.value(output).name, "{}; mend the declaration or the node", text);
      }
      if (warnings != nullptr) warnings->push_back(text);
      graph.info(output) = std::move(found[i]);
    }
  }
}

}  // namespace overt
