// The structure of graphs: order, names, subgraphs and their captures, and sizes that grow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "onnx/test_writer.h"

namespace overt {
namespace {

using test::graph_attribute;
using test::load;
using test::load_outcome;
using test::Message;
using test::model;
using test::node;
using test::TestGraph;
using test::value;
using test::x_to_y;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> op_types(const Graph& graph) {
  std::vector<std::string> types;
  for (const NodeId id : graph.order()) types.push_back(graph.node(id).op.type);
  return types;
}

TEST(Structure, unsorted_nodes_are_sorted) {
  const Model model =
      load(x_to_y({node("Neg", {"b"}, {"y"}), node("Exp", {"a"}, {"b"}), node("Relu", {"x"}, {"a"})}));
  verify(model.graph, "load");
  EXPECT_THAT(op_types(model.graph), ElementsAre("Relu", "Exp", "Neg"));
  EXPECT_THAT(model.graph.node(model.graph.order()[0]).sources, ElementsAre(2));
}

TEST(Structure, cycles_are_refused_with_their_nodes) {
  EXPECT_EQ(
      load_outcome(x_to_y({node("Add", {"x", "b"}, {"a"}), node("Relu", {"a"}, {"b"}), node("Neg", {"b"}, {"y"})})),
      "invalid_model: the graph has a cycle: Relu 'b' -> Add 'a' -> Relu 'b'; a node may read only what comes "
      "before it");
  EXPECT_THAT(load_outcome(x_to_y({node("Add", {"x", "y"}, {"y"})})), HasSubstr("cycle: Add 'y' -> Add 'y'"));
}

TEST(Structure, undefined_names_are_refused_with_the_nearest) {
  EXPECT_EQ(load_outcome(x_to_y({node("Relu", {"xx"}, {"y"})})),
            "invalid_model: Relu 'y' reads 'xx' as input 0, which nothing gives; did you mean 'x'?");
  EXPECT_EQ(load_outcome(model(TestGraph{.inputs = {value("x")}, .outputs = {value("scores")}})),
            "invalid_model: graph output 'scores' is produced by nothing");
}

TEST(Structure, names_given_twice_are_refused) {
  EXPECT_EQ(load_outcome(x_to_y({node("Relu", {"x"}, {"y"}), node("Exp", {"x"}, {"y"})})),
            "invalid_model: the name 'y' is given twice, again by Exp 'y': each value needs its own");
  EXPECT_THAT(load_outcome(x_to_y({node("Split", {"x"}, {"y", "y"})})), HasSubstr("'y' is given twice"));
  EXPECT_THAT(load_outcome(x_to_y({node("Relu", {"x"}, {"x"})})), HasSubstr("'x' is given twice"));
  EXPECT_THAT(load_outcome(model(TestGraph{.inputs = {value("x"), value("x")}, .outputs = {value("x")}})),
              HasSubstr("again by a graph input"));
  EXPECT_THAT(load_outcome(model(TestGraph{.inputs = {value("x")}, .outputs = {value("x"), value("x")}})),
              HasSubstr("again by a graph output"));
  EXPECT_THAT(
      load_outcome(model(TestGraph{
          .inputs = {value("x")}, .outputs = {value("x")}, .initializers = {test::scalar("w"), test::scalar("w")}})),
      HasSubstr("again by an initializer"));
  EXPECT_THAT(load_outcome(model(TestGraph{.inputs = {value("x")},
                                           .outputs = {value("y")},
                                           .nodes = {node("Relu", {"x"}, {"y"})},
                                           .initializers = {test::scalar("y")}})),
              HasSubstr("'y' is given twice"));
}

TEST(Structure, nameless_inputs_and_initializers_are_refused) {
  EXPECT_THAT(load_outcome(model(TestGraph{.inputs = {value("")}, .outputs = {value("x")}})),
              HasSubstr("has no name"));
  EXPECT_THAT(load_outcome(model(
                  TestGraph{.inputs = {value("x")}, .outputs = {value("x")}, .initializers = {test::scalar("")}})),
              HasSubstr("the initializer at byte "));
}

TEST(Structure, a_graph_may_hand_on_its_inputs_and_constants) {
  const Model model = load(test::model(
      TestGraph{.inputs = {value("x")}, .outputs = {value("x"), value("w")}, .initializers = {test::scalar("w")}}));
  verify(model.graph, "load");
  EXPECT_EQ(model.graph.outputs()[0], model.graph.inputs()[0]);
  EXPECT_TRUE(model.graph.value(model.graph.outputs()[1]).is_constant());
}

TEST(Structure, left_out_inputs_and_outputs_have_no_value) {
  const Model model = load(x_to_y({node("Clip", {"x", "", "x"}, {"y"}), node("TopK", {"x"}, {"", "i"})}));
  const Node& clip = model.graph.node(model.graph.order()[0]);
  EXPECT_FALSE(clip.has_input(1));
  EXPECT_EQ(clip.explicit_inputs, 3);
  EXPECT_FALSE(model.graph.node(model.graph.order()[1]).has_output(0));
}

// Subgraphs.

Message if_node(const Message& branch, const std::string& output) {
  return node("If", {"c"}, {output},
              {graph_attribute("then_branch", branch), graph_attribute("else_branch", branch)});
}
Message if_model(const Message& branch, const std::vector<Message>& more_nodes = {}) {
  std::vector<Message> nodes = {if_node(branch, "y")};
  nodes.insert(nodes.end(), more_nodes.begin(), more_nodes.end());
  return model(TestGraph{.inputs = {value("c", {}, 9), value("x")},
                         .outputs = {value("y")},
                         .nodes = nodes,
                         .initializers = {test::scalar("w", 3)}});
}

TEST(Structure, subgraphs_capture_outer_values_and_share_outer_constants) {
  const Message branch = TestGraph{
      .outputs = {value("z")},
      .nodes = {node("Add", {"x", "w"}, {"t"}), node("Mul", {"t", "v"}, {"z"})},
      .initializers = {test::scalar("v", 2)},
  };
  const Model model = load(if_model(branch));
  verify(model.graph, "load");
  const Node& chosen = model.graph.node(model.graph.order()[0]);
  EXPECT_EQ(chosen.explicit_inputs, 1);
  EXPECT_THAT(chosen.inputs, ElementsAre(model.graph.find_value("c"), model.graph.find_value("x")));
  for (const char* name : {"then_branch", "else_branch"}) {
    const Graph& graph = *chosen.subgraph(name);
    ASSERT_EQ(graph.captures.size(), 1u);
    EXPECT_EQ(graph.captures[0].node_input, 1);
    EXPECT_EQ(graph.captures[0].inner, graph.find_value("x"));
    EXPECT_THAT(graph.inputs(), ElementsAre(graph.find_value("x")));
    EXPECT_EQ(graph.value(graph.find_value("x")).info.to_string(), "float32 [1]");
    EXPECT_THAT(graph.value(graph.find_value("w")).constant.values<float>(), ElementsAre(3));
    EXPECT_THAT(graph.value(graph.find_value("v")).constant.values<float>(), ElementsAre(2));
  }
  ASSERT_EQ(model.source_nodes.size(), 5u);
  EXPECT_EQ(model.source_nodes[1].op_type, "Add");
  const Graph& branch_graph = *chosen.subgraph("else_branch");
  EXPECT_THAT(branch_graph.node(branch_graph.order()[1]).sources, ElementsAre(4));
}

TEST(Structure, captures_pass_through_each_level) {
  const Message innermost = TestGraph{.outputs = {value("z2")}, .nodes = {node("Relu", {"x"}, {"z2"})}};
  const Message middle = TestGraph{.outputs = {value("z1")}, .nodes = {if_node(innermost, "z1")}};
  const Model model = load(if_model(middle));
  verify(model.graph, "load");
  const Graph& graph = *model.graph.node(model.graph.order()[0]).subgraph("then_branch");
  EXPECT_EQ(graph.captures.size(), 2u);  // c and x
  const Node& inner_if = graph.node(graph.order()[0]);
  EXPECT_THAT(inner_if.inputs, ElementsAre(graph.find_value("c"), graph.find_value("x")));
  EXPECT_EQ(inner_if.subgraph("then_branch")->captures.size(), 1u);
}

TEST(Structure, loop_bodies_have_formal_inputs_before_captures) {
  const Message body = TestGraph{.inputs = {value("i", {}, 7), value("keep", {}, 9), value("state")},
                                 .outputs = {value("keep"), value("next")},
                                 .nodes = {node("Add", {"state", "x"}, {"next"})}};
  const Model model =
      load(test::model(TestGraph{.inputs = {value("x")},
                                 .outputs = {value("y")},
                                 .nodes = {node("Loop", {"", "", "x"}, {"y"}, {graph_attribute("body", body)})}}));
  verify(model.graph, "load");
  const Node& loop = model.graph.node(model.graph.order()[0]);
  EXPECT_EQ(loop.explicit_inputs, 3);
  EXPECT_EQ(loop.inputs.size(), 4u);
  const Graph& graph = *loop.subgraph("body");
  EXPECT_EQ(graph.inputs().size(), 4u);
  EXPECT_EQ(graph.captures[0].node_input, 3);
  EXPECT_EQ(graph.captures[0].inner, graph.inputs()[3]);
}

TEST(Structure, a_branch_may_hand_on_an_outer_value) {
  const Model model = load(if_model(TestGraph{.outputs = {value("x")}}));
  verify(model.graph, "load");
  const Graph& graph = *model.graph.node(model.graph.order()[0]).subgraph("then_branch");
  EXPECT_EQ(graph.outputs()[0], graph.inputs()[0]);
}

TEST(Structure, node_outputs_that_hide_outer_names_are_refused) {
  EXPECT_EQ(load_outcome(if_model(TestGraph{.outputs = {value("x")}, .nodes = {node("Relu", {"w"}, {"x"})}})),
            "invalid_model: Relu 'x' in a subgraph gives 'x', a name that is taken outside it");
  const Message hides_later = TestGraph{.outputs = {value("later")}, .nodes = {node("Relu", {"x"}, {"later"})}};
  EXPECT_EQ(load_outcome(if_model(hides_later, {node("Relu", {"x"}, {"later"})})), "loaded");
}

TEST(Structure, subgraph_inputs_that_hide_outer_names_are_accepted_with_a_warning) {
  const Message body = TestGraph{.inputs = {value("i", {}, 7), value("keep", {}, 9), value("x")},
                                 .outputs = {value("keep"), value("next")},
                                 .nodes = {node("Relu", {"x"}, {"next"})}};
  const Model model = load(x_to_y({node("Loop", {"", "", "x"}, {"y"}, {graph_attribute("body", body)})}));
  EXPECT_THAT(model.warnings, ElementsAre("'x' in subgraph 'g' hides a value of that name outside"));
}

TEST(Structure, subgraphs_are_refused_on_nodes_without_inputs) {
  const Message branch = TestGraph{.outputs = {value("z")}, .nodes = {node("Relu", {"x"}, {"z"})}};
  EXPECT_THAT(load_outcome(x_to_y({node("If", {}, {"y"}, {graph_attribute("then_branch", branch)})})),
              HasSubstr("If 'y' has a subgraph and no inputs"));
}

Message nested_ifs(int depth) {
  Message branch = TestGraph{.outputs = {value("z")}, .nodes = {node("Relu", {"x"}, {"z"})}};
  for (int i = 1; i < depth; ++i) {
    const std::string name = "z" + std::to_string(i);
    branch = TestGraph{.outputs = {value(name)},
                       .nodes = {node("If", {"c"}, {name}, {graph_attribute("then_branch", branch)})}};
  }
  return model(TestGraph{.inputs = {value("c", {}, 9), value("x")},
                         .outputs = {value("y")},
                         .nodes = {node("If", {"c"}, {"y"}, {graph_attribute("then_branch", branch)})}});
}

TEST(Structure, subgraphs_nest_to_32_and_no_further) {
  EXPECT_EQ(load_outcome(nested_ifs(20)), "loaded");
  EXPECT_EQ(load_outcome(nested_ifs(32)), "loaded");
  EXPECT_THAT(load_outcome(nested_ifs(33)),
              HasSubstr("unsupported: subgraphs are nested more than 32 deep, at byte"));
  EXPECT_THAT(load_outcome(nested_ifs(40)), HasSubstr("nested more than 32 deep"));
  EXPECT_THAT(load_outcome(nested_ifs(3000)), HasSubstr("nested more than 32 deep"));
}

// Sizes.

Message chain(int64_t nodes) {
  Message graph;
  for (int64_t i = 0; i < nodes; ++i) {
    Message relu;
    relu.text(1, i == 0 ? "x" : "v" + std::to_string(i - 1));
    relu.text(2, i == nodes - 1 ? "y" : "v" + std::to_string(i)).text(4, "Relu");
    graph.add(1, relu);
  }
  return model(graph.add(11, value("x")).add(12, value("y")));
}

double seconds_to_load(const Message& message) {
  const auto start = std::chrono::steady_clock::now();
  load(message);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(Structure, time_grows_with_the_number_of_nodes_and_no_faster) {
  const double small = seconds_to_load(chain(50'000));
  const double large = seconds_to_load(chain(200'000));
  EXPECT_LT(large, 16 * small + 0.5);  // 4 times as many; quadratic would be 16 times as long, and noise is allowed
}

TEST(Structure, a_million_nodes_load) {
  EXPECT_EQ(load(chain(1'000'000)).graph.order().size(), 1'000'000u);
}

TEST(Structure, a_reversed_chain_is_sorted_in_linear_time) {
  Message graph;
  constexpr int64_t kNodes = 200'000;
  for (int64_t i = kNodes - 1; i >= 0; --i) {
    graph.add(1, Message()
                     .text(1, i == 0 ? "x" : "v" + std::to_string(i - 1))
                     .text(2, i == kNodes - 1 ? "y" : "v" + std::to_string(i))
                     .text(4, "Relu"));
  }
  EXPECT_EQ(load(model(graph.add(11, value("x")).add(12, value("y")))).graph.order().size(), kNodes);
}

TEST(Structure, a_million_attributes_on_one_node_load) {
  Message relu = Message().text(1, "x").text(2, "y").text(4, "Relu");
  for (int i = 0; i < 1'000'000; ++i) relu.add(5, test::int_attribute("a" + std::to_string(i), i));
  EXPECT_EQ(load(x_to_y({relu})).graph.node(NodeId{0}).attributes.size(), 1'000'000u);
}

TEST(Structure, a_name_of_100_megabytes_loads) {
  const std::string name(100 << 20, 'n');
  const Message graph = Message()
                            .add(1, Message().text(1, "x").text(2, "y").text(3, name).text(4, "Relu"))
                            .add(11, value("x"))
                            .add(12, value("y"));
  EXPECT_EQ(load(model(graph)).graph.node(NodeId{0}).name.size(), name.size());
}

}  // namespace
}  // namespace overt
