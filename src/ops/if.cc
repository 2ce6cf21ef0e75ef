// If (condition): runs one of two subgraphs, which read values of the enclosing graph. The attributes are the
// graphs then_branch and else_branch; captured values are the node's further inputs (see Graph::captures).
#include <array>

#include "ops/families.h"
#include "ops/strided_copy.h"

namespace overt {
namespace {

const Graph& branch(const Node& node, bool condition) {
  const std::string_view name = condition ? "then_branch" : "else_branch";
  const Graph* graph = node.subgraph(name);
  if (graph == nullptr) {
    fail_at(ErrorCode::invalid_model, node.name, "{}: attribute {} is missing", display_name(node), name);
  }
  if (graph->outputs().size() != node.outputs.size()) {
    fail_at(ErrorCode::invalid_model, node.name, "{}: {} has {} outputs, expected {} as the node", display_name(node),
            name, graph->outputs().size(), node.outputs.size());
  }
  return *graph;
}

std::vector<ValueInfo> infer_branch(const InferContext& context, bool condition) {
  const Graph& graph = branch(context.node(), condition);
  std::vector<InferInput> inputs;
  for (const Capture& capture : graph.captures)
    inputs.push_back(context.raw_input(static_cast<size_t>(capture.node_input)));
  return context.infer_subgraph(graph, inputs);
}

/// What holds for both branches' output i.
ValueInfo common(const InferContext& context, size_t i, const ValueInfo& a, const ValueInfo& b) {
  const bool types_known = a.type != DataType::undefined && b.type != DataType::undefined;
  if (types_known && (a.type != b.type || a.kind != b.kind)) {
    context.reject("output {} is {} in then_branch and {} in else_branch, expected the same type", i, a.to_string(),
                   b.to_string());
  }
  ValueInfo result;
  result.type = a.type != DataType::undefined ? a.type : b.type;
  result.kind = a.kind;
  if (!a.shape || !b.shape || a.shape->size() != b.shape->size()) return result;
  result.shape.emplace();
  for (size_t axis = 0; axis < a.shape->size(); ++axis) {
    const bool same = (*a.shape)[axis] == (*b.shape)[axis];
    result.shape->push_back(same ? (*a.shape)[axis] : context.unknown_dim(i, static_cast<int64_t>(axis)));
  }
  if (a.elements && b.elements && *a.elements == *b.elements) result.elements = a.elements;
  return result;
}

void infer_if(InferContext& context) {
  const std::optional<Dims> condition = context.integers(0);
  const bool decided = condition && condition->size() == 1 && condition->front().is_number();
  if (decided) {
    std::vector<ValueInfo> chosen = infer_branch(context, condition->front() != Dim(0));
    for (size_t i = 0; i < chosen.size(); ++i) context.set_output(i, std::move(chosen[i]));
    return;
  }
  const std::vector<ValueInfo> if_true = infer_branch(context, true);
  const std::vector<ValueInfo> if_false = infer_branch(context, false);
  for (size_t i = 0; i < if_true.size(); ++i) context.set_output(i, common(context, i, if_true[i], if_false[i]));
}

Tensor borrowed(const TensorView& view) {
  if (!view.present()) return {};
  return Tensor::share(view.type, view.shape(), view.data, static_cast<size_t>(tensor_bytes(view.type, view.shape())),
                       nullptr);
}

bool condition_of(const KernelContext& context) {
  const TensorView& condition = context.input(0);
  if (condition.elements() != 1) context.reject("the condition has {} elements, expected 1", condition.elements());
  return condition.values<bool>()[0];
}

ReferenceKernel make_if(const Node&) {
  return [](KernelContext& context) {
    const Graph& graph = branch(context.node(), condition_of(context));
    std::vector<Tensor> inputs;
    for (const Capture& capture : graph.captures) {
      inputs.push_back(borrowed(context.input(static_cast<size_t>(capture.node_input))));
    }
    const std::vector<Tensor> results = evaluate_graph(graph, inputs);
    for (size_t i = 0; i < results.size(); ++i) {
      if (!context.wants_output(i)) continue;
      copy_elements(view_of(results[i]), context.output(i, results[i].type(), results[i].shape()));
    }
  };
}

constexpr std::array kOps = {
    OpEntry{"", "If", &infer_if, &make_if, 0, OutputShapes::from_data},
};

}  // namespace

std::span<const OpEntry> if_ops() {
  return kOps;
}

}  // namespace overt
