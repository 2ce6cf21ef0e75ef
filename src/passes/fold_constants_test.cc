#include "overt/error.h"
#include "passes/subgraphs.h"
#include "passes/test_support.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(FoldConstants, chain_over_constants_becomes_one_constant) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2});
  const ValueId sum = b.op("Add-14", {b.floats({2}, {1, 2}), b.floats({2}, {10, 20})});
  b.output(b.op("Mul-14", {x, b.op("Neg-13", {sum})}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  EXPECT_TRUE(run_pass(graph, &fold_constants).changed);
  EXPECT_THAT(ops_of(graph), ElementsAre("Mul"));
  EXPECT_THAT(to_doubles(graph.value(node_at(graph, 0).inputs[1]).constant), ElementsAre(-11.0, -22.0));
  ASSERT_EQ(graph.removed.size(), 2u);
  EXPECT_EQ(graph.removed[0].source, 0);
  EXPECT_EQ(graph.removed[0].reason, "folded into a constant");
  expect_same_results(before, graph);
}

TEST(FoldConstants, shape_of_a_fixed_input_is_known) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 3});
  b.output(b.op("Shape-15", {x}));
  Graph graph = inferred(b);
  run_pass(graph, &fold_constants);
  EXPECT_TRUE(graph.order().empty());
  EXPECT_THAT(to_doubles(graph.value(graph.outputs()[0]).constant), ElementsAre(2.0, 3.0));
}

TEST(FoldConstants, shape_of_a_named_length_stays) {
  GraphBuilder b;
  const ValueId x = b.input("x", {Dim::symbol("N"), 3});
  b.output(b.op("Shape-15", {x}));
  Graph graph = inferred(b);
  EXPECT_FALSE(run_pass(graph, &fold_constants).changed);
}

TEST(FoldConstants, bait_that_asks_for_terabytes_is_left_alone) {
  GraphBuilder b;
  b.output(b.op("Expand-13", {b.scalar(1.0f), b.ints({int64_t{1} << 22, int64_t{1} << 20})}));
  Graph graph = inferred(b);
  EXPECT_FALSE(run_pass(graph, &fold_constants).changed);
}

TEST(FoldConstants, output_of_eight_times_its_inputs_is_the_most_beyond_the_small) {
  GraphBuilder b;
  const ValueId small = b.constant(Tensor(DataType::float32, {1, 16384}));  // 64 KiB
  b.output(b.op("Expand-13", {small, b.ints({7, 16384})}));
  b.output(b.op("Expand-13", {small, b.ints({9, 16384})}));
  Graph graph = inferred(b);
  EXPECT_TRUE(run_pass(graph, &fold_constants).changed);
  EXPECT_EQ(graph.order().size(), 1u);
  EXPECT_TRUE(graph.value(graph.outputs()[0]).is_constant());
}

TEST(FoldConstants, growth_over_the_whole_graph_is_bounded) {
  GraphBuilder b;
  const ValueId big = b.constant(Tensor(DataType::float32, {1024, 1024}));  // 4 MiB
  for (int i = 0; i < 6; ++i) b.output(b.op("Neg-13", {big}));
  Graph graph = inferred(b);
  run_pass(graph, &fold_constants);
  EXPECT_EQ(graph.order().size(), 2u);  // 16 MiB hold four
}

TEST(FoldConstants, large_products_of_constants_are_left_for_the_run) {
  GraphBuilder b;
  const ValueId m = b.constant(Tensor(DataType::float32, {512, 512}));
  b.output(b.op("MatMul-13", {m, m}));
  Graph graph = inferred(b);
  EXPECT_FALSE(run_pass(graph, &fold_constants).changed);
}

TEST(FoldConstants, random_numbers_and_unknown_operators_are_left_alone) {
  GraphBuilder b;
  b.output(b.op("RandomNormal-22", {}, attr("shape", {2})));
  b.output(b.op("acme::Thing-1", {b.scalar(1.0f)}));
  Graph graph = inferred(b);
  EXPECT_FALSE(run_pass(graph, &fold_constants).changed);
}

/// Adds a Gather of element 5 of 2, as a graph output.
void add_gather_out_of_range(GraphBuilder& b) {
  b.output(b.op("Gather-13", {b.ints({1, 2}), b.ints({5})}));
}

TEST(FoldConstants, constant_that_breaks_the_standard_is_refused_at_load) {
  GraphBuilder b;
  add_gather_out_of_range(b);
  Graph graph = b.take();
  try {
    run_pass(graph, &fold_constants);
    FAIL() << "folded";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_model);
    EXPECT_THAT(error.message(), HasSubstr("Gather 'Gather_0'"));
  }
}

TEST(FoldConstants, the_same_in_a_branch_that_may_not_be_taken_is_left_alone) {
  GraphBuilder b;
  add_gather_out_of_range(b);
  Graph graph = b.take();
  EXPECT_FALSE(run_pass(graph, &fold_constants, /*is_subgraph=*/true).changed);
  EXPECT_EQ(graph.order().size(), 1u);
}

/// A branch that gives op(captured x).
Graph branch(std::string_view op) {
  GraphBuilder b;
  const ValueId x = b.input("x_inside", {2});
  b.output(b.op(op, {x}));
  Graph graph = b.take();
  graph.captures = {{1, x}};
  return graph;
}

/// if condition: Neg(x) else Abs(x), then Exp of it. The condition is given, or a graph input.
Graph conditional(std::optional<bool> condition) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2});
  const ValueId c = condition ? b.constant(Tensor::of<bool>({}, {*condition})) : b.input("c", DataType::boolean, {});
  const ValueId y =
      b.op("If-16", {c, x}, attr("then_branch", branch("Neg-13")), attr("else_branch", branch("Abs-13")));
  b.output(b.op("Exp-13", {y}));
  Graph graph = b.take();
  graph.edit_node(graph.order()[0]).explicit_inputs = 1;
  verify(graph, "building the test");
  return graph;
}

TEST(FoldConstants, branch_of_a_constant_condition_takes_the_place_of_the_if) {
  Graph graph = conditional(false);
  EXPECT_TRUE(run_pass(graph, &fold_constants).changed);
  EXPECT_THAT(ops_of(graph), ElementsAre("Abs", "Exp"));
  EXPECT_EQ(node_at(graph, 0).inputs[0], graph.inputs()[0]);
  const Tensor x = Tensor::of<float>({2}, {-1, 0});
  EXPECT_NEAR(evaluate_graph(graph, std::vector<Tensor>{x})[0].values<float>()[0], 2.7182818f, 1e-5);
}

TEST(FoldConstants, if_with_a_condition_from_outside_stays) {
  Graph graph = conditional(std::nullopt);
  EXPECT_FALSE(run_pass(graph, &fold_constants).changed);
}

TEST(TidyCaptures, captured_constants_move_inside_and_unread_captures_go) {
  Graph graph = conditional(std::nullopt);
  const NodeId owner = graph.order()[0];
  const ValueId constant = graph.add_constant("two", Tensor::of<float>({2}, {1, 2}));
  graph.set_node_input(owner, 1, constant);
  EXPECT_TRUE(tidy_captures(graph, owner));
  verify(graph, "tidy_captures");
  EXPECT_EQ(graph.node(owner).inputs.size(), 1u);
  EXPECT_TRUE(graph.node(owner).subgraph("then_branch")->inputs().empty());
  EXPECT_TRUE(graph.node(owner).subgraph("then_branch")->captures.empty());
  EXPECT_FALSE(tidy_captures(graph, owner));
}

}  // namespace
}  // namespace overt
