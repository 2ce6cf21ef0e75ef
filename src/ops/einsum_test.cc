#include "ops/einsum.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Node einsum(std::string equation, int inputs = 1) {
  return test_node("Einsum", 12, attribute_list(Attribute::of("equation", std::move(equation))), inputs);
}

const Tensor kSquare = Tensor::of<float>({2, 2}, {1, 2, 3, 4});

TEST(Einsum, one_operand_transpose_diagonal_trace_and_sum) {
  EXPECT_THAT(values_of<float>(run_node(einsum("ij->ji"), {kSquare})), ElementsAre(1, 3, 2, 4));
  EXPECT_THAT(values_of<float>(run_node(einsum("ii->i"), {kSquare})), ElementsAre(1, 4));
  EXPECT_THAT(values_of<float>(run_node(einsum("ii"), {kSquare})), ElementsAre(5));
  EXPECT_THAT(values_of<float>(run_node(einsum("ij->i"), {kSquare})), ElementsAre(3, 7));
}

TEST(Einsum, implicit_result_has_the_single_letters_sorted) {
  EXPECT_THAT(values_of<float>(run_node(einsum("ba"), {kSquare})), ElementsAre(1, 3, 2, 4));
}

TEST(Einsum, two_operands_product_with_batch) {
  const Tensor a = Tensor::of<float>({2, 1, 2}, {1, 2, 3, 4}), b = Tensor::of<float>({2, 2, 1}, {1, 1, 2, 1});
  EXPECT_THAT(values_of<float>(run_node(einsum("bij, bjk -> bik", 2), {a, b})), ElementsAre(3, 10));
  EXPECT_THAT(values_of<float>(
                  run_node(einsum("i,j->ij", 2), {Tensor::of<float>({2}, {1, 2}), Tensor::of<float>({2}, {3, 4})})),
              ElementsAre(3, 4, 6, 8));
}

TEST(Einsum, three_operands) {
  const Tensor v = Tensor::of<float>({2}, {1, 2});
  EXPECT_THAT(values_of<float>(run_node(einsum("i,ij,j->", 3), {v, kSquare, v})), ElementsAre(27));
}

TEST(Einsum, ellipsis_broadcasts_and_lengths_of_one_too) {
  const Tensor a = Tensor::of<float>({1, 2, 2}, {1, 2, 3, 4}), b = Tensor::of<float>({2, 1, 2}, {1, 0, 0, 1});
  const Tensor y = run_node(einsum("...i,...i->...", 2), {a, b});
  EXPECT_EQ(y.shape(), (Shape{2, 2}));
  EXPECT_THAT(values_of<float>(y), ElementsAre(1, 3, 2, 4));
}

TEST(Einsum, integers_and_empty_axes) {
  const Tensor v = Tensor::of<int64_t>({2}, {3, -4});
  EXPECT_THAT(values_of<int64_t>(run_node(einsum("i,i", 2), {v, v})), ElementsAre(25));
  EXPECT_THAT(values_of<float>(run_node(einsum("i->"), {Tensor(DataType::float32, {0})})), ElementsAre(0));
}

TEST(Einsum, symbolic_shape) {
  const ValueInfo a = ValueInfo::tensor(DataType::float32, {Dim::symbol("B"), Dim::symbol("T"), 8});
  EXPECT_EQ(infer(einsum("btd,bsd->bts", 2), {a, a})[0].to_string(), "float32 [B, T, T]");
}

TEST(Einsum, bad_equations_are_rejected) {
  const auto message = [](std::string equation) {
    return message_of([&] { run_node(einsum(std::move(equation)), {kSquare}); });
  };
  EXPECT_THAT(message("ij->k"), HasSubstr("has a letter in its result that no input has"));
  EXPECT_THAT(message("ij->ii"), HasSubstr("repeats a letter in its result"));
  EXPECT_THAT(message("i.->i"), HasSubstr("no letter, comma, arrow or ellipsis"));
  EXPECT_THAT(message("...i...->i"), HasSubstr("two ellipses"));
  EXPECT_THAT(message("i->i"), HasSubstr("does not fit input 0 of shape [2, 2]"));
  EXPECT_THAT(message("ij,jk->ik"), HasSubstr("has 2 terms for 1 inputs"));
  EXPECT_THAT(message_of([] {
                run_node(einsum("ii->i"), {Tensor(DataType::float32, {2, 3})});
              }),
              HasSubstr("gives one letter the lengths 2 and 3"));
}

TEST(Einsum, an_outer_product_that_explodes_is_refused) {
  const Tensor v(DataType::float32, {1024}), m(DataType::float32, {1024, 1024});
  EXPECT_THAT(message_of([&] {
                run_node(einsum("a,b,c,d,ab,cd->", 6), {v, v, v, v, m, m});
              }),
              HasSubstr("an intermediate result has more than 134479936 elements"));
}

}  // namespace
}  // namespace overt
