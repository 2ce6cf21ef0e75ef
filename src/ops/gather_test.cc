#include "ops/gather.h"

#include <gmock/gmock.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Node gather_node(const char* type, int64_t axis) {
  return test_node(type, 13, attribute_list(Attribute::of("axis", axis)), 2);
}

Node gather_nd(int64_t batch_dims = 0) {
  return test_node("GatherND", 13, attribute_list(Attribute::of("batch_dims", batch_dims)), 2);
}

Tensor table(Shape shape, std::vector<int64_t> values) {
  return int64_list(std::move(values)).reshaped(std::move(shape));
}

TEST(Gather, takes_slices_along_the_axis) {
  const Tensor rows = run_node(gather_node("Gather", 0), {counted({3, 2}), table({1, 2}, {2, -3})});
  EXPECT_EQ(rows.shape(), (Shape{1, 2, 2}));
  EXPECT_THAT(values_of<float>(rows), ElementsAre(4, 5, 0, 1));
  const Tensor column = run_node(gather_node("Gather", -1), {counted({3, 2}), table({}, {1})});
  EXPECT_EQ(column.shape(), (Shape{3}));
  EXPECT_THAT(values_of<float>(column), ElementsAre(1, 3, 5));
  const Tensor narrow = Tensor::of<int32_t>({1}, {1});
  EXPECT_THAT(values_of<float>(run_node(gather_node("Gather", 0), {counted({3}), narrow})), ElementsAre(1));
}

TEST(Gather, indices_out_of_range_are_refused) {
  const auto error = [](Tensor data, int64_t index) {
    return error_of([&] { run_node(gather_node("Gather", 0), {data, int64_list({index})}); });
  };
  EXPECT_EQ(error(counted({3}), 3),
            "invalid_argument: Gather #-1: index 3 is out of range for axis 0 of length 3, expected -3 to 2");
  EXPECT_THAT(error(counted({3}), INT64_MIN), HasSubstr("index -9223372036854775808 is out of range"));
  EXPECT_THAT(error(counted({0}), 0), HasSubstr("index 0 is out of range for axis 0 of length 0"));
  EXPECT_THAT(values_of<float>(run_node(gather_node("Gather", 0), {counted({0}), int64_list({})})), IsEmpty());
}

TEST(Gather, shapes_and_contents_are_symbolic) {
  const Dim n = Dim::symbol("N");
  const Dim s = Dim::symbol("S");
  const auto out = infer(gather_node("Gather", 0), {ValueInfo::tensor(DataType::float32, {1000, 64}),
                                                    ValueInfo::tensor(DataType::int64, {n, s})});
  EXPECT_EQ(shape_of(out[0]), "[N, S, 64]");
  const ValueInfo dims = known_vector({n, s, 3});
  EXPECT_EQ(contents_of(infer(gather_node("Gather", 0), {dims, table({}, {1})})[0]), "[S]");
  EXPECT_EQ(shape_of(infer(gather_node("Gather", 0), {dims, table({}, {1})})[0]), "[]");
  EXPECT_EQ(contents_of(infer(gather_node("Gather", 0), {dims, int64_list({-1, 0})})[0]), "[3, N]");
  EXPECT_EQ(contents_of(infer(gather_node("Gather", 0), {dims, int64_list({7})})[0]), "?");
  EXPECT_THAT(error_of([&] {
                infer(gather_node("Gather", 1), {dims, int64_list({0})});
              }),
              HasSubstr("axis 1 is out of range for rank 1"));
}

TEST(GatherElements, each_index_takes_one_element) {
  const Tensor out = run_node(gather_node("GatherElements", 1), {counted({2, 3}), table({2, 2}, {0, -1, 2, 1})});
  EXPECT_EQ(out.shape(), (Shape{2, 2}));
  EXPECT_THAT(values_of<float>(out), ElementsAre(0, 2, 5, 4));
  const Tensor first = run_node(gather_node("GatherElements", 0), {counted({3, 3}), table({1, 2}, {2, 1})});
  EXPECT_THAT(values_of<float>(first), ElementsAre(6, 4));
}

TEST(GatherElements, indices_must_fit) {
  const auto error = [](Tensor indices) {
    return error_of([&] { run_node(gather_node("GatherElements", 1), {counted({2, 3}), indices}); });
  };
  EXPECT_THAT(error(table({1, 1}, {3})), HasSubstr("index 3 is out of range for axis 1 of length 3"));
  EXPECT_THAT(error(table({3, 1}, {0, 0, 0})), HasSubstr("axis 0 of indices has length 3, expected at most 2"));
  EXPECT_THAT(error(int64_list({0})), HasSubstr("indices have rank 1, expected 2"));
  EXPECT_THAT(error_of([] {
                run_node(gather_node("GatherElements", 0), {counted({0, 2}), table({1, 2}, {0, 0})});
              }),
              HasSubstr("which has no elements"));
}

TEST(GatherND, tuples_point_at_slices) {
  const Tensor elements = run_node(gather_nd(), {counted({2, 2}), table({2, 2}, {0, 0, 1, -1})});
  EXPECT_THAT(values_of<float>(elements), ElementsAre(0, 3));
  const Tensor rows = run_node(gather_nd(), {counted({2, 2}), table({1, 1}, {1})});
  EXPECT_EQ(rows.shape(), (Shape{1, 2}));
  EXPECT_THAT(values_of<float>(rows), ElementsAre(2, 3));
}

TEST(GatherND, batch_dims_are_walked_together) {
  const Tensor out = run_node(gather_nd(1), {counted({2, 2, 2}), table({2, 1}, {1, 0})});
  EXPECT_EQ(out.shape(), (Shape{2, 2}));
  EXPECT_THAT(values_of<float>(out), ElementsAre(2, 3, 4, 5));
}

TEST(GatherND, tuples_must_fit) {
  const auto error = [](int64_t batch, Tensor indices) {
    return error_of([&] { run_node(gather_nd(batch), {counted({2, 2}), indices}); });
  };
  EXPECT_THAT(error(0, table({1, 3}, {0, 0, 0})), HasSubstr("batch_dims 0 and index tuples of 3 do not fit"));
  EXPECT_THAT(error(1, table({3, 1}, {0, 0, 0})), HasSubstr("batch dim 0 is 2 in data and 3 in indices"));
  EXPECT_THAT(error(0, table({1, 2}, {0, 2})), HasSubstr("index 2 is out of range for axis 1 of length 2"));
  EXPECT_THAT(error(-1, table({1, 1}, {0})), HasSubstr("batch_dims is -1"));
  EXPECT_THAT(error(0, table({}, {0})), HasSubstr("indices have rank 0"));
}

TEST(GatherND, shapes_are_symbolic) {
  const Dim n = Dim::symbol("N");
  const auto out = infer(
      gather_nd(1), {ValueInfo::tensor(DataType::float32, {n, 8, 4}), ValueInfo::tensor(DataType::int64, {n, 3, 1})});
  EXPECT_EQ(shape_of(out[0]), "[N, 3, 4]");
}

}  // namespace
}  // namespace overt
