#include <gtest/gtest.h>

#include "graph/test_builder.h"
#include "overt/error.h"

namespace overt {
namespace {

std::vector<std::string> op_types(const Graph& graph) {
  std::vector<std::string> types;
  for (const NodeId id : graph.order()) types.push_back(graph.node(id).op.type);
  return types;
}

TEST(GraphEdit, replaced_node_keeps_id_and_position_and_hands_its_output_over) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2});
  const ValueId y = b.op("Relu-14", {x});
  b.output(b.op("Neg-13", {y}));
  Graph graph = b.take();
  const NodeId at = graph.value(y).producer;
  Node other;
  other.op = {"", "Abs", 13};
  other.inputs = {x};
  other.outputs = {y};
  graph.replace_node(at, std::move(other));
  verify(graph, "edit");
  EXPECT_EQ(op_types(graph), (std::vector<std::string>{"Abs", "Neg"}));
  EXPECT_EQ(graph.value(y).producer, at);
  EXPECT_EQ(graph.value(x).consumers, std::vector<NodeId>{at});
}

TEST(GraphEdit, disconnected_nodes_hold_no_edges_and_go_together) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2});
  const ValueId y = b.op("Relu-14", {x});
  const ValueId z = b.op("Neg-13", {y});
  b.output(x);
  Graph graph = b.take();
  const std::vector<NodeId> both = {graph.value(y).producer, graph.value(z).producer};
  for (const NodeId id : both) graph.disconnect_node(id);
  EXPECT_TRUE(graph.value(x).consumers.empty());
  graph.remove_nodes(both);
  verify(graph, "edit");
  EXPECT_TRUE(graph.order().empty());
}

TEST(GraphEdit, output_uses_follow_replaced_values) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2});
  const ValueId y = b.op("Identity-16", {x});
  b.output(y);
  b.output(y);
  Graph graph = b.take();
  graph.replace_uses(y, x);
  EXPECT_TRUE(graph.is_output(x));
  EXPECT_FALSE(graph.is_output(y));
  EXPECT_EQ(graph.value(x).output_uses, 2);
  graph.set_output(0, y);
  EXPECT_EQ(graph.value(x).output_uses, 1);
  verify(graph, "edit");
}

TEST(GraphEdit, order_that_leaves_nodes_out_is_refused) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2});
  b.output(b.op("Relu-14", {x}));
  Graph graph = b.take();
  EXPECT_THROW(graph.reorder({}), Error);
  const NodeId only = graph.order()[0];
  EXPECT_THROW(graph.reorder({only, only}), Error);
}

TEST(GraphEdit, node_inputs_are_replaced_as_a_whole) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2});
  const ValueId y = b.input("y", {2});
  const ValueId sum = b.op("Sum-13", {x, y, x});
  b.output(sum);
  Graph graph = b.take();
  graph.set_node_inputs(graph.value(sum).producer, {y}, 1);
  verify(graph, "edit");
  EXPECT_TRUE(graph.value(x).consumers.empty());
  EXPECT_EQ(graph.value(y).consumers.size(), 1u);
}

}  // namespace
}  // namespace overt
