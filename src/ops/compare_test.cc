#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;

Node binary(const char* type, int version = 13) {
  return test_node(type, version, {}, 2);
}

TEST(Compare, order_of_floats_and_nan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor a = Tensor::of<float>({4}, {1, 2, 3, nan});
  const Tensor b = Tensor::of<float>({4}, {2, 2, 2, nan});
  const auto run = [&](const char* type) { return values_of<bool>(run_node(binary(type), {a, b})); };
  EXPECT_THAT(run("Equal"), ElementsAre(false, true, false, false));
  EXPECT_THAT(run("Less"), ElementsAre(true, false, false, false));
  EXPECT_THAT(run("LessOrEqual"), ElementsAre(true, true, false, false));
  EXPECT_THAT(run("Greater"), ElementsAre(false, false, true, false));
  EXPECT_THAT(run("GreaterOrEqual"), ElementsAre(false, true, true, false));
}

TEST(Compare, unsigned_values_above_the_signed_range) {
  const Tensor a = Tensor::of<uint64_t>({1}, {UINT64_MAX});
  const Tensor b = Tensor::of<uint64_t>({2}, {1, UINT64_MAX});
  EXPECT_THAT(values_of<bool>(run_node(binary("Greater"), {a, b})), ElementsAre(true, false));
}

TEST(Equal, strings_and_bools) {
  const Tensor words = Tensor::of<std::string>({2, 1}, {"cat", "dog"});
  const Tensor word = Tensor::of<std::string>({1}, {"dog"});
  const Tensor y = run_node(binary("Equal", 19), {words, word});
  EXPECT_EQ(y.shape(), (Shape{2, 1}));
  EXPECT_THAT(values_of<bool>(y), ElementsAre(false, true));
  const Tensor truth = Tensor::of<bool>({2}, {true, false});
  EXPECT_THAT(values_of<bool>(run_node(binary("Equal"), {truth, truth})), ElementsAre(true, true));
}

TEST(Compare, contents_are_known_where_they_can_be_told) {
  const Dim n = Dim::symbol("N");
  const Tensor numbers = Tensor::of<int64_t>({2}, {0, 3});
  const auto elements = [&](const char* type, Dims a) {
    return infer(binary(type), {known_vector(std::move(a)), numbers})[0].elements;
  };
  EXPECT_EQ(elements("Equal", {n, Dim(3)}), (Dims{Dim(0), Dim(1)}));
  EXPECT_EQ(elements("Greater", {n, Dim(4)}), (Dims{Dim(1), Dim(1)}));
  EXPECT_EQ(elements("GreaterOrEqual", {n, Dim(3)}), (Dims{Dim(1), Dim(1)}));
  EXPECT_EQ(elements("Less", {n, Dim(2)}), (Dims{Dim(0), Dim(1)}));
  EXPECT_EQ(elements("LessOrEqual", {n, Dim(4)}), (Dims{Dim(0), Dim(0)}));
  EXPECT_EQ(elements("Equal", {n, n}), std::nullopt);
}

TEST(Compare, result_is_bool_of_the_broadcast_shape) {
  const ValueInfo y = infer(binary("Less"), {ValueInfo::tensor(DataType::float32, {Dim(2), Dim(1)}),
                                             ValueInfo::tensor(DataType::float32, {Dim(3)})})[0];
  EXPECT_EQ(y.type, DataType::boolean);
  EXPECT_EQ(*y.shape, (Dims{Dim(2), Dim(3)}));
}

}  // namespace
}  // namespace overt
