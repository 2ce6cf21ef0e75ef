#include "passes/test_support.h"

namespace overt {
namespace {

using testing::ElementsAre;

/// mean((d)^2) + 1e-5 of a value of [2, 3, 4] over the last axis.
ValueId variance(GraphBuilder& b, ValueId d) {
  const ValueId square = b.op("Pow-15", {d, b.scalar(2.0f)});
  return b.op("Add-14", {b.op("ReduceMean-13", {square}, attr("axes", {-1})), b.scalar(1e-5f)});
}

TEST(RecogniseNormalization, layer_normalization_with_scale_and_shift) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 3, 4});
  const ValueId d = b.op("Sub-14", {x, b.op("ReduceMean-13", {x}, attr("axes", {-1}))});
  const ValueId y = b.op("Div-14", {d, b.op("Sqrt-13", {variance(b, d)})});
  const ValueId gamma = b.floats({4}, {1, 2, 3, 4});
  const ValueId beta = b.floats({4}, {-1, 0, 1, 2});
  b.output(b.op("Add-14", {beta, b.op("Mul-14", {gamma, y})}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  EXPECT_TRUE(run_pass(graph, &recognise_normalization).changed);
  EXPECT_THAT(ops_of(graph), ElementsAre("LayerNormalization"));
  const Node& fused = node_at(graph, 0);
  EXPECT_THAT(fused.inputs, ElementsAre(x, gamma, beta));
  EXPECT_EQ(fused.integer("axis", 0), 2);
  EXPECT_EQ(fused.real("epsilon", 0.0f), 1e-5f);
  EXPECT_EQ(fused.sources.size(), 9u);
  expect_same_results(before, graph);
}

TEST(RecogniseNormalization, mean_taken_away_twice_and_reciprocal_root) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 3, 4});
  const ValueId axes = b.ints({1, 2});
  const ValueId mean = b.op("ReduceMean-18", {x, axes});
  const ValueId d = b.op("Sub-14", {x, mean});
  const ValueId twin = b.op("Sub-14", {x, mean});
  const ValueId square = b.op("Mul-14", {twin, twin});
  const ValueId sum = b.op("Add-14", {b.scalar(0.1f), b.op("ReduceMean-18", {square, axes})});
  b.output(b.op("Mul-14", {b.op("Reciprocal-13", {b.op("Sqrt-13", {sum})}), d}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &recognise_normalization);
  EXPECT_THAT(ops_of(graph), ElementsAre("LayerNormalization"));
  EXPECT_EQ(node_at(graph, 0).integer("axis", 0), 1);
  EXPECT_EQ(graph.value(node_at(graph, 0).inputs[1]).constant.shape().to_string(), "[3, 4]");
  expect_same_results(before, graph);
}

TEST(RecogniseNormalization, without_a_mean_it_is_rms_normalization) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 3, 4});
  const ValueId root = b.op("Div-14", {b.scalar(1.0f), b.op("Sqrt-13", {variance(b, x)})});
  const ValueId gamma = b.floats({4}, {1, 2, 3, 4});
  b.output(b.op("Mul-14", {gamma, b.op("Mul-14", {x, root})}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &recognise_normalization);
  EXPECT_THAT(ops_of(graph), ElementsAre("RMSNormalization"));
  EXPECT_THAT(node_at(graph, 0).inputs, ElementsAre(x, gamma));
  expect_same_results(before, graph);
}

TEST(RecogniseNormalization, scale_of_another_shape_stays_outside) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 3, 4});
  const ValueId d = b.op("Sub-14", {x, b.op("ReduceMean-13", {x}, attr("axes", {-1}))});
  const ValueId y = b.op("Div-14", {d, b.op("Sqrt-13", {variance(b, d)})});
  b.output(b.op("Mul-14", {y, b.floats({3, 1}, {1, 2, 3})}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &recognise_normalization);
  EXPECT_THAT(ops_of(graph), ElementsAre("LayerNormalization", "Mul"));
  expect_same_results(before, graph);
}

TEST(RecogniseNormalization, mean_over_an_inner_axis_or_without_kept_axes_stays) {
  GraphBuilder b;
  const ValueId x = b.input("x", {4, 4, 4});
  const ValueId d = b.op("Sub-14", {x, b.op("ReduceMean-13", {x}, attr("axes", {1}))});
  const ValueId square = b.op("Mul-14", {d, d});
  const ValueId sum = b.op("Add-14", {b.op("ReduceMean-13", {square}, attr("axes", {1})), b.scalar(1e-5f)});
  b.output(b.op("Div-14", {d, b.op("Sqrt-13", {sum})}));
  Graph graph = inferred(b);
  EXPECT_FALSE(run_pass(graph, &recognise_normalization).changed);
}

TEST(RecogniseNormalization, deviation_that_is_a_graph_output_stays) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 3, 4});
  const ValueId d = b.op("Sub-14", {x, b.op("ReduceMean-13", {x}, attr("axes", {-1}))});
  const ValueId deviation = b.op("Sqrt-13", {variance(b, d)});
  b.output(b.op("Div-14", {d, deviation}));
  b.output(deviation);
  Graph graph = inferred(b);
  EXPECT_FALSE(run_pass(graph, &recognise_normalization).changed);
}

}  // namespace
}  // namespace overt
