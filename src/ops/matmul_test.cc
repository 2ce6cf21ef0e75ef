#include "ops/matmul.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/matrix_product.h"
#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Node matmul() {
  return test_node("MatMul", 13, {}, 2);
}

TEST(MatMul, vectors_lose_the_axis_that_was_added) {
  const Tensor v = Tensor::of<float>({2}, {1, 2}), m = Tensor::of<float>({2, 2}, {1, 2, 3, 4});
  const Tensor dot = run_node(matmul(), {v, v});
  EXPECT_EQ(dot.shape(), Shape{});
  EXPECT_THAT(values_of<float>(dot), ElementsAre(5));
  EXPECT_THAT(values_of<float>(run_node(matmul(), {v, m})), ElementsAre(7, 10));
  const Tensor column = run_node(matmul(), {m, v});
  EXPECT_EQ(column.shape(), Shape{2});
  EXPECT_THAT(values_of<float>(column), ElementsAre(5, 11));
}

TEST(MatMul, leading_axes_broadcast) {
  const Tensor a = Tensor::of<int64_t>({2, 1, 1, 2}, {1, 2, 3, 4});
  const Tensor b = Tensor::of<int64_t>({3, 2, 1}, {1, 1, 1, 0, 0, 1});
  const Tensor y = run_node(matmul(), {a, b});
  EXPECT_EQ(y.shape(), (Shape{2, 3, 1, 1}));
  EXPECT_THAT(values_of<int64_t>(y), ElementsAre(3, 1, 2, 7, 3, 4));
}

TEST(MatMul, integers_wrap) {
  const Tensor y = run_node(matmul(), {Tensor::of<int32_t>({1}, {INT32_MAX}), Tensor::of<int32_t>({1}, {2})});
  EXPECT_THAT(values_of<int32_t>(y), ElementsAre(-2));
}

TEST(MatMul, symbolic_shapes) {
  const Dim n = Dim::symbol("N");
  const ValueInfo a = ValueInfo::tensor(DataType::float32, {n, 12, Dim::symbol("T"), 64});
  const ValueInfo b = ValueInfo::tensor(DataType::float32, {64, n});
  EXPECT_EQ(infer(matmul(), {a, b})[0].to_string(), "float32 [N, 12, T, N]");
}

TEST(MatMul, contradictions_are_rejected) {
  EXPECT_THAT(message_of([] {
                run_node(matmul(), {Tensor(DataType::float32, {2, 3}), Tensor(DataType::float32, {2, 3})});
              }),
              HasSubstr("the last axis of [2, 3] does not match the last but one of [2, 3]"));
  EXPECT_THAT(message_of([] {
                run_node(matmul(), {Tensor(DataType::float32, {}), Tensor(DataType::float32, {2})});
              }),
              HasSubstr("at least one axis"));
  EXPECT_THAT(message_of([] {
                run_node(matmul(), {Tensor(DataType::float32, {2, 1, 1}), Tensor(DataType::float32, {3, 1, 1})});
              }),
              HasSubstr("do not broadcast"));
}

/// Sizes around the tiles' and blocks' edges, against the definition. Small integers, so the sums are exact.
TEST(MatrixProduct, equals_its_definition_at_the_edges_of_blocks) {
  for (const int64_t m : {1, 4, 5}) {
    for (const int64_t n : {1, 8, 11}) {
      for (const int64_t k : {1, 256, 259}) {
        std::vector<float> a(static_cast<size_t>(m * k)), b(static_cast<size_t>(k * n)),
            c(static_cast<size_t>(m * n), 1.0f);
        for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7) - 3;
        for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 5) - 2;
        add_matrix_product(dense_matrix(a.data(), k, m).transposed(), dense_matrix(b.data(), k, n), c.data(), n);
        for (int64_t row = 0; row < m; ++row) {
          for (int64_t column = 0; column < n; ++column) {
            float expected = 1;
            for (int64_t i = 0; i < k; ++i)
              expected += a[static_cast<size_t>(i * m + row)] * b[static_cast<size_t>(i * n + column)];
            ASSERT_EQ(c[static_cast<size_t>(row * n + column)], expected) << m << " " << n << " " << k;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace overt
