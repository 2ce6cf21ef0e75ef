#include "passes/fuse.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "base/error.h"
#include "base/escape.h"
#include "ops/op.h"

namespace overt {
namespace {

bool contains(std::span<const NodeId> nodes, NodeId id) {
  return std::ranges::find(nodes, id) != nodes.end();
}

/// Copies matched nodes into a graph of their own.
class PartsBuilder {
 public:
  explicit PartsBuilder(const Graph& outer) : outer_(outer), parts_(std::make_unique<Graph>()) {}

  void add_inputs(std::span<const ValueId> inputs) {
    for (const ValueId input : inputs) {
      const ValueId inner = input == ValueId::none ? parts_->add_value("absent") : copy_value(input);
      if (input != ValueId::none) inner_.try_emplace(input, inner);
      parts_->add_input(inner);
    }
  }

  void add_nodes(std::span<const NodeId> nodes) {
    for (const NodeId id : nodes) {
      for (const ValueId output : outer_.node(id).outputs) {
        if (output != ValueId::none) inner_.try_emplace(output, copy_value(output));
      }
    }
    for (const NodeId id : nodes) {
      Node part = outer_.node(id).clone();
      for (ValueId& input : part.inputs) input = inner(input);
      for (ValueId& output : part.outputs) output = inner(output);
      parts_->add_node(std::move(part));
    }
  }

  std::unique_ptr<Graph> take(ValueId output) {
    parts_->add_output(inner(output));
    parts_->sort();
    return std::move(parts_);
  }

 private:
  ValueId copy_value(ValueId id) {
    const Value& value = outer_.value(id);
    return parts_->add_value(value.name, value.info);
  }

  ValueId inner(ValueId id) {
    if (id == ValueId::none) return id;
    if (const auto found = inner_.find(id); found != inner_.end()) return found->second;
    const Value& value = outer_.value(id);
    if (!value.is_constant()) {
      fail(ErrorCode::internal, "a fused node reads '{}' and does not take it as an input", escape_name(value.name));
    }
    const ValueId constant = parts_->add_constant(value.name, value.constant);
    inner_.emplace(id, constant);
    return constant;
  }

  const Graph& outer_;
  std::unique_ptr<Graph> parts_;
  std::unordered_map<ValueId, ValueId> inner_;
};

/// Adds the parts' nodes before the fused node `id`, whose edges are gone already.
void put_back(Rewriter& rewriter, NodeId id, const Graph& parts, std::span<const ValueId> inputs,
              std::span<const ValueId> outputs, std::vector<NodeId>& added) {
  std::vector<ValueId> outer(parts.value_count(), ValueId::none);
  for (size_t i = 0; i < inputs.size(); ++i) outer[index_of(parts.inputs()[i])] = inputs[i];
  for (size_t i = 0; i < outputs.size(); ++i) outer[index_of(parts.outputs()[i])] = outputs[i];
  const auto to_outer = [&](ValueId inner) {
    if (inner == ValueId::none) return inner;
    ValueId& mapped = outer[index_of(inner)];
    if (mapped != ValueId::none) return mapped;
    const Value& value = parts.value(inner);
    if (value.is_constant()) {
      mapped = rewriter.edit().add_constant(value.name, value.constant);
    } else if (std::ranges::find(parts.inputs(), inner) == parts.inputs().end()) {
      mapped = rewriter.edit().add_value(value.name, value.info);
    }
    return mapped;  // none where the fused node was given no such input
  };
  for (const NodeId part : parts.order()) {
    Node node = parts.node(part).clone();
    for (ValueId& input : node.inputs) input = to_outer(input);
    for (ValueId& output : node.outputs) output = to_outer(output);
    added.push_back(rewriter.insert_before(id, std::move(node)));
  }
}

}  // namespace

bool is_closed(const Graph& graph, std::span<const NodeId> nodes, NodeId root) {
  for (const NodeId id : nodes) {
    const Node& node = graph.node(id);
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (!node.has_output(i) || (id == root && i == 0)) continue;
      const Value& value = graph.value(node.outputs[i]);
      if (value.output_uses > 0 || value.consumers.size() > 2 * nodes.size()) return false;
      for (const NodeId consumer : value.consumers) {
        if (!contains(nodes, consumer)) return false;
      }
    }
  }
  return true;
}

void fuse(Rewriter& rewriter, std::span<const NodeId> nodes, NodeId root, Node fused) {
  const Graph& graph = rewriter.graph();
  const ValueId output = graph.node(root).outputs[0];
  const OpEntry* op = find_op(fused);
  if (op == nullptr || op->reference == nullptr) {
    PartsBuilder builder(graph);
    builder.add_inputs(fused.inputs);
    builder.add_nodes(nodes);
    fused.parts = builder.take(output);
  }
  fused.outputs = {output};
  for (const NodeId id : nodes) merge_sources(fused.sources, graph.node(id).sources);
  for (const NodeId id : nodes) {
    if (id != root) rewriter.remove_merged(id);
  }
  rewriter.replace(root, std::move(fused));
}

std::vector<NodeId> expand_all(Graph& graph, std::span<const NodeId> ids) {
  Rewriter rewriter(graph);
  std::vector<NodeId> added;
  for (const NodeId id : ids) {
    Node& node = graph.edit_node(id);
    if (!node.parts) fail_at(ErrorCode::internal, node.name, "{} has no parts to put back", display_name(node));
    const std::unique_ptr<Graph> parts = std::move(node.parts);
    const std::vector<ValueId> inputs = node.inputs;
    const std::vector<ValueId> outputs = node.outputs;
    rewriter.remove_merged(id);
    put_back(rewriter, id, *parts, inputs, outputs, added);
  }
  rewriter.finish();
  return added;
}

std::vector<NodeId> expand(Graph& graph, NodeId id) {
  return expand_all(graph, std::span(&id, 1));
}

}  // namespace overt
