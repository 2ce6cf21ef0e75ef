#include "passes/test_support.h"

namespace overt {
namespace {

using testing::ElementsAre;

TEST(FuseMatMul, bias_residual_and_activation_join_the_product) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 3, 4});
  const ValueId r = b.input("r", {2, 3, 5});
  const ValueId product = b.op("MatMul-13", {x, b.weights({4, 5})});
  const ValueId biased = b.op("Add-14", {b.floats({5}, {1, 2, 3, 4, 5}), product});
  b.output(b.op("Gelu-20", {b.op("Add-14", {biased, r})}, attr("approximate", "tanh")));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  EXPECT_TRUE(run_pass(graph, &fuse_matmul).changed);
  EXPECT_THAT(ops_of(graph), ElementsAre("overt.MatMul"));
  const Node& fused = node_at(graph, 0);
  EXPECT_EQ(to_string(fused.epilogue), "add(input 3), gelu_tanh");
  EXPECT_EQ(fused.inputs.size(), 4u);
  EXPECT_EQ(fused.inputs[3], r);
  EXPECT_THAT(fused.sources, ElementsAre(0, 1, 2, 3));
  expect_same_results(before, graph);
}

TEST(FuseMatMul, residual_without_a_bias_is_input_three) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 3});
  b.output(b.op("Add-14", {b.op("MatMul-13", {x, b.weights({3, 3})}), x}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &fuse_matmul);
  EXPECT_EQ(node_at(graph, 0).inputs[2], ValueId::none);
  EXPECT_EQ(node_at(graph, 0).inputs[3], x);
  EXPECT_TRUE(node_at(graph, 0).attributes.empty());
  expect_same_results(before, graph);
}

TEST(FuseMatMul, gemm_keeps_its_attributes_and_its_bias) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 4});
  const ValueId y = b.op("Gemm-13", {x, b.weights({3, 4}), b.floats({3}, {1, -2, 3})}, attr("transB", 1),
                         attr("alpha", 0.5), attr("beta", 2.0));
  b.output(b.op("Relu-14", {y}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &fuse_matmul);
  EXPECT_THAT(ops_of(graph), ElementsAre("overt.MatMul"));
  EXPECT_EQ(node_at(graph, 0).integer("transB", 0), 1);
  EXPECT_EQ(node_at(graph, 0).real("alpha", 1.0f), 0.5f);
  EXPECT_EQ(node_at(graph, 0).real("beta", 1.0f), 2.0f);
  expect_same_results(before, graph);
}

TEST(FuseMatMul, product_with_nothing_to_fuse_stays_of_the_standard) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 4});
  b.output(b.op("MatMul-13", {x, b.weights({4, 3})}));
  b.output(b.op("Gemm-13", {x, b.weights({4, 3}), b.floats({3}, {1, 2, 3})}));
  Graph graph = inferred(b);
  EXPECT_FALSE(run_pass(graph, &fuse_matmul).changed);
}

TEST(FuseMatMul, gemm_with_a_column_as_bias_and_product_read_twice_stay) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 4});
  b.output(b.op("Relu-14", {b.op("Gemm-13", {x, b.weights({4, 3}), b.floats({2, 1}, {1, 2})})}));
  const ValueId twice = b.op("MatMul-13", {x, b.weights({4, 3})});
  b.output(b.op("Relu-14", {twice}));
  b.output(b.op("Neg-13", {twice}));
  Graph graph = inferred(b);
  EXPECT_FALSE(run_pass(graph, &fuse_matmul).changed);
}

TEST(FuseMatMul, integer_and_vector_products_stay) {
  GraphBuilder b;
  const ValueId i = b.input("i", DataType::int32, {2, 2});
  b.output(b.op("Add-14", {b.op("MatMul-13", {i, i}), i}));
  const ValueId v = b.input("v", {4});
  b.output(b.op("Relu-14", {b.op("MatMul-13", {v, b.weights({4, 3})})}));
  Graph graph = inferred(b);
  EXPECT_FALSE(run_pass(graph, &fuse_matmul).changed);
}

}  // namespace
}  // namespace overt
