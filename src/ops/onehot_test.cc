#include "ops/onehot.h"

#include <gmock/gmock.h>

#include <cmath>

#include "ops/test_node.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

Node onehot_node(int64_t axis = -1) {
  return test_node("OneHot", 11, attribute_list(Attribute::of("axis", axis)), 3);
}

const Tensor off_on = Tensor::of<float>({2}, {0.0f, 1.0f});

TEST(OneHot, the_new_axis_is_last_or_where_the_node_says) {
  const Tensor last = run_node(onehot_node(), {int64_list({0, -1}), int64_list({3}), off_on});
  EXPECT_EQ(last.shape(), (Shape{2, 3}));
  EXPECT_THAT(values_of<float>(last), ElementsAre(1, 0, 0, 0, 0, 1));
  const Tensor first = run_node(onehot_node(0), {int64_list({0, -1}), int64_list({3}), off_on});
  EXPECT_EQ(first.shape(), (Shape{3, 2}));
  EXPECT_THAT(values_of<float>(first), ElementsAre(1, 0, 0, 0, 0, 1));
}

TEST(OneHot, indices_out_of_range_are_all_off) {
  const Tensor out = run_node(onehot_node(), {int64_list({2, -3, INT64_MIN}), int64_list({2}), off_on});
  EXPECT_THAT(values_of<float>(out), ElementsAre(0, 0, 0, 0, 0, 0));
}

TEST(OneHot, indices_and_depth_may_be_floats) {
  const Tensor indices = Tensor::of<float>({3}, {1.0f, std::nanf(""), 1e30f});
  const Tensor out = run_node(onehot_node(), {indices, Tensor::of<float>({}, {2.0f}), int64_list({5, 6})});
  EXPECT_THAT(values_of<int64_t>(out), ElementsAre(5, 6, 5, 5, 5, 5));
}

TEST(OneHot, shapes_are_symbolic) {
  const Dim n = Dim::symbol("N");
  const ValueInfo indices = ValueInfo::tensor(DataType::int64, {n});
  const ValueInfo values = ValueInfo::tensor(DataType::float32, {2});
  EXPECT_EQ(shape_of(infer(onehot_node(), {indices, int64_list({4}), values})[0]), "[N, 4]");
  EXPECT_EQ(shape_of(infer(onehot_node(), {indices, known_vector({n}), values})[0]), "[N, N]");
}

TEST(OneHot, hostile_depths_are_refused) {
  const auto error = [](std::vector<int64_t> depth, Tensor values, int64_t axis = -1) {
    return error_of([&] {
      evaluate_node(onehot_node(axis), std::vector{int64_list({0}), int64_list(depth), values}, 1 << 20);
    });
  };
  EXPECT_THAT(error({-1}, off_on), HasSubstr("depth is -1, expected 0 or more"));
  EXPECT_THAT(error({int64_t{1} << 44}, off_on), StartsWith("out_of_memory: "));
  EXPECT_THAT(error({1, 2}, off_on), HasSubstr("depth has 2 elements"));
  EXPECT_THAT(error({2}, counted({3})), HasSubstr("values has 3 elements, expected 2: off and on"));
  EXPECT_THAT(error({2}, off_on, 2), HasSubstr("axis 2 is out of range for rank 2"));
}

}  // namespace
}  // namespace overt
