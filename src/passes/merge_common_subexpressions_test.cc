#include "passes/test_support.h"

namespace overt {
namespace {

using testing::ElementsAre;

TEST(MergeCommonSubexpressions, equal_nodes_with_equal_constants_become_one) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2});
  const ValueId first = b.op("Exp-13", {b.op("Add-14", {x, b.scalar(2.0f)})});
  const ValueId second = b.op("Exp-13", {b.op("Add-14", {x, b.scalar(2.0f)})});
  b.output(b.op("Mul-14", {first, second}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  const PassResult result = run_pass(graph, &merge_common_subexpressions);
  EXPECT_THAT(ops_of(graph), ElementsAre("Add", "Exp", "Mul"));
  EXPECT_THAT(node_at(graph, 0).sources, ElementsAre(0, 2));
  EXPECT_THAT(result.notes.lines(),
              ElementsAre("Add 'Add_2' is the same as Add 'Add_0'", "Exp 'Exp_3' is the same as Exp 'Exp_1'"));
  expect_same_results(before, graph, 0.0);
}

TEST(MergeCommonSubexpressions, attributes_are_compared_whatever_their_order) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 3});
  b.output(b.op("Relu-14", {b.op("HardSigmoid-6", {x}, attr("alpha", 0.5), attr("beta", 0.25))}));
  b.output(b.op("Neg-13", {b.op("HardSigmoid-6", {x}, attr("beta", 0.25), attr("alpha", 0.5))}));
  b.output(b.op("Abs-13", {b.op("HardSigmoid-6", {x}, attr("alpha", 0.25), attr("beta", 0.25))}));
  Graph graph = inferred(b);
  run_pass(graph, &merge_common_subexpressions);
  EXPECT_THAT(ops_of(graph), ElementsAre("HardSigmoid", "Relu", "Neg", "HardSigmoid", "Abs"));
}

TEST(MergeCommonSubexpressions, two_graph_outputs_stay_two_values) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2});
  b.output(b.op("Relu-14", {x}));
  b.output(b.op("Relu-14", {x}));
  Graph graph = inferred(b);
  EXPECT_FALSE(run_pass(graph, &merge_common_subexpressions).changed);
}

TEST(MergeCommonSubexpressions, zeros_of_different_sign_differ) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2});
  b.output(b.op("Neg-13", {b.op("Div-14", {x, b.scalar(0.0f)})}));
  b.output(b.op("Abs-13", {b.op("Div-14", {x, b.scalar(-0.0f)})}));
  Graph graph = inferred(b);
  EXPECT_FALSE(run_pass(graph, &merge_common_subexpressions).changed);
}

TEST(MergeCommonSubexpressions, random_numbers_are_drawn_twice) {
  GraphBuilder b;
  b.output(b.op("Neg-13", {b.op("RandomNormal-22", {}, attr("shape", {2}))}));
  b.output(b.op("Abs-13", {b.op("RandomNormal-22", {}, attr("shape", {2}))}));
  Graph graph = b.take();
  EXPECT_FALSE(run_pass(graph, &merge_common_subexpressions).changed);
}

}  // namespace
}  // namespace overt
