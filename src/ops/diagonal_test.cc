#include "ops/diagonal.h"

#include <gmock/gmock.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

Node trilu_node(int64_t upper) {
  return test_node("Trilu", 14, attribute_list(Attribute::of("upper", upper)), 2);
}

std::vector<float> triangle(int64_t upper, Shape shape, int64_t k) {
  Tensor input(DataType::float32, std::move(shape));
  for (float& value : input.mutable_values<float>()) value = 1.0f;
  return values_of<float>(run_node(trilu_node(upper), {input, Tensor::of<int64_t>({}, {k})}));
}

TEST(Trilu, keeps_one_side_of_the_diagonal) {
  EXPECT_THAT(triangle(1, {2, 3}, 0), ElementsAre(1, 1, 1, 0, 1, 1));
  EXPECT_THAT(triangle(1, {2, 3}, 1), ElementsAre(0, 1, 1, 0, 0, 1));
  EXPECT_THAT(triangle(0, {2, 3}, 0), ElementsAre(1, 0, 0, 1, 1, 0));
  EXPECT_THAT(triangle(0, {2, 3}, -1), ElementsAre(0, 0, 0, 1, 0, 0));
  EXPECT_THAT(triangle(0, {2, 1, 1}, 0), ElementsAre(1, 1));
}

TEST(Trilu, diagonals_beyond_the_matrix) {
  EXPECT_THAT(triangle(1, {2, 2}, INT64_MAX), Each(0));
  EXPECT_THAT(triangle(1, {2, 2}, INT64_MIN), Each(1));
  EXPECT_THAT(triangle(0, {2, 2}, INT64_MAX), Each(1));
  EXPECT_THAT(triangle(0, {2, 2}, INT64_MIN), Each(0));
}

TEST(Trilu, needs_a_matrix) {
  EXPECT_THAT(error_of([] { triangle(1, {2}, 0); }), HasSubstr("the input has rank 1, expected at least 2"));
}

TEST(EyeLike, type_and_diagonal_are_attributes) {
  const Node node =
      test_node("EyeLike", 9, attribute_list(Attribute::of("k", int64_t{1}), Attribute::of("dtype", int64_t{7})));
  EXPECT_THAT(values_of<int64_t>(run_node(node, {counted({2, 3})})), ElementsAre(0, 1, 0, 0, 0, 1));
  EXPECT_THAT(values_of<float>(run_node(test_node("EyeLike", 9), {counted({2, 2})})), ElementsAre(1, 0, 0, 1));
}

TEST(EyeLike, diagonals_beyond_the_matrix_are_not_there) {
  for (const int64_t k : {INT64_MIN, int64_t{-2}, int64_t{2}, INT64_MAX}) {
    const Node node = test_node("EyeLike", 9, attribute_list(Attribute::of("k", k)));
    EXPECT_THAT(values_of<float>(run_node(node, {counted({2, 2})})), Each(0));
  }
}

TEST(EyeLike, refuses_other_ranks_and_types) {
  EXPECT_THAT(error_of([] { run_node(test_node("EyeLike", 9), {counted({2})}); }), HasSubstr("rank 1, expected 2"));
  const Node node = test_node("EyeLike", 9, attribute_list(Attribute::of("dtype", int64_t{99})));
  EXPECT_THAT(error_of([&] {
                run_node(node, {counted({2, 2})});
              }),
              HasSubstr("dtype is 99, which is no element type"));
}

}  // namespace
}  // namespace overt
