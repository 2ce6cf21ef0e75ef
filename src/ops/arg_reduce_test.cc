#include "ops/arg_reduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Node arg(const char* type, int64_t axis, int64_t keepdims = 0, int64_t last = 0) {
  return test_node(type, 13,
                   attribute_list(Attribute::of("axis", axis), Attribute::of("keepdims", keepdims),
                                  Attribute::of("select_last_index", last)));
}

TEST(ArgReduce, along_each_axis) {
  const Tensor x = Tensor::of<float>({2, 3}, {2, 1, 5, 3, 10, 4});
  EXPECT_THAT(values_of<int64_t>(run_node(arg("ArgMax", 0), {x})), ElementsAre(1, 1, 0));
  EXPECT_THAT(values_of<int64_t>(run_node(arg("ArgMax", -1), {x})), ElementsAre(2, 1));
  EXPECT_THAT(values_of<int64_t>(run_node(arg("ArgMin", 1), {x})), ElementsAre(1, 0));
  EXPECT_EQ(run_node(arg("ArgMin", 1, 1), {x}).shape(), (Shape{2, 1}));
}

TEST(ArgReduce, first_or_last_of_equals) {
  const Tensor x = Tensor::of<int32_t>({4}, {1, 7, 7, 1});
  EXPECT_THAT(values_of<int64_t>(run_node(arg("ArgMax", 0), {x})), ElementsAre(1));
  EXPECT_THAT(values_of<int64_t>(run_node(arg("ArgMax", 0, 0, 1), {x})), ElementsAre(2));
  EXPECT_THAT(values_of<int64_t>(run_node(arg("ArgMin", 0, 0, 1), {x})), ElementsAre(3));
}

TEST(ArgReduce, nan_is_chosen) {
  const Tensor x = Tensor::of<float>({4}, {1, kNan, 9, kNan});
  EXPECT_THAT(values_of<int64_t>(run_node(arg("ArgMax", 0), {x})), ElementsAre(1));
  EXPECT_THAT(values_of<int64_t>(run_node(arg("ArgMin", 0, 0, 1), {x})), ElementsAre(3));
}

TEST(ArgReduce, empty_axis_is_an_error_unless_nothing_is_asked) {
  EXPECT_THAT(message_of([] {
                run_node(arg("ArgMax", 1), {Tensor(DataType::float32, {2, 0})});
              }),
              HasSubstr("axis 1 of shape [2, 0] has no element to choose"));
  EXPECT_EQ(run_node(arg("ArgMax", 1), {Tensor(DataType::float32, {0, 2})}).shape(), Shape{0});
}

TEST(ArgReduce, inference_gives_int64) {
  const Dim n = Dim::symbol("N");
  const ValueInfo y = infer(arg("ArgMax", 1), {ValueInfo::tensor(DataType::float32, {n, Dim(5)})})[0];
  EXPECT_EQ(y.type, DataType::int64);
  EXPECT_EQ(*y.shape, Dims{n});
  EXPECT_THAT(message_of([&] {
                infer(arg("ArgMax", 2), {ValueInfo::tensor(DataType::float32, {n, Dim(5)})});
              }),
              HasSubstr("axis 2 is out of range for an input of rank 2, expected -2 to 1"));
}

TEST(Hardmax, first_maximum_of_each_row_is_one) {
  const Tensor x = Tensor::of<float>({2, 3}, {1, 3, 3, 5, 2, 0});
  EXPECT_THAT(values_of<float>(run_node(test_node("Hardmax", 13), {x})), ElementsAre(0, 1, 0, 1, 0, 0));
  const Node columns = test_node("Hardmax", 13, attribute_list(Attribute::of("axis", int64_t{0})));
  EXPECT_THAT(values_of<float>(run_node(columns, {x})), ElementsAre(0, 1, 1, 1, 0, 0));
}

TEST(Hardmax, trailing_axes_form_one_row_before_opset_thirteen) {
  const Tensor x = Tensor::of<float>({1, 2, 2}, {1, 2, 4, 3});
  EXPECT_THAT(values_of<float>(run_node(test_node("Hardmax", 11), {x})), ElementsAre(0, 0, 1, 0));
  EXPECT_EQ(run_node(test_node("Hardmax", 13), {Tensor(DataType::float32, {2, 0})}).shape(), (Shape{2, 0}));
}

}  // namespace
}  // namespace overt
