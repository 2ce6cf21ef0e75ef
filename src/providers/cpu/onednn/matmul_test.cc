#include "providers/cpu/onednn/matmul.h"

#include "providers/cpu/onednn/onednn_test_support.h"
#include "providers/cpu/onednn/pooling.h"

namespace overt::cpu::onednn {
namespace {

using Matmul = OneDnn;
using Pooling = OneDnn;

TEST_F(Matmul, constant_weights_with_bias_and_relu) {
  MatmulSpec spec;
  spec.a = dense_matrix({2, 3});
  spec.b = dense_matrix({3, 2});
  spec.c = dense_matrix({2, 2});
  spec.b_constant = Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  spec.bias = Tensor::of<float>({2}, {-30, 1});
  spec.epilogue.steps = {{EpilogueKind::relu}};
  PackedWeights packed(library());
  std::vector<float> a = {1, 2, 3, 4, 5, 6};
  std::vector<float> c(4);
  run(make_matmul(library(), packed, spec), {a.data(), c.data()});
  EXPECT_EQ(c, (std::vector<float>{0, 29, 19, 65}));
}

TEST_F(Matmul, transposed_weights_are_strides) {
  MatmulSpec spec;
  spec.a = dense_matrix({1, 3});
  spec.b = {{3, 2}, {1, 3}};
  spec.c = dense_matrix({1, 2});
  PackedWeights packed(library());
  std::vector<float> a = {1, 2, 3};
  std::vector<float> b = {1, 3, 5, 2, 4, 6};
  std::vector<float> c(2);
  run(make_matmul(library(), packed, spec), {a.data(), b.data(), c.data()});
  EXPECT_EQ(c, (std::vector<float>{22, 28}));
}

TEST_F(Matmul, heads_are_read_and_written_through_strides) {
  // Two heads of [tokens 2, size 2] that lie side by side in rows of 4.
  const MatrixView heads{{2, 2, 2}, {2, 4, 1}};
  MatmulSpec spec{heads, {{2, 2, 2}, {2, 1, 4}}, heads, Tensor(), Tensor(), {}, Precision::fp32};
  spec.epilogue.scale = 0.5f;
  PackedWeights packed(library());
  std::vector<float> a = {1, 2, 5, 6, 3, 4, 7, 8};
  std::vector<float> b = {1, 0, 0, 1, 0, 1, 1, 0};
  std::vector<float> c(8);
  run(make_matmul(library(), packed, spec), {a.data(), b.data(), c.data()});
  EXPECT_EQ(c, (std::vector<float>{0.5f, 1, 3, 2.5f, 1.5f, 2, 4, 3.5f}));
}

TEST_F(Matmul, a_batch_axis_of_one_is_broadcast) {
  MatmulSpec spec{dense_matrix({2, 1, 2}), dense_matrix({1, 2, 1}), dense_matrix({2, 1, 1}), Tensor(), Tensor(), {},
                  Precision::fp32};
  PackedWeights packed(library());
  std::vector<float> a = {1, 2, 3, 4};
  std::vector<float> b = {10, 1};
  std::vector<float> c(2);
  run(make_matmul(library(), packed, spec), {a.data(), b.data(), c.data()});
  EXPECT_EQ(c, (std::vector<float>{12, 34}));
}

TEST_F(Matmul, residual_is_added_before_the_activation) {
  MatmulSpec spec{dense_matrix({1, 1}), dense_matrix({1, 2}), dense_matrix({1, 2}), Tensor(), Tensor(), {},
                  Precision::fp32};
  spec.epilogue.steps = {{EpilogueKind::add, 0, 0, 0}, {EpilogueKind::relu}};
  spec.epilogue.operands = {plain({1, 2})};
  PackedWeights packed(library());
  std::vector<float> a = {2};
  std::vector<float> b = {1, 2};
  std::vector<float> residual = {-5, 1};
  std::vector<float> c(2);
  run(make_matmul(library(), packed, spec), {a.data(), b.data(), residual.data(), c.data()});
  EXPECT_EQ(c, (std::vector<float>{0, 5}));
}

TEST_F(Matmul, empty_operands_are_refused) {
  MatmulSpec spec{dense_matrix({0, 1}), dense_matrix({1, 2}), dense_matrix({0, 2}), Tensor(), Tensor(), {},
                  Precision::fp32};
  PackedWeights packed(library());
  EXPECT_EQ(make_matmul(library(), packed, spec).refusal, "a tensor is empty");
}

TEST_F(Pooling, maximum_in_blocks_with_padding) {
  PoolingSpec spec{
      PoolingKind::maximum, blocks({1, 16, 2, 2}), blocks({1, 16, 1, 1}), {3, 3}, {2, 2}, {1, 1}, {1, 1}, {0, 0}};
  std::vector<float> x(16 * 4, -7.0f);
  x[3] = -2.0f;
  const std::vector<float> source = to_layout(x, spec.source);
  std::vector<float> y(16);
  std::vector<float> input = source;
  run(make_pooling(library(), spec), {input.data(), y.data()});
  EXPECT_EQ(y[0], -2.0f);
  EXPECT_EQ(y[1], -7.0f);
}

TEST_F(Pooling, average_counts_padding_only_when_asked) {
  PoolingSpec spec{PoolingKind::average_with_padding,
                   plain({1, 1, 1, 2}),
                   plain({1, 1, 1, 1}),
                   {1, 4},
                   {1, 1},
                   {1, 1},
                   {0, 1},
                   {0, 1}};
  std::vector<float> x = {2, 6};
  std::vector<float> y(1);
  run(make_pooling(library(), spec), {x.data(), y.data()});
  EXPECT_EQ(y[0], 2.0f);
  spec.kind = PoolingKind::average_without_padding;
  run(make_pooling(library(), spec), {x.data(), y.data()});
  EXPECT_EQ(y[0], 4.0f);
}

}  // namespace
}  // namespace overt::cpu::onednn
