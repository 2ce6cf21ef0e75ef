#include "ops/select.h"

#include <gmock/gmock.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Node where = test_node("Where", 16, {}, 3);
const Node non_zero = test_node("NonZero", 13);

Tensor flags(std::vector<int> values) {
  Tensor tensor(DataType::boolean, Shape{static_cast<int64_t>(values.size())});
  for (size_t i = 0; i < values.size(); ++i) tensor.mutable_values<bool>()[i] = values[i] != 0;
  return tensor;
}

TEST(Where, broadcasts_all_three) {
  const Tensor x = counted({2, 1});
  const Tensor y = Tensor::of<float>({}, {9.0f});
  const Tensor out = run_node(where, {flags({1, 0}), x, y});
  EXPECT_EQ(out.shape(), (Shape{2, 2}));
  EXPECT_THAT(values_of<float>(out), ElementsAre(0, 9, 1, 9));
  EXPECT_THAT(values_of<float>(run_node(where, {flags({}), counted({0}), counted({1})})), IsEmpty());
}

TEST(Where, inputs_must_fit) {
  const auto error = [](Tensor condition, Tensor x, Tensor y) {
    return error_of([&] { run_node(where, {condition, x, y}); });
  };
  EXPECT_THAT(error(flags({1, 0}), counted({3}), counted({3})),
              HasSubstr("the shapes [2], [3] and [3] do not broadcast"));
  EXPECT_THAT(error(flags({1}), counted({1}), int64_list({1})), HasSubstr("input 1 is float32 and input 2 is int64"));
  EXPECT_THAT(error(counted({1}), counted({1}), counted({1})), HasSubstr("the condition is float32, expected bool"));
}

TEST(Where, contents_follow_a_known_condition) {
  const Dim n = Dim::symbol("N");
  const auto out = infer(where, {flags({1, 0}), known_vector({n, 2}), known_vector({3, n})});
  EXPECT_EQ(contents_of(out[0]), "[N, N]");
  const ValueInfo unknown = ValueInfo::tensor(DataType::boolean, {1});
  EXPECT_EQ(contents_of(infer(where, {unknown, known_vector({n}), known_vector({3})})[0]), "?");
}

TEST(NonZero, gives_one_row_for_each_axis) {
  const Tensor input = Tensor::of<int32_t>({2, 2}, {0, 3, 5, 0});
  const Tensor out = run_node(non_zero, {input});
  EXPECT_EQ(out.shape(), (Shape{2, 2}));
  EXPECT_THAT(values_of<int64_t>(out), ElementsAre(0, 1, 1, 0));
  EXPECT_EQ(run_node(non_zero, {Tensor(DataType::float32, {2, 0})}).shape(), (Shape{2, 0}));
  EXPECT_EQ(run_node(non_zero, {Tensor::of<float>({}, {1.0f})}).shape(), (Shape{0, 1}));
  EXPECT_THAT(values_of<int64_t>(run_node(non_zero, {flags({1, 0, 1})})), ElementsAre(0, 2));
}

TEST(NonZero, the_count_is_unknown_before) {
  const auto out = infer(non_zero, {ValueInfo::tensor(DataType::float32, {4, 4})});
  EXPECT_EQ((*out[0].shape)[0], Dim(2));
  EXPECT_FALSE((*out[0].shape)[1].is_number());
}

TEST(Compress, along_an_axis_or_flat) {
  const Node by_axis = test_node("Compress", 11, attribute_list(Attribute::of("axis", int64_t{-1})), 2);
  const Tensor columns = run_node(by_axis, {counted({2, 3}), flags({0, 1, 1})});
  EXPECT_EQ(columns.shape(), (Shape{2, 2}));
  EXPECT_THAT(values_of<float>(columns), ElementsAre(1, 2, 4, 5));
  const Node flat = test_node("Compress", 11, {}, 2);
  EXPECT_THAT(values_of<float>(run_node(flat, {counted({2, 2}), flags({0, 1, 0})})), ElementsAre(1));
  EXPECT_THAT(error_of([&] {
                run_node(by_axis, {counted({2, 1}), flags({0, 1})});
              }),
              HasSubstr("the condition holds at position 1, and the axis has length 1"));
  const Node beyond = test_node("Compress", 11, attribute_list(Attribute::of("axis", int64_t{2})), 2);
  EXPECT_THAT(error_of([&] {
                run_node(beyond, {counted({2, 1}), flags({1})});
              }),
              HasSubstr("axis 2 is out of range"));
}

}  // namespace
}  // namespace overt
