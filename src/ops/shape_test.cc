#include "ops/shape.h"

#include <gmock/gmock.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Node shape_node(int64_t start, int64_t end) {
  return test_node("Shape", 15, attribute_list(Attribute::of("start", start), Attribute::of("end", end)));
}

TEST(Shape, contents_are_the_dims) {
  const auto out = infer(test_node("Shape", 13), {ValueInfo::tensor(DataType::float32, {Dim::symbol("N"), 3})});
  EXPECT_EQ(shape_of(out[0]), "[2]");
  EXPECT_EQ(contents_of(out[0]), "[N, 3]");
  EXPECT_THAT(values_of<int64_t>(run_node(test_node("Shape", 13), {counted({4, 0, 2})})), ElementsAre(4, 0, 2));
}

TEST(Shape, start_and_end_are_clamped) {
  const Tensor input = counted({2, 3, 4});
  EXPECT_THAT(values_of<int64_t>(run_node(shape_node(-2, 3), {input})), ElementsAre(3, 4));
  EXPECT_THAT(values_of<int64_t>(run_node(shape_node(0, -1), {input})), ElementsAre(2, 3));
  EXPECT_THAT(values_of<int64_t>(run_node(shape_node(-100, 100), {input})), ElementsAre(2, 3, 4));
  EXPECT_THAT(values_of<int64_t>(run_node(shape_node(2, 1), {input})), IsEmpty());
  EXPECT_THAT(values_of<int64_t>(run_node(shape_node(INT64_MIN, INT64_MAX), {input})), ElementsAre(2, 3, 4));
}

TEST(Shape, unknown_rank_gives_a_list_of_unknown_length) {
  const auto out = infer(test_node("Shape", 13), {ValueInfo{DataType::float32, {}, {}}});
  EXPECT_EQ(out[0].rank(), 1);
  EXPECT_EQ(out[0].type, DataType::int64);
}

TEST(Size, is_the_product) {
  const auto out = infer(test_node("Size", 13), {ValueInfo::tensor(DataType::float32, {Dim::symbol("N"), 3, 2})});
  EXPECT_EQ(shape_of(out[0]), "[]");
  EXPECT_EQ(contents_of(out[0]), "[6*N]");
  EXPECT_THAT(values_of<int64_t>(run_node(test_node("Size", 13), {counted({})})), ElementsAre(1));
  EXPECT_THAT(values_of<int64_t>(run_node(test_node("Size", 13), {counted({2, 0})})), ElementsAre(0));
}

}  // namespace
}  // namespace overt
