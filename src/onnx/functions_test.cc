#include "onnx/functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/test_writer.h"

namespace overt {
namespace {

using test::function;
using test::graph_attribute;
using test::load;
using test::load_outcome;
using test::Message;
using test::node;
using test::TestGraph;
using test::value;
using test::x_to_y;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

Message call(std::string_view name, const test::Names& inputs, const test::Names& outputs,
             const std::vector<Message>& attributes = {}) {
  return node(name, inputs, outputs, attributes, "local");
}

std::vector<std::string> node_names(const Graph& graph) {
  std::vector<std::string> names;
  for (const NodeId id : graph.order()) names.push_back(graph.node(id).name);
  return names;
}

TEST(Functions, a_call_becomes_the_functions_nodes) {
  const Message twice = function("Twice", {"a"}, {"b"}, {node("Relu", {"a"}, {"t"}), node("Neg", {"t"}, {"b"})});
  const Model model =
      load(x_to_y({node("Exp", {"x"}, {"e"}), call("Twice", {"e"}, {"m"}), call("Twice", {"m"}, {"y"})}, {twice}));
  verify(model.graph, "load");
  EXPECT_THAT(node_names(model.graph), ElementsAre("e", "m/t", "m/b", "y/t", "y/b"));
  EXPECT_EQ(model.source_nodes.size(), 3u);
  const Node& relu = model.graph.node(model.graph.order()[3]);
  EXPECT_THAT(relu.sources, ElementsAre(2));
  EXPECT_EQ(relu.inputs[0], model.graph.find_value("m"));
  EXPECT_EQ(model.graph.value(relu.outputs[0]).name, "y/t");
  EXPECT_EQ(relu.op.since_version, 17);
}

TEST(Functions, nest_and_may_be_called_from_subgraphs) {
  const Message inner = function("Inner", {"a"}, {"b"}, {node("Relu", {"a"}, {"b"})});
  const Message outer = function("Outer", {"a"}, {"b"}, {call("Inner", {"a"}, {"t"}), node("Neg", {"t"}, {"b"})});
  const Message branch = TestGraph{.outputs = {value("z")}, .nodes = {call("Outer", {"x"}, {"z"})}};
  const Model model =
      load(test::model(TestGraph{.inputs = {value("c", {}, 9), value("x")},
                                 .outputs = {value("y")},
                                 .nodes = {node("If", {"c"}, {"y"}, {graph_attribute("then_branch", branch)})}},
                       {outer, inner}));
  verify(model.graph, "load");
  const Graph& graph = *model.graph.node(model.graph.order()[0]).subgraph("then_branch");
  EXPECT_THAT(node_names(graph), ElementsAre("z/t/b", "z/b"));
  EXPECT_EQ(graph.captures.size(), 1u);
  EXPECT_THAT(graph.node(graph.order()[0]).sources, ElementsAre(1));
}

TEST(Functions, subgraphs_in_functions_capture_the_functions_values) {
  const Message branch = TestGraph{
      .outputs = {value("z")}, .nodes = {node("Add", {"a", "w"}, {"z"})}, .initializers = {test::scalar("w", 4)}};
  const Message choose =
      function("Choose", {"a", "q"}, {"b"}, {node("If", {"q"}, {"b"}, {graph_attribute("then_branch", branch)})});
  const Model model =
      load(test::model(TestGraph{.inputs = {value("c", {}, 9), value("x")},
                                 .outputs = {value("y")},
                                 .nodes = {call("Choose", {"x", "c"}, {"m"}), call("Choose", {"m", "c"}, {"y"})}},
                       {choose}));
  verify(model.graph, "load");
  const Node& second = model.graph.node(model.graph.order()[1]);
  EXPECT_THAT(second.inputs, ElementsAre(model.graph.find_value("c"), model.graph.find_value("m")));
  const auto weight = [&](size_t i, std::string_view name) {
    const Graph& graph = *model.graph.node(model.graph.order()[i]).subgraph("then_branch");
    return graph.value(graph.find_value(name)).constant;
  };
  EXPECT_THAT(weight(0, "m/w").values<float>(), ElementsAre(4));
  EXPECT_EQ(weight(0, "m/w").data(), weight(1, "y/w").data());  // read once
}

TEST(Functions, attributes_are_given_defaulted_or_left_out) {
  const Message leaky = function("Leaky", {"a"}, {"b"},
                                 {node("LeakyRelu", {"a"}, {"b"},
                                       {test::reference("alpha", 1, "slope"), test::reference("beta", 2, "extra"),
                                        test::reference("gamma", 2, "none")})},
                                 {"slope", "none"}, {test::int_attribute("extra", 7)});
  const Model model =
      load(x_to_y({call("Leaky", {"x"}, {"y"}, {test::attribute("slope", 1).real(2, 0.25f)})}, {leaky}));
  const Node& expanded = model.graph.node(model.graph.order()[0]);
  EXPECT_EQ(expanded.real("alpha", 0), 0.25f);
  EXPECT_EQ(expanded.integer("beta", 0), 7);
  EXPECT_FALSE(expanded.has_attribute("gamma"));

  // Handed on through a second function under another name.
  const Message outer =
      function("Outer", {"a"}, {"b"}, {call("Leaky", {"a"}, {"b"}, {test::reference("slope", 1, "outer_slope")})},
               {"outer_slope"});
  const Model nested =
      load(x_to_y({call("Outer", {"x"}, {"y"}, {test::attribute("outer_slope", 1).real(2, 0.5f)})}, {leaky, outer}));
  EXPECT_EQ(nested.graph.node(nested.graph.order()[0]).real("alpha", 0), 0.5f);
}

TEST(Functions, bad_references_and_attributes_are_refused) {
  const auto outcome = [](const Message& body_node, const std::vector<Message>& given) {
    return load_outcome(
        x_to_y({call("F", {"x"}, {"y"}, given)}, {function("F", {"a"}, {"b"}, {body_node}, {"slope"})}));
  };
  EXPECT_THAT(outcome(node("Relu", {"a"}, {"b"}, {test::reference("alpha", 1, "slop")}), {}),
              HasSubstr("refers to the function attribute 'slop', which the function does not have"));
  EXPECT_THAT(
      outcome(node("Relu", {"a"}, {"b"}, {test::reference("alpha", 1, "slope")}), {test::int_attribute("slope", 1)}),
      HasSubstr("which the call gives as int, expected float"));
  EXPECT_THAT(outcome(node("Relu", {"a"}, {"b"}, {test::reference("alpha", 1, "slope").real(2, 1)}), {}),
              HasSubstr("and has a value of its own"));
  EXPECT_THAT(outcome(node("Relu", {"a"}, {"b"}), {test::int_attribute("slipe", 1)}),
              HasSubstr("F 'y' gives the attribute 'slipe', which function 'F' does not have"));
  EXPECT_THAT(outcome(node("Relu", {"a"}, {"b"}), {graph_attribute("slope", TestGraph{})}),
              HasSubstr("unsupported: F 'y' gives function 'F' a graph as the attribute 'slope'"));
}

TEST(Functions, inputs_and_outputs_may_be_left_out) {
  const Message clip = function("C", {"a", "low", "high"}, {"b", "unused"},
                                {node("Clip", {"a", "low", "high"}, {"b"}), node("Neg", {"a"}, {"unused"})});
  const Model model = load(x_to_y({call("C", {"x", "", "x"}, {"y"})}, {clip}));
  verify(model.graph, "load");
  const Node& node = model.graph.node(model.graph.order()[0]);
  EXPECT_FALSE(node.has_input(1));
  EXPECT_TRUE(node.has_input(2));
  EXPECT_THAT(load_outcome(x_to_y({call("C", {"x", "x", "x", "x"}, {"y"})}, {clip})),
              HasSubstr("C 'y' has 4 inputs and 1 outputs, function 'C' takes 3 and gives 2"));
}

TEST(Functions, an_input_that_is_an_output_is_copied) {
  const Message pass = function("Pass", {"a"}, {"a"}, {});
  const Model model = load(x_to_y({call("Pass", {"x"}, {"y"})}, {pass}));
  verify(model.graph, "load");
  EXPECT_EQ(model.graph.node(model.graph.order()[0]).op.type, "Identity");
  EXPECT_THAT(load_outcome(x_to_y({call("Pass", {""}, {"y"})}, {pass})), HasSubstr("not given by the call"));
}

TEST(Functions, bodies_see_only_their_own_names) {
  EXPECT_THAT(
      load_outcome(x_to_y({call("F", {"x"}, {"y"})}, {function("F", {"a"}, {"b"}, {node("Relu", {"x"}, {"b"})})})),
      HasSubstr("Relu 'b' reads 'x' as input 0, which nothing gives"));
  EXPECT_THAT(load_outcome(x_to_y({call("F", {"x"}, {"y"})}, {function("F", {"a"}, {"b"}, {})})),
              HasSubstr("function 'F': 'b' is an output that nothing gives"));
  EXPECT_THAT(load_outcome(x_to_y({call("F", {"x", "x"}, {"y"})},
                                  {function("F", {"a", "a"}, {"b"}, {node("Relu", {"a"}, {"b"})})})),
              HasSubstr("'a' is an input twice"));
}

TEST(Functions, a_function_may_take_the_place_of_an_operator) {
  Message relu = function("Relu", {"a"}, {"b"}, {node("Neg", {"a"}, {"b"})});
  relu.text(10, "ai.onnx");
  const Model model = load(x_to_y({node("Relu", {"x"}, {"y"})}, {relu}));
  EXPECT_EQ(model.graph.node(model.graph.order()[0]).op.type, "Neg");
}

TEST(Functions, overloads_are_told_apart) {
  const Message first = function("F", {"a"}, {"b"}, {node("Neg", {"a"}, {"b"})});
  const Message second = function("F", {"a"}, {"b"}, {node("Exp", {"a"}, {"b"})}).text(13, "other");
  const Model model = load(x_to_y({call("F", {"x"}, {"y"}).text(8, "other")}, {first, second}));
  EXPECT_EQ(model.graph.node(model.graph.order()[0]).op.type, "Exp");
  EXPECT_EQ(load_outcome(x_to_y({call("F", {"x"}, {"y"}).text(8, "third")}, {first, second})),
            "invalid_model: F 'y' names the overload 'third', which no function of the model has");
  EXPECT_THAT(load_outcome(x_to_y({call("F", {"x"}, {"y"})}, {first, first})),
              HasSubstr("the function local.F is defined twice, again at byte"));
}

TEST(Functions, recursion_is_refused_with_its_circle) {
  const Message self = function("Self", {"a"}, {"b"}, {call("Self", {"a"}, {"b"})});
  EXPECT_EQ(load_outcome(x_to_y({call("Self", {"x"}, {"y"})}, {self})),
            "invalid_model: functions call each other in a circle: local.Self -> local.Self");
  const Message a = function("A", {"a"}, {"b"}, {call("B", {"a"}, {"b"})});
  const Message b = function("B", {"a"}, {"b"}, {call("A", {"a"}, {"b"})});
  EXPECT_EQ(load_outcome(x_to_y({call("A", {"x"}, {"y"})}, {a, b})),
            "invalid_model: functions call each other in a circle: local.A -> local.B -> local.A");
  const Message branch = TestGraph{.outputs = {value("z")}, .nodes = {call("Deep", {"a"}, {"z"})}};
  const Message deep =
      function("Deep", {"a"}, {"b"}, {node("If", {"a"}, {"b"}, {graph_attribute("then_branch", branch)})});
  EXPECT_THAT(load_outcome(x_to_y({call("Deep", {"x"}, {"y"})}, {deep})), HasSubstr("local.Deep -> local.Deep"));
}

/// F0 is one node, and each further function calls the one before twice.
Message doubling(int levels) {
  std::vector<Message> functions = {function("F0", {"a"}, {"b"}, {node("Relu", {"a"}, {"b"})})};
  for (int i = 1; i <= levels; ++i) {
    const std::string before = "F" + std::to_string(i - 1);
    functions.push_back(
        function("F" + std::to_string(i), {"a"}, {"b"}, {call(before, {"a"}, {"t"}), call(before, {"t"}, {"b"})}));
  }
  return x_to_y({call("F" + std::to_string(levels), {"x"}, {"y"})}, functions);
}

TEST(Functions, doubling_is_counted_before_it_is_done) {
  const int64_t before = test::peak_memory();
  EXPECT_EQ(load(doubling(10)).graph.order().size(), 1024u);
  EXPECT_EQ(load_outcome(doubling(22)),
            "unsupported: the model's functions expand 46 nodes to 4194304, and 56000 are allowed");
  EXPECT_THAT(load_outcome(doubling(40)), HasSubstr("expand 82 nodes to 1099511627776, and 92000 are allowed"));
  EXPECT_THAT(load_outcome(doubling(90)), HasSubstr("expand 182 nodes to more than 2^63"));
  EXPECT_LT(test::peak_memory() - before, 64 << 20);
}

TEST(Functions, long_attributes_are_not_multiplied_without_limit) {
  const Message ints = test::attribute("ints", 7).packed(8, std::vector<int64_t>(100'000, 1));
  std::vector<Message> calls;
  for (int i = 0; i < 5000; ++i) {
    calls.push_back(call("F", {"x"}, {i == 0 ? "y" : "y" + std::to_string(i)}));
  }
  EXPECT_THAT(load_outcome(x_to_y(calls, {function("F", {"a"}, {"b"}, {node("Relu", {"a"}, {"b"}, {ints})})})),
              HasSubstr("unsupported: the model's functions expand to 500"));
}

TEST(Functions, deep_chains_and_subgraphs_across_functions_are_bounded) {
  std::vector<Message> functions = {function("F0", {"a"}, {"b"}, {node("Relu", {"a"}, {"b"})})};
  for (int i = 1; i <= 200; ++i) {
    functions.push_back(
        function("F" + std::to_string(i), {"a"}, {"b"}, {call("F" + std::to_string(i - 1), {"a"}, {"b"})}));
  }
  EXPECT_EQ(load_outcome(x_to_y({call("F90", {"x"}, {"y"})}, functions)), "loaded");
  EXPECT_EQ(load_outcome(x_to_y({call("F200", {"x"}, {"y"})}, functions)),
            "unsupported: functions call each other 201 deep, and 100 are allowed");

  std::vector<Message> nested = {function("G0", {"a"}, {"b"}, {node("Relu", {"a"}, {"b"})})};
  for (int i = 1; i <= 40; ++i) {
    const Message branch =
        TestGraph{.outputs = {value("z")}, .nodes = {call("G" + std::to_string(i - 1), {"a"}, {"z"})}};
    nested.push_back(function("G" + std::to_string(i), {"a"}, {"b"},
                              {node("If", {"a"}, {"b"}, {graph_attribute("then_branch", branch)})}));
  }
  EXPECT_EQ(load_outcome(x_to_y({call("G32", {"x"}, {"y"})}, nested)), "loaded");
  EXPECT_EQ(load_outcome(x_to_y({call("G33", {"x"}, {"y"})}, nested)),
            "unsupported: subgraphs are nested 33 deep when functions are expanded, and 32 are allowed");
}

TEST(Functions, long_names_do_not_multiply) {
  const std::string name(1 << 20, 'n');
  std::vector<Message> body;
  for (int i = 0; i < 500; ++i) body.push_back(node("Relu", {"a"}, {i == 0 ? "b" : "b" + std::to_string(i)}));
  const int64_t before = test::peak_memory();
  const Message message = x_to_y({call("F", {"x"}, {"y"}).text(3, name)}, {function("F", {"a"}, {"b"}, body)});
  const Model model = load(message);
  EXPECT_LT(model.graph.node(model.graph.order()[0]).name.size(), 300u);
  EXPECT_LT(test::peak_memory() - before, 64 << 20);
}

}  // namespace
}  // namespace overt
