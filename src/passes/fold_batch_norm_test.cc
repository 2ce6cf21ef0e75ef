#include "passes/test_support.h"

namespace overt {
namespace {

using testing::ElementsAre;

/// BatchNormalization of three channels.
ValueId batch_norm3(GraphBuilder& b, ValueId x) {
  return b.op("BatchNormalization-15", {x, b.floats({3}, {1, 2, -1}), b.floats({3}, {0.5f, 0, 1}),
                                        b.floats({3}, {0.25f, -1, 2}), b.floats({3}, {1, 4, 0.5f})});
}

/// Runs the pass over a graph and expects these operators and equal results.
void expect_folded(GraphBuilder& b, ValueId y, const std::string& op) {
  b.output(y);
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  const size_t nodes = graph.order().size();
  EXPECT_TRUE(run_pass(graph, &fold_batch_norm).changed);
  EXPECT_THAT(ops_of(graph), ElementsAre(op));
  EXPECT_EQ(node_at(graph, 0).sources.size(), nodes);
  expect_same_results(before, graph);
}

TEST(FoldBatchNorm, into_a_convolution_without_bias) {
  GraphBuilder b;
  const ValueId x = b.input("x", {1, 2, 4, 4});
  expect_folded(b, batch_norm3(b, b.op("Conv-11", {x, b.weights({3, 2, 3, 3})})), "Conv");
}

TEST(FoldBatchNorm, scaling_and_shifting_by_constants_fold_into_a_convolution) {
  GraphBuilder b;
  const ValueId x = b.input("x", {1, 2, 4, 4});
  const ValueId y = b.op("Conv-11", {x, b.weights({3, 2, 1, 1}), b.floats({3}, {1, 2, 3})});
  const ValueId scaled = b.op("Mul-14", {b.floats({1, 3, 1, 1}, {2, -1, 0.5f}), y});
  const ValueId shifted = b.op("Sub-14", {b.floats({3, 1, 1}, {1, 0, 2}), scaled});
  expect_folded(b, b.op("Div-14", {b.op("Add-14", {shifted, b.scalar(1.5f)}), b.scalar(4.0f)}), "Conv");
}

TEST(FoldBatchNorm, into_a_grouped_transposed_convolution) {
  GraphBuilder b;
  const ValueId x = b.input("x", {1, 4, 3, 3});
  const ValueId y = b.op("ConvTranspose-11", {x, b.weights({4, 2, 2, 2})}, attr("group", 2));
  expect_folded(b, b.op("Mul-14", {y, b.floats({4, 1, 1}, {1, 2, 3, 4})}), "ConvTranspose");
}

TEST(FoldBatchNorm, into_gemm_with_alpha_and_beta) {
  for (const int transposed : {0, 1}) {
    GraphBuilder b;
    const ValueId x = b.input("x", {2, 4});
    const ValueId w = transposed != 0 ? b.weights({3, 4}) : b.weights({4, 3});
    const ValueId y = b.op("Gemm-13", {x, w, b.floats({3}, {1, 2, 3})}, attr("transB", transposed),
                           attr("alpha", 0.5), attr("beta", 3.0));
    expect_folded(b, batch_norm3(b, y), "Gemm");
  }
}

TEST(FoldBatchNorm, scaling_folds_into_a_matrix_product_and_shifting_does_not) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 3, 4});
  const ValueId y = b.op("Mul-14", {b.op("MatMul-13", {x, b.weights({4, 3})}), b.floats({3}, {1, 2, 3})});
  b.output(b.op("Add-14", {y, b.floats({3}, {1, 2, 3})}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &fold_batch_norm);
  EXPECT_THAT(ops_of(graph), ElementsAre("MatMul", "Add"));
  expect_same_results(before, graph);
}

TEST(FoldBatchNorm, half_weights_that_would_overflow_stay) {
  GraphBuilder b;
  const ValueId x = b.input("x", DataType::float16, {1, 1, 2, 2});
  const ValueId w = b.constant(Tensor::of<Float16>({1, 1, 1, 1}, {Float16(40000.0f)}));
  const ValueId two = b.constant(Tensor::of<Float16>({}, {Float16(2.0f)}));
  b.output(b.op("Mul-14", {b.op("Conv-11", {x, w}), two}));
  Graph graph = inferred(b);
  EXPECT_FALSE(run_pass(graph, &fold_batch_norm).changed);
}

TEST(FoldBatchNorm, result_read_twice_constants_along_a_row_and_variable_weights_stay) {
  GraphBuilder b;
  const ValueId x = b.input("x", {1, 3, 3, 3});
  const ValueId twice = b.op("Conv-11", {x, b.weights({3, 3, 1, 1})});
  b.output(b.op("Mul-14", {twice, b.scalar(2.0f)}));
  b.output(b.op("Neg-13", {twice}));
  b.output(b.op("Mul-14", {b.op("Conv-11", {x, b.weights({3, 3, 1, 1})}), b.floats({3}, {1, 2, 3})}));
  b.output(b.op("Mul-14", {b.op("Conv-11", {x, b.input("w", {3, 3, 1, 1})}), b.scalar(2.0f)}));
  Graph graph = inferred(b);
  EXPECT_FALSE(run_pass(graph, &fold_batch_norm).changed);
}

}  // namespace
}  // namespace overt
