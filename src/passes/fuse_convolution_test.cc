#include "passes/fuse.h"
#include "passes/test_support.h"

namespace overt {
namespace {

using testing::ElementsAre;

/// A convolution of [1, 2, 4, 4] to [1, 3, 4, 4].
ValueId conv3(GraphBuilder& b, ValueId x, bool with_bias = true) {
  std::vector<ValueId> inputs = {x, b.weights({3, 2, 3, 3})};
  if (with_bias) inputs.push_back(b.floats({3}, {0.5f, -0.25f, 1.0f}));
  return b.op("Conv-11", inputs, attr("pads", {1, 1, 1, 1}));
}

TEST(FuseConvolution, activation_becomes_the_epilogue) {
  GraphBuilder b;
  const ValueId x = b.input("x", {1, 2, 4, 4});
  b.output(b.op("LeakyRelu-16", {conv3(b, x)}, attr("alpha", 0.25)));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  EXPECT_TRUE(run_pass(graph, &fuse_convolution).changed);
  EXPECT_THAT(ops_of(graph), ElementsAre("overt.Conv"));
  const Node& fused = node_at(graph, 0);
  EXPECT_EQ(to_string(fused.epilogue), "leaky_relu(0.25)");
  EXPECT_EQ(fused.name, "Conv_0");
  EXPECT_EQ(fused.inputs.size(), 3u);
  EXPECT_THAT(fused.sources, ElementsAre(0, 1));
  EXPECT_THAT(ops_of(*fused.parts), ElementsAre("Conv", "LeakyRelu"));
  expect_same_results(before, graph);
}

TEST(FuseConvolution, clip_bounds_are_constants_of_the_parts) {
  GraphBuilder b;
  const ValueId x = b.input("x", {1, 2, 4, 4});
  b.output(b.op("Clip-13", {conv3(b, x), b.scalar(0.0f), b.scalar(6.0f)}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &fuse_convolution);
  EXPECT_EQ(to_string(node_at(graph, 0).epilogue), "clip(0, 6)");
  EXPECT_EQ(node_at(graph, 0).inputs.size(), 3u);
  expect_same_results(before, graph);
}

TEST(FuseConvolution, residual_before_the_activation_is_an_operand_and_a_missing_bias_stays_missing) {
  GraphBuilder b;
  const ValueId x = b.input("x", {1, 2, 4, 4});
  const ValueId r = b.input("r", {1, 3, 4, 4});
  b.output(b.op("Relu-14", {b.op("Add-14", {r, conv3(b, x, /*with_bias=*/false)})}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &fuse_convolution);
  EXPECT_THAT(ops_of(graph), ElementsAre("overt.Conv"));
  EXPECT_EQ(to_string(node_at(graph, 0).epilogue), "add(input 3), relu");
  EXPECT_EQ(node_at(graph, 0).inputs[2], ValueId::none);
  EXPECT_EQ(node_at(graph, 0).inputs[3], r);
  expect_same_results(before, graph);
}

TEST(FuseConvolution, residual_after_the_activation_may_be_the_input_itself) {
  GraphBuilder b;
  const ValueId x = b.input("x", {1, 3, 4, 4});
  const ValueId y = b.op("Conv-11", {x, b.weights({3, 3, 1, 1})});
  b.output(b.op("Add-14", {b.op("Sigmoid-13", {y}), x}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &fuse_convolution);
  EXPECT_EQ(to_string(node_at(graph, 0).epilogue), "sigmoid, add(input 3)");
  expect_same_results(before, graph);
}

TEST(FuseConvolution, of_two_convolutions_in_one_sum_the_later_takes_it) {
  GraphBuilder b;
  const ValueId x = b.input("x", {1, 2, 4, 4});
  const ValueId first = conv3(b, x);
  const ValueId second = conv3(b, x);
  b.output(b.op("Relu-14", {b.op("Add-14", {first, second})}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &fuse_convolution);
  EXPECT_THAT(ops_of(graph), ElementsAre("Conv", "overt.Conv"));
  EXPECT_EQ(node_at(graph, 1).name, "Conv_1");
  EXPECT_EQ(node_at(graph, 1).inputs[3], first);
  expect_same_results(before, graph);
}

TEST(FuseConvolution, result_that_is_read_twice_or_is_a_graph_output_stays) {
  GraphBuilder b;
  const ValueId x = b.input("x", {1, 2, 4, 4});
  const ValueId twice = conv3(b, x);
  b.output(b.op("Relu-14", {twice}));
  b.output(b.op("Tanh-13", {twice}));
  const ValueId given = conv3(b, x);
  b.output(given);
  b.output(b.op("Relu-14", {given}));
  Graph graph = inferred(b);
  EXPECT_FALSE(run_pass(graph, &fuse_convolution).changed);
  EXPECT_EQ(graph.order().size(), 5u);
}

TEST(FuseConvolution, sum_with_another_shape_and_clip_with_a_variable_bound_stay) {
  GraphBuilder b;
  const ValueId x = b.input("x", {1, 2, 4, 4});
  const ValueId row = b.input("row", {1, 3, 1, 4});
  const ValueId low = b.input("low", Dims{});
  b.output(b.op("Add-14", {conv3(b, x), row}));
  b.output(b.op("Clip-13", {conv3(b, x), low}));
  Graph graph = inferred(b);
  EXPECT_FALSE(run_pass(graph, &fuse_convolution).changed);
}

TEST(FuseConvolution, sum_that_would_grow_the_result_stays) {
  GraphBuilder b;
  const ValueId x = b.input("x", {1, 2, 4, 4});
  b.output(b.op("Add-14", {conv3(b, x), b.input("more", {2, 3, 4, 4})}));
  Graph graph = inferred(b);
  EXPECT_FALSE(run_pass(graph, &fuse_convolution).changed);
}

TEST(FuseConvolution, symbolic_lengths_that_are_equal_fuse) {
  GraphBuilder b;
  const Dim n = Dim::symbol("N");
  const ValueId x = b.input("x", {n, 2, 4, 4});
  const ValueId r = b.input("r", {n, 3, 4, 4});
  const ValueId other = b.input("other", {Dim::symbol("M"), 3, 4, 4});
  b.output(b.op("Add-14", {conv3(b, x), r}));
  b.output(b.op("Add-14", {conv3(b, x), other}));
  Graph graph = inferred(b);
  run_pass(graph, &fuse_convolution);
  EXPECT_THAT(ops_of(graph), ElementsAre("overt.Conv", "Conv", "Add"));
}

TEST(Fuse, expanding_a_fused_node_gives_the_nodes_back) {
  GraphBuilder b;
  const ValueId x = b.input("x", {1, 2, 4, 4});
  const ValueId r = b.input("r", {1, 3, 4, 4});
  const ValueId y = b.op("Add-14", {b.op("Clip-13", {conv3(b, x, /*with_bias=*/false), b.scalar(0.0f)}), r});
  b.output(b.op("Neg-13", {y}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &fuse_convolution);
  ASSERT_THAT(ops_of(graph), ElementsAre("overt.Conv", "Neg"));
  const std::vector<NodeId> back = expand(graph, graph.order()[0]);
  verify(graph, "expand");
  EXPECT_EQ(back.size(), 3u);
  EXPECT_THAT(ops_of(graph), ElementsAre("Conv", "Clip", "Add", "Neg"));
  EXPECT_THAT(node_at(graph, 1).sources, ElementsAre(1));
  expect_same_results(before, graph);
}

}  // namespace
}  // namespace overt
