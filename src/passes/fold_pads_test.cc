#include <limits>

#include "passes/test_support.h"

namespace overt {
namespace {

using testing::ElementsAre;

/// x of [1, 2, 4, 4] with a row above and two columns to the right.
ValueId padded(GraphBuilder& b, float value) {
  const ValueId x = b.input("x", {1, 2, 4, 4});
  return b.op("Pad-13", {x, b.ints({0, 0, 1, 0, 0, 0, 0, 2}), b.scalar(value)});
}

TEST(FoldPads, zeros_join_the_pads_of_a_convolution) {
  GraphBuilder b;
  b.output(b.op("Conv-11", {padded(b, 0.0f), b.weights({3, 2, 3, 3})}, attr("pads", {1, 1, 1, 1})));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  EXPECT_TRUE(run_pass(graph, &fold_pads).changed);
  EXPECT_THAT(ops_of(graph), ElementsAre("Conv"));
  EXPECT_THAT(node_at(graph, 0).integers("pads"), ElementsAre(2, 1, 1, 3));
  EXPECT_THAT(node_at(graph, 0).sources, ElementsAre(0, 1));
  expect_same_results(before, graph);
}

TEST(FoldPads, zeros_count_in_an_average) {
  GraphBuilder b;
  b.output(b.op("AveragePool-11", {padded(b, 0.0f)}, attr("kernel_shape", {3, 3})));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &fold_pads);
  EXPECT_THAT(ops_of(graph), ElementsAre("AveragePool"));
  EXPECT_EQ(node_at(graph, 0).integer("count_include_pad", 0), 1);
  expect_same_results(before, graph);
}

TEST(FoldPads, minus_infinity_joins_the_pads_of_a_maximum) {
  GraphBuilder b;
  b.output(b.op("MaxPool-12", {padded(b, -std::numeric_limits<float>::infinity())}, attr("kernel_shape", {3, 3})));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &fold_pads);
  EXPECT_THAT(ops_of(graph), ElementsAre("MaxPool"));
  expect_same_results(before, graph);
}

TEST(FoldPads, other_values_wide_pads_and_automatic_pads_stay) {
  GraphBuilder b;
  b.output(b.op("Conv-11", {padded(b, 1.0f), b.weights({3, 2, 3, 3})}));
  b.output(b.op("MaxPool-12", {padded(b, 0.0f)}, attr("kernel_shape", {3, 3})));
  b.output(b.op("AveragePool-11", {padded(b, 0.0f)}, attr("kernel_shape", {2, 2})));
  b.output(b.op("Conv-11", {padded(b, 0.0f), b.weights({3, 2, 3, 3})}, attr("auto_pad", "SAME_UPPER")));
  Graph graph = inferred(b);
  EXPECT_FALSE(run_pass(graph, &fold_pads).changed);
}

TEST(FoldPads, padded_value_read_twice_stays) {
  GraphBuilder b;
  const ValueId y = padded(b, 0.0f);
  b.output(b.op("Conv-11", {y, b.weights({3, 2, 3, 3})}));
  b.output(b.op("Neg-13", {y}));
  Graph graph = inferred(b);
  EXPECT_FALSE(run_pass(graph, &fold_pads).changed);
}

}  // namespace
}  // namespace overt
