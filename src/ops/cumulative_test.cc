#include "ops/cumulative.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Node cumulative(const char* type, int64_t exclusive = 0, int64_t reverse = 0) {
  return test_node(type, 14, attribute_list(Attribute::of("exclusive", exclusive), Attribute::of("reverse", reverse)),
                   2);
}

Tensor axis(int64_t value) {
  return Tensor::of<int64_t>({}, {value});
}

TEST(Cumulative, exclusive_and_reverse) {
  const Tensor x = Tensor::of<double>({4}, {1, 2, 3, 4});
  const auto run = [&](const char* type, int64_t exclusive, int64_t reverse) {
    return values_of<double>(run_node(cumulative(type, exclusive, reverse), {x, axis(0)}));
  };
  EXPECT_THAT(run("CumSum", 0, 0), ElementsAre(1, 3, 6, 10));
  EXPECT_THAT(run("CumSum", 1, 0), ElementsAre(0, 1, 3, 6));
  EXPECT_THAT(run("CumSum", 0, 1), ElementsAre(10, 9, 7, 4));
  EXPECT_THAT(run("CumSum", 1, 1), ElementsAre(9, 7, 4, 0));
  EXPECT_THAT(run("CumProd", 0, 0), ElementsAre(1, 2, 6, 24));
  EXPECT_THAT(run("CumProd", 1, 1), ElementsAre(24, 12, 4, 1));
}

TEST(Cumulative, axes_of_a_matrix) {
  const Tensor x = Tensor::of<int32_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(values_of<int32_t>(run_node(cumulative("CumSum"), {x, axis(0)})), ElementsAre(1, 2, 3, 5, 7, 9));
  EXPECT_THAT(values_of<int32_t>(run_node(cumulative("CumSum"), {x, Tensor::of<int32_t>({1}, {-1})})),
              ElementsAre(1, 3, 6, 4, 9, 15));
}

TEST(Cumulative, empty_input_and_wrong_axis) {
  EXPECT_EQ(run_node(cumulative("CumSum"), {Tensor(DataType::float32, {3, 0}), axis(1)}).shape(), (Shape{3, 0}));
  const Tensor x = Tensor::of<int32_t>({2}, {1, 2});
  EXPECT_THAT(message_of([&] {
                infer(cumulative("CumSum"), {x, axis(1)});
              }),
              HasSubstr("axis 1 is out of range for an input of rank 1, expected -1 to 0"));
  EXPECT_THAT(message_of([&] {
                run_node(cumulative("CumSum"), {x, axis(-2)});
              }),
              HasSubstr("axis -2 is out of range"));
  EXPECT_THAT(message_of([&] {
                run_node(cumulative("CumSum"), {x, x});
              }),
              HasSubstr("axis has shape [2], expected a scalar"));
}

}  // namespace
}  // namespace overt
