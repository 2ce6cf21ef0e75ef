#include "graph/graph.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/escape.h"

namespace overt {
namespace {

/// Contents of a small integer or bool constant as dims; nothing for others.
std::optional<Dims> known_elements(const Tensor& constant) {
  if (constant.elements() > kMaxKnownElements) return std::nullopt;
  Dims dims;
  const auto collect = [&](auto values) {
    for (const auto value : values) dims.emplace_back(static_cast<int64_t>(value));
  };
  switch (constant.type()) {
    case DataType::int64: collect(constant.values<int64_t>()); break;
    case DataType::int32: collect(constant.values<int32_t>()); break;
    case DataType::boolean: collect(constant.values<bool>()); break;
    default: return std::nullopt;
  }
  return dims;
}

ValueInfo info_of(const Tensor& constant) {
  Dims dims;
  for (const int64_t dim : constant.shape()) dims.emplace_back(dim);
  ValueInfo info = ValueInfo::tensor(constant.type(), std::move(dims));
  info.elements = known_elements(constant);
  return info;
}

}  // namespace

Graph Graph::clone() const {
  Graph copy;
  copy.name = name;
  copy.captures = captures;
  copy.removed = removed;
  copy.values_ = values_;
  copy.nodes_.reserve(nodes_.size());
  for (const Node& node : nodes_) copy.nodes_.push_back(node.clone());
  copy.alive_ = alive_;
  copy.order_ = order_;
  copy.inputs_ = inputs_;
  copy.outputs_ = outputs_;
  return copy;
}

ValueId Graph::find_value(std::string_view wanted) const {
  for (size_t i = 0; i < values_.size(); ++i) {
    if (values_[i].name == wanted) return static_cast<ValueId>(i);
  }
  return ValueId::none;
}

const Node* Graph::producer(ValueId id) const {
  const NodeId made_by = value(id).producer;
  return made_by == NodeId::none ? nullptr : &node(made_by);
}

const Node* Graph::only_consumer(ValueId id) const {
  const Value& wanted = value(id);
  if (wanted.consumers.size() != 1 || is_output(id)) return nullptr;
  return &node(wanted.consumers[0]);
}

void Graph::add_output(ValueId id) {
  outputs_.push_back(id);
  ++values_[index_of(id)].output_uses;
}

void Graph::set_output(size_t position, ValueId id) {
  --values_[index_of(outputs_[position])].output_uses;
  outputs_[position] = id;
  ++values_[index_of(id)].output_uses;
}

ValueId Graph::add_value(std::string value_name, ValueInfo info) {
  Value& added = values_.emplace_back();
  added.name = std::move(value_name);
  added.info = std::move(info);
  return static_cast<ValueId>(values_.size() - 1);
}

ValueId Graph::add_constant(std::string value_name, Tensor constant) {
  const ValueId id = add_value(std::move(value_name), info_of(constant));
  values_[index_of(id)].constant = std::move(constant);
  return id;
}

void Graph::set_constant(ValueId id, Tensor constant) {
  Value& changed = values_[index_of(id)];
  changed.info = info_of(constant);
  changed.constant = std::move(constant);
}

void Graph::connect(const Node& node) {
  for (const ValueId input : node.inputs) {
    if (input != ValueId::none) values_[index_of(input)].consumers.push_back(node.id);
  }
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == ValueId::none) continue;
    Value& output = values_[index_of(node.outputs[i])];
    if (output.producer != NodeId::none) {
      fail(ErrorCode::internal, "value '{}' would have two producers", escape_name(output.name));
    }
    output.producer = node.id;
    output.producer_output = static_cast<int32_t>(i);
  }
}

void Graph::disconnect(const Node& node) {
  for (const ValueId input : node.inputs) {
    if (input == ValueId::none) continue;
    auto& consumers = values_[index_of(input)].consumers;
    const auto found = std::ranges::find(consumers, node.id);
    if (found == consumers.end()) continue;
    *found = consumers.back();
    consumers.pop_back();
  }
  for (const ValueId output : node.outputs) {
    if (output == ValueId::none) continue;
    Value& made = values_[index_of(output)];
    if (made.producer == node.id) made.producer = NodeId::none;
  }
}

NodeId Graph::add_node(Node node) {
  const auto id = static_cast<NodeId>(nodes_.size());
  node.id = id;
  if (node.explicit_inputs == 0) node.explicit_inputs = static_cast<int32_t>(node.inputs.size());
  nodes_.push_back(std::move(node));
  alive_.push_back(true);
  order_.push_back(id);
  connect(nodes_.back());
  return id;
}

NodeId Graph::insert_node_before(NodeId before, Node node) {
  const NodeId id = add_node(std::move(node));
  order_.pop_back();
  order_.insert(std::ranges::find(order_, before), id);
  return id;
}

void Graph::remove_node(NodeId id) {
  disconnect(nodes_[index_of(id)]);
  nodes_[index_of(id)] = Node();
  alive_[index_of(id)] = false;
  order_.erase(std::ranges::find(order_, id));
}

void Graph::remove_nodes(std::span<const NodeId> ids) {
  for (const NodeId id : ids) alive_[index_of(id)] = false;
  for (Value& value : values_) {
    std::erase_if(value.consumers, [&](NodeId consumer) { return !alive_[index_of(consumer)]; });
    if (value.producer != NodeId::none && !alive_[index_of(value.producer)]) value.producer = NodeId::none;
  }
  for (const NodeId id : ids) nodes_[index_of(id)] = Node();
  std::erase_if(order_, [&](NodeId id) { return !alive_[index_of(id)]; });
}

void Graph::replace_node(NodeId at, Node node) {
  Node& slot = nodes_[index_of(at)];
  disconnect(slot);
  node.id = at;
  if (node.explicit_inputs == 0) node.explicit_inputs = static_cast<int32_t>(node.inputs.size());
  slot = std::move(node);
  connect(slot);
}

void Graph::disconnect_node(NodeId id) {
  Node& node = nodes_[index_of(id)];
  disconnect(node);
  node.inputs.clear();
  node.outputs.clear();
  node.explicit_inputs = 0;
}

void Graph::reorder(std::vector<NodeId> order) {
  std::vector<bool> seen(nodes_.size(), false);
  for (const NodeId id : order) {
    if (!alive_[index_of(id)] || seen[index_of(id)])
      fail(ErrorCode::internal, "an order holds a node twice or a dead one");
    seen[index_of(id)] = true;
  }
  if (order.size() != order_.size()) fail(ErrorCode::internal, "an order leaves nodes out");
  order_ = std::move(order);
}

void Graph::set_node_inputs(NodeId id, std::vector<ValueId> inputs, int32_t explicit_inputs) {
  Node changed = std::move(nodes_[index_of(id)]);
  disconnect(changed);
  changed.inputs = std::move(inputs);
  changed.explicit_inputs = explicit_inputs;
  nodes_[index_of(id)] = std::move(changed);
  connect(nodes_[index_of(id)]);
}

void Graph::set_node_input(NodeId id, size_t position, ValueId to) {
  Node& changed = nodes_[index_of(id)];
  const ValueId from = changed.inputs[position];
  if (from == to) return;
  if (from != ValueId::none) {
    auto& consumers = values_[index_of(from)].consumers;
    const auto found = std::ranges::find(consumers, id);
    *found = consumers.back();
    consumers.pop_back();
  }
  changed.inputs[position] = to;
  if (to != ValueId::none) values_[index_of(to)].consumers.push_back(id);
}

void Graph::replace_uses(ValueId from, ValueId to) {
  if (from == to) return;
  std::vector<NodeId> consumers = std::move(values_[index_of(from)].consumers);
  values_[index_of(from)].consumers.clear();
  for (const NodeId consumer : consumers) {
    std::ranges::replace(nodes_[index_of(consumer)].inputs, from, to);
  }
  auto& taken = values_[index_of(to)].consumers;
  taken.insert(taken.end(), consumers.begin(), consumers.end());
  int32_t& output_uses = values_[index_of(from)].output_uses;
  if (output_uses == 0) return;
  std::ranges::replace(outputs_, from, to);
  values_[index_of(to)].output_uses += std::exchange(output_uses, 0);
}

}  // namespace overt
