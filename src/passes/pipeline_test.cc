#include "passes/pipeline.h"

#include "overt/error.h"
#include "passes/test_support.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Conv, BatchNormalization-like scaling, x*sigmoid(x), residual sum.
Graph small_network() {
  GraphBuilder b;
  const ValueId x = b.input("x", {1, 3, 4, 4});
  const ValueId y = b.op("Mul-14", {b.op("Conv-11", {x, b.weights({3, 3, 1, 1})}), b.floats({3, 1, 1}, {1, 2, 3})});
  const ValueId s = b.op("Mul-14", {y, b.op("Sigmoid-13", {y})});
  b.output(b.op("Identity-16", {b.op("Add-14", {s, x})}));
  return inferred(b);
}

TEST(Pipeline, passes_work_together) {
  Graph graph = small_network();
  const Graph before = graph.clone();
  const PassReport report = optimize(graph);
  EXPECT_THAT(ops_of(graph), ElementsAre("overt.Conv"));
  EXPECT_EQ(to_string(node_at(graph, 0).epilogue), "silu, add(input 3)");
  EXPECT_THAT(node_at(graph, 0).sources, ElementsAre(0, 1, 2, 3, 4));
  ASSERT_EQ(graph.removed.size(), 1u);
  EXPECT_EQ(graph.removed[0].source, 5);
  expect_same_results(before, graph);

  const PassEntry* fused = report.find("fuse_convolution");
  ASSERT_NE(fused, nullptr);
  EXPECT_TRUE(fused->changed);
  EXPECT_EQ(fused->nodes_before, 3);
  EXPECT_EQ(fused->nodes_after, 1);
  EXPECT_THAT(fused->notes.lines(), ElementsAre("Conv 'Conv_0' ends with silu, add(input 3)"));
  EXPECT_THAT(report.to_string(), HasSubstr("  Conv 'Conv_0' ends with silu, add(input 3)\n"));
}

TEST(Pipeline, disabled_pass_does_not_run_and_is_reported_as_switched_off) {
  Graph graph = small_network();
  PassOptions options;
  options.disabled = {"fuse_convolution"};
  const PassReport report = optimize(graph, options);
  EXPECT_THAT(ops_of(graph), ElementsAre("Conv", "Swish", "Add"));
  EXPECT_FALSE(report.find("fuse_convolution")->enabled);
  EXPECT_THAT(report.to_string(), HasSubstr("(switched off)"));
}

TEST(Pipeline, unknown_pass_is_refused_with_the_nearest_name) {
  Graph graph = small_network();
  PassOptions options;
  options.disabled = {"fold_constant"};
  try {
    optimize(graph, options);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_EQ(error.message(), "there is no pass named 'fold_constant'; did you mean 'fold_constants'?");
  }
}

TEST(Pipeline, graph_can_be_dumped_after_each_pass) {
  Graph graph = small_network();
  std::vector<std::string> seen;
  std::string last;
  PassOptions options;
  options.dump_after = [&](std::string_view pass, const std::string& text) {
    seen.emplace_back(pass);
    last = text;
  };
  optimize(graph, options);
  EXPECT_EQ(seen.front(), "remove_dead_nodes");
  EXPECT_EQ(seen.back(), "remove_unread_nodes");
  EXPECT_EQ(last, dump(graph));
}

TEST(Pipeline, names_are_different_and_each_pass_says_what_it_is_for) {
  std::vector<std::string_view> names = pass_names();
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
  for (const PassStage& stage : pass_pipeline()) {
    for (const Pass& pass : stage.passes) EXPECT_FALSE(pass.summary.empty()) << pass.name;
  }
}

TEST(Pipeline, second_run_changes_nothing) {
  Graph graph = small_network();
  optimize(graph);
  const std::string once = dump(graph);
  const PassReport report = optimize(graph);
  EXPECT_EQ(dump(graph), once);
  for (const PassEntry& entry : report.passes) EXPECT_FALSE(entry.changed) << entry.name;
}

TEST(Pipeline, bodies_of_if_are_optimised_too) {
  GraphBuilder inside;
  const ValueId captured = inside.input("captured", {1, 2, 4, 4});
  inside.output(inside.op("Relu-14", {inside.op("Conv-11", {captured, inside.weights({3, 2, 1, 1})})}));
  Graph then_branch = inside.take();
  then_branch.captures = {{1, captured}};
  GraphBuilder constant;
  constant.output(constant.op("Neg-13", {constant.weights({1, 3, 4, 4})}));

  GraphBuilder b;
  const ValueId c = b.input("c", DataType::boolean, {});
  const ValueId x = b.input("x", {1, 2, 4, 4});
  b.output(b.op("If-16", {c, x}, attr("then_branch", std::move(then_branch)), attr("else_branch", constant.take())));
  Graph graph = b.take();
  graph.edit_node(graph.order()[0]).explicit_inputs = 1;
  optimize(graph);
  const Node& owner = node_at(graph, 0);
  EXPECT_THAT(ops_of(*owner.subgraph("then_branch")), ElementsAre("overt.Conv"));
  EXPECT_TRUE(owner.subgraph("else_branch")->order().empty());
}

TEST(Pipeline, long_chains_take_linear_time) {
  GraphBuilder b;
  ValueId x = b.input("x", {2});
  for (int i = 0; i < 100000; ++i) x = b.op("Mul-14", {x, b.op("Sigmoid-13", {x})});
  b.output(x);
  Graph graph = inferred(b);
  optimize(graph);
  EXPECT_EQ(graph.order().size(), 100000u);
}

}  // namespace
}  // namespace overt
