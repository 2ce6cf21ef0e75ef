#include "ops/fused.h"
#include "passes/test_support.h"

namespace overt {
namespace {

using testing::ElementsAre;

TEST(RecogniseAttention, heads_split_and_merged_by_transposes_are_taken_in) {
  GraphBuilder b;
  const ValueId q = b.input("q", {2, 5, 3, 4});  // [B, S, H, D]
  const ValueId k = b.input("k", {2, 6, 3, 4});  // [B, T, H, D]
  const ValueId v = b.input("v", {2, 6, 3, 7});  // [B, T, H, E]
  const ValueId mask = b.input("mask", {2, 1, 1, 6});
  const ValueId qh = b.op("Transpose-13", {q}, attr("perm", {0, 2, 1, 3}));
  const ValueId kt = b.op("Transpose-13", {k}, attr("perm", {0, 2, 3, 1}));
  const ValueId vh = b.op("Transpose-13", {v}, attr("perm", {0, 2, 1, 3}));
  const ValueId scores = b.op("Div-14", {b.op("MatMul-13", {qh, kt}), b.scalar(2.0f)});
  const ValueId p = b.op("Softmax-13", {b.op("Add-14", {scores, mask})});
  b.output(b.op("Transpose-13", {b.op("MatMul-13", {p, vh})}, attr("perm", {0, 2, 1, 3})));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  EXPECT_TRUE(run_pass(graph, &recognise_attention).changed);
  EXPECT_THAT(ops_of(graph), ElementsAre("overt.Attention"));
  const Node& fused = node_at(graph, 0);
  EXPECT_THAT(fused.inputs, ElementsAre(q, k, v, mask));
  const FusedAttentionAttributes attributes = parse_fused_attention(fused);
  EXPECT_EQ(attributes.scale, 0.5f);
  EXPECT_EQ(attributes.q, AttentionLayout::bshd);
  EXPECT_EQ(attributes.k, AttentionLayout::bshd);
  EXPECT_EQ(attributes.v, AttentionLayout::bshd);
  EXPECT_EQ(attributes.y, AttentionLayout::bshd);
  expect_same_results(before, graph);
}

TEST(RecogniseAttention, scales_before_the_product_multiply) {
  GraphBuilder b;
  const ValueId q = b.input("q", {1, 2, 3, 4});
  const ValueId k = b.input("k", {1, 2, 3, 4});
  const ValueId v = b.input("v", {1, 2, 3, 4});
  const ValueId kt = b.op("Mul-14", {b.op("Transpose-13", {k}, attr("perm", {0, 1, 3, 2})), b.scalar(0.5f)});
  const ValueId scores = b.op("MatMul-13", {b.op("Mul-14", {b.scalar(0.5f), q}), kt});
  b.output(b.op("MatMul-13", {b.op("Softmax-13", {scores}, attr("axis", 3)), v}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &recognise_attention);
  EXPECT_THAT(ops_of(graph), ElementsAre("overt.Attention"));
  EXPECT_EQ(parse_fused_attention(node_at(graph, 0)).scale, 0.25f);
  EXPECT_EQ(parse_fused_attention(node_at(graph, 0)).k, AttentionLayout::bhsd);
  expect_same_results(before, graph);
}

TEST(RecogniseAttention, keys_given_transposed_and_tensors_without_heads) {
  GraphBuilder b;
  const ValueId q = b.input("q", {2, 3, 4});
  const ValueId k = b.input("k", {2, 4, 5});
  const ValueId v = b.input("v", {2, 5, 4});
  b.output(b.op("MatMul-13", {b.op("Softmax-13", {b.op("MatMul-13", {q, k})}), v}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &recognise_attention);
  EXPECT_THAT(ops_of(graph), ElementsAre("overt.Attention"));
  EXPECT_EQ(parse_fused_attention(node_at(graph, 0)).q, AttentionLayout::bsd);
  EXPECT_EQ(parse_fused_attention(node_at(graph, 0)).k, AttentionLayout::bds);
  expect_same_results(before, graph);
}

TEST(RecogniseAttention, transpose_that_another_node_reads_stays_outside) {
  GraphBuilder b;
  const ValueId q = b.input("q", {1, 3, 2, 4});
  const ValueId k = b.input("k", {1, 2, 4, 3});
  const ValueId v = b.input("v", {1, 2, 3, 4});
  const ValueId qh = b.op("Transpose-13", {q}, attr("perm", {0, 2, 1, 3}));
  b.output(b.op("MatMul-13", {b.op("Softmax-13", {b.op("MatMul-13", {qh, k})}), v}));
  b.output(b.op("Neg-13", {qh}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &recognise_attention);
  EXPECT_THAT(ops_of(graph), ElementsAre("Transpose", "overt.Attention", "Neg"));
  EXPECT_EQ(parse_fused_attention(node_at(graph, 1)).q, AttentionLayout::bhsd);
  expect_same_results(before, graph);
}

/// q, k, v of [1, 2, 3, 4], k transposed, with a softmax of this axis.
ValueId plain_attention(GraphBuilder& b, int axis, ValueId* probabilities = nullptr) {
  const ValueId q = b.input("q", {1, 2, 3, 4});
  const ValueId k = b.input("k", {1, 2, 4, 3});
  const ValueId v = b.input("v", {1, 2, 3, 4});
  const ValueId p = b.op("Softmax-13", {b.op("MatMul-13", {q, k})}, attr("axis", axis));
  if (probabilities != nullptr) *probabilities = p;
  return b.op("MatMul-13", {p, v});
}

TEST(RecogniseAttention, softmax_over_another_axis_and_probabilities_read_elsewhere_stay) {
  GraphBuilder along_queries;
  along_queries.output(plain_attention(along_queries, 2));
  Graph first = inferred(along_queries);
  EXPECT_FALSE(run_pass(first, &recognise_attention).changed);

  GraphBuilder shown;
  ValueId probabilities = ValueId::none;
  shown.output(plain_attention(shown, -1, &probabilities));
  shown.output(probabilities);
  Graph second = inferred(shown);
  EXPECT_FALSE(run_pass(second, &recognise_attention).changed);
}

TEST(RecogniseAttention, keys_shared_by_broadcasting_heads_stay) {
  GraphBuilder b;
  const ValueId q = b.input("q", {1, 2, 3, 4});
  const ValueId k = b.input("k", {1, 1, 4, 3});
  const ValueId v = b.input("v", {1, 2, 3, 4});
  b.output(b.op("MatMul-13", {b.op("Softmax-13", {b.op("MatMul-13", {q, k})}), v}));
  Graph graph = inferred(b);
  EXPECT_FALSE(run_pass(graph, &recognise_attention).changed);
}

}  // namespace
}  // namespace overt
