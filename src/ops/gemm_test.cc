#include "ops/gemm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Tensor kA = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
const Tensor kB = Tensor::of<float>({3, 2}, {1, 0, 0, 1, 1, 1});

TEST(Gemm, product_without_third_input) {
  const Tensor y = run_node(test_node("Gemm", 11, {}, 2), {kA, kB});
  EXPECT_THAT(values_of<float>(y), ElementsAre(4, 5, 10, 11));
}

TEST(Gemm, transposed_operands_scaled_and_shifted) {
  const Node node = test_node("Gemm", 13,
                              attribute_list(Attribute::of("transA", int64_t{1}), Attribute::of("transB", int64_t{1}),
                                             Attribute::of("alpha", 2.0f), Attribute::of("beta", 0.5f)),
                              3);
  const Tensor c = Tensor::of<float>({3, 1}, {2, 4, 6});
  // a transposed is [[1, 4], [2, 5], [3, 6]], b transposed [[1, 0, 1], [0, 1, 1]].
  EXPECT_THAT(values_of<float>(run_node(node, {kA, kB, c})), ElementsAre(3, 9, 11, 6, 12, 16, 9, 15, 21));
}

TEST(Gemm, third_input_broadcasts_from_scalar_vector_and_row) {
  const Node node = test_node("Gemm", 11, {}, 3);
  EXPECT_THAT(values_of<float>(run_node(node, {kA, kB, Tensor::of<float>({}, {1})})), ElementsAre(5, 6, 11, 12));
  EXPECT_THAT(values_of<float>(run_node(node, {kA, kB, Tensor::of<float>({2}, {1, 2})})), ElementsAre(5, 7, 11, 13));
  EXPECT_THAT(values_of<float>(run_node(node, {kA, kB, Tensor::of<float>({1, 2}, {1, 2})})),
              ElementsAre(5, 7, 11, 13));
}

TEST(Gemm, integers) {
  const Tensor y = run_node(test_node("Gemm", 11, {}, 2),
                            {Tensor::of<int32_t>({1, 2}, {-3, 2}), Tensor::of<int32_t>({2, 1}, {5, 1})});
  EXPECT_THAT(values_of<int32_t>(y), ElementsAre(-13));
}

TEST(Gemm, no_rows_and_no_terms) {
  EXPECT_EQ(run_node(test_node("Gemm", 11, {}, 2), {Tensor(DataType::float32, {0, 3}), kB}).shape(), (Shape{0, 2}));
  const Tensor y = run_node(
      test_node("Gemm", 11, {}, 3),
      {Tensor(DataType::float32, {1, 0}), Tensor(DataType::float32, {0, 2}), Tensor::of<float>({2}, {7, 8})});
  EXPECT_THAT(values_of<float>(y), ElementsAre(7, 8));
}

TEST(Gemm, symbolic_rows) {
  const ValueInfo a = ValueInfo::tensor(DataType::float32, {Dim::symbol("N"), 3});
  EXPECT_EQ(infer(test_node("Gemm", 11, {}, 2), {a, kB})[0].to_string(), "float32 [N, 2]");
}

TEST(Gemm, contradictions_are_rejected) {
  EXPECT_THAT(message_of([] {
                run_node(test_node("Gemm", 11, {}, 2), {kA, kA});
              }),
              HasSubstr("[2, 3] and [2, 3] do not fit: 3 columns, 2 rows"));
  EXPECT_THAT(message_of([] {
                run_node(test_node("Gemm", 11, {}, 3), {kA, kB, Tensor(DataType::float32, {3})});
              }),
              HasSubstr("input 2 [3] does not broadcast to [2, 2]"));
  EXPECT_THAT(message_of([] {
                run_node(test_node("Gemm", 11, {}, 2), {kA, Tensor(DataType::float32, {3})});
              }),
              HasSubstr("must have rank 2"));
  EXPECT_THAT(
      message_of([] {
        run_node(test_node("Gemm", 11, {}, 2), {Tensor(DataType::int64, {1, 1}), Tensor(DataType::int32, {1, 1})});
      }),
      HasSubstr("a factor has type int32"));
}

}  // namespace
}  // namespace overt
