#ifndef OVERT_GRAPH_GRAPH_H_
#define OVERT_GRAPH_GRAPH_H_

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/node.h"
#include "graph/value.h"

namespace overt {

/// How a value of the enclosing graph enters a subgraph: input `node_input` of the node that owns the
/// subgraph is `inner` inside it.
struct Capture {
  int32_t node_input = 0;
  ValueId inner = ValueId::none;
};

/// A node of the file that is no longer in the graph, and why ("folded into a constant", "identity").
struct RemovedNode {
  int32_t source = 0;  ///< index into Model::source_nodes
  std::string reason;
};

/// Nodes and values in vectors, addressed by ids that stay valid as long as the thing exists.
///
/// Every change goes through a member function; producers and consumers are always in step. `order()` is
/// topological after `sort()`, and stays so where an edit says that it keeps the order. A graph owns its
/// subgraphs (attributes) and the parts of fused nodes. Not synchronised.
class Graph {
 public:
  Graph() = default;
  Graph(Graph&&) noexcept = default;
  Graph& operator=(Graph&&) noexcept = default;
  Graph clone() const;  ///< deep; constants share their memory

  std::string name;
  std::vector<Capture> captures;     ///< of a subgraph; empty in a main graph
  std::vector<RemovedNode> removed;  ///< what passes took out

  // Reading.
  std::span<const ValueId> inputs() const { return inputs_; }
  std::span<const ValueId> outputs() const { return outputs_; }
  const Value& value(ValueId id) const { return values_[index_of(id)]; }
  const Node& node(NodeId id) const { return nodes_[index_of(id)]; }
  bool is_alive(NodeId id) const { return alive_[index_of(id)]; }
  size_t value_count() const { return values_.size(); }     ///< ids are below this
  size_t node_slots() const { return nodes_.size(); }       ///< ids are below this; some are dead
  std::span<const NodeId> order() const { return order_; }  ///< live nodes
  bool is_output(ValueId id) const { return value(id).output_uses > 0; }
  ValueId find_value(std::string_view name) const;  ///< linear; `none` where there is none
  /// The node that makes the value, or null (input, constant).
  const Node* producer(ValueId id) const;
  /// The only consumer, or null where there are several, none, or the value is a graph output.
  const Node* only_consumer(ValueId id) const;

  // Changing.
  ValueId add_value(std::string name, ValueInfo info = {});
  ValueId add_constant(std::string name, Tensor constant);  ///< fills info, elements included
  void add_input(ValueId id) { inputs_.push_back(id); }
  void add_output(ValueId id);
  void set_output(size_t position, ValueId id);
  void set_inputs(std::vector<ValueId> ids) { inputs_ = std::move(ids); }
  ValueInfo& info(ValueId id) { return values_[index_of(id)].info; }
  void rename_value(ValueId id, std::string name) { values_[index_of(id)].name = std::move(name); }
  /// Makes the value a constant: its producer must be gone or go (see remove_node).
  void set_constant(ValueId id, Tensor constant);
  /// Adds a node at the end of the order. Its outputs must have no producer (Error internal otherwise).
  /// `node.id` is given here. With explicit_inputs == 0 and inputs not empty, all inputs are explicit.
  NodeId add_node(Node node);
  /// Adds a node just before another in the order.
  NodeId insert_node_before(NodeId before, Node node);
  /// Takes the node out; its outputs lose their producer. Sources are the caller's to hand on.
  void remove_node(NodeId id);
  /// Many at once, in time linear in the graph.
  void remove_nodes(std::span<const NodeId> ids);
  /// Puts another node in the place of `at`: it gets that id and that position in the order. Its inputs must be
  /// made before. Values that only the old node made lose their producer.
  void replace_node(NodeId at, Node node);
  /// Takes the node's edges away and leaves it in the order, without inputs and outputs, for `remove_nodes` to
  /// take out together with others.
  void disconnect_node(NodeId id);
  /// Gives the live nodes another order, which must hold each of them once (Error internal otherwise).
  void reorder(std::vector<NodeId> order);
  void set_node_input(NodeId id, size_t position, ValueId value);
  void set_node_inputs(NodeId id, std::vector<ValueId> inputs, int32_t explicit_inputs);
  /// Every use of `from`, graph outputs included, becomes a use of `to`. (A graph output keeps its position;
  /// its name is position-bound in Model, so renaming is not needed.)
  void replace_uses(ValueId from, ValueId to);
  /// Edits what does not touch edges: attributes, epilogue, name, sources.
  Node& edit_node(NodeId id) { return nodes_[index_of(id)]; }
  /// Puts the order in topological order, keeping the present order where it may (Kahn, linear time, no
  /// recursion). Throws Error(invalid_model) naming the nodes of one cycle.
  void sort();

 private:
  void connect(const Node& node);
  void disconnect(const Node& node);

  std::vector<Value> values_;
  std::vector<Node> nodes_;
  std::vector<bool> alive_;
  std::vector<NodeId> order_;
  std::vector<ValueId> inputs_;
  std::vector<ValueId> outputs_;
};

/// Checks what every graph must satisfy: ids in range, one producer for each value, order topological,
/// consumers in step, outputs produced, fused nodes' parts with matching arity, subgraphs likewise.
/// Throws Error(internal), naming the stage that broke it.
void verify(const Graph& graph, std::string_view stage);

/// One line per node: `%7:float32 [1, 16, 208, 208] = Conv-11(%3, %w1, %b1) {strides=[2, 2]} 'stem'`,
/// equal for equal graphs. Subgraphs and parts are indented below.
std::string dump(const Graph& graph);

}  // namespace overt

#endif  // OVERT_GRAPH_GRAPH_H_
