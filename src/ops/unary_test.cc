#include "ops/unary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsNan;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Tensor run_floats(const char* type, std::initializer_list<float> values) {
  return run_node(test_node(type, 13), {Tensor::of<float>({static_cast<int64_t>(values.size())}, values)});
}

TEST(Unary, functions_of_one_half) {
  struct Case {
    const char* type;
    float expected;
  };
  constexpr Case kCases[] = {
      {"Ceil", 1.0f},        {"Floor", 0.0f},        {"Sqrt", 0.70710678f}, {"Reciprocal", 2.0f},
      {"Exp", 1.6487213f},   {"Log", -0.69314718f},  {"Erf", 0.52049988f},  {"Sin", 0.47942554f},
      {"Cos", 0.87758256f},  {"Tan", 0.54630249f},   {"Asin", 0.52359878f}, {"Acos", 1.0471976f},
      {"Atan", 0.46364761f}, {"Sinh", 0.52109531f},  {"Cosh", 1.1276260f},  {"Asinh", 0.48121183f},
      {"Abs", 0.5f},         {"Atanh", 0.54930614f}, {"Neg", -0.5f},        {"Sign", 1.0f},
  };
  for (const Case& one : kCases) {
    const std::vector<float> result = values_of<float>(run_floats(one.type, {0.5f}));
    EXPECT_THAT(result, ElementsAre(FloatNear(one.expected, 1e-6f))) << one.type;
  }
  EXPECT_THAT(values_of<float>(run_floats("Acosh", {10.0f})), ElementsAre(FloatNear(2.9932228f, 1e-6f)));
}

TEST(Unary, round_takes_halves_to_the_even_neighbour) {
  EXPECT_THAT(values_of<float>(run_floats("Round", {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 2.4f})),
              ElementsAre(0.0f, 2.0f, 2.0f, -0.0f, -2.0f, 2.0f));
}

TEST(Unary, nan_and_infinity_go_through) {
  EXPECT_THAT(values_of<float>(run_floats("Abs", {kNan, -kInfinity})), ElementsAre(IsNan(), kInfinity));
  EXPECT_THAT(values_of<float>(run_floats("Sign", {kNan, -kInfinity, -0.0f})), ElementsAre(IsNan(), -1.0f, 0.0f));
  EXPECT_THAT(values_of<float>(run_floats("Sqrt", {-1.0f, kInfinity})), ElementsAre(IsNan(), kInfinity));
  EXPECT_THAT(values_of<float>(run_floats("Log", {0.0f})), ElementsAre(-kInfinity));
  EXPECT_THAT(values_of<float>(run_floats("Erf", {kInfinity, -kInfinity})), ElementsAre(1.0f, -1.0f));
  EXPECT_THAT(values_of<float>(run_floats("Reciprocal", {0.0f})), ElementsAre(kInfinity));
}

TEST(Unary, least_integer_wraps_instead_of_trapping) {
  const Tensor least = Tensor::of<int32_t>({2}, {INT32_MIN, -3});
  EXPECT_THAT(values_of<int32_t>(run_node(test_node("Abs", 13), {least})), ElementsAre(INT32_MIN, 3));
  EXPECT_THAT(values_of<int32_t>(run_node(test_node("Neg", 13), {least})), ElementsAre(INT32_MIN, 3));
  EXPECT_THAT(values_of<int8_t>(run_node(test_node("Neg", 13), {Tensor::of<int8_t>({2}, {-128, 5})})),
              ElementsAre(-128, -5));
  EXPECT_THAT(values_of<uint8_t>(run_node(test_node("Abs", 13), {Tensor::of<uint8_t>({1}, {255})})),
              ElementsAre(255));
}

TEST(Unary, sixteen_bit_floats_are_computed_in_float) {
  const Tensor half = Tensor::of<Float16>({2}, {Float16(4.0f), Float16(2.25f)});
  EXPECT_THAT(floats_of<Float16>(run_node(test_node("Sqrt", 13), {half})), ElementsAre(2.0f, 1.5f));
  const Tensor brain = Tensor::of<BFloat16>({1}, {BFloat16(-2.0f)});
  EXPECT_THAT(floats_of<BFloat16>(run_node(test_node("Neg", 13), {brain})), ElementsAre(2.0f));
}

TEST(Unary, double_keeps_its_precision) {
  const Tensor result = run_node(test_node("Exp", 13), {Tensor::of<double>({1}, {1.0})});
  EXPECT_DOUBLE_EQ(result.values<double>()[0], 2.718281828459045);
}

TEST(Unary, predicates_give_bools) {
  const Tensor x = Tensor::of<float>({4}, {kNan, kInfinity, -kInfinity, 1.0f});
  EXPECT_THAT(values_of<bool>(run_node(test_node("IsNaN", 20), {x})), ElementsAre(true, false, false, false));
  EXPECT_THAT(values_of<bool>(run_node(test_node("IsInf", 20), {x})), ElementsAre(false, true, true, false));
  const Node positive = test_node("IsInf", 20, attribute_list(Attribute::of("detect_negative", int64_t{0})));
  EXPECT_THAT(values_of<bool>(run_node(positive, {x})), ElementsAre(false, true, false, false));
  EXPECT_EQ(infer(test_node("IsNaN", 20), {ValueInfo::tensor(DataType::float16, {Dim(4)})})[0].type,
            DataType::boolean);
}

TEST(Unary, bits_and_truth_are_inverted) {
  EXPECT_THAT(values_of<bool>(run_node(test_node("Not", 1), {Tensor::of<bool>({2}, {true, false})})),
              ElementsAre(false, true));
  EXPECT_THAT(values_of<uint8_t>(run_node(test_node("BitwiseNot", 18), {Tensor::of<uint8_t>({2}, {0, 0xf0})})),
              ElementsAre(255, 15));
  EXPECT_THAT(values_of<int32_t>(run_node(test_node("BitwiseNot", 18), {Tensor::of<int32_t>({1}, {0})})),
              ElementsAre(-1));
}

TEST(Unary, empty_and_scalar_shapes_are_kept) {
  const Tensor empty = run_node(test_node("Exp", 13), {Tensor(DataType::float32, {2, 0})});
  EXPECT_EQ(empty.shape(), (Shape{2, 0}));
  EXPECT_THAT(values_of<float>(empty), IsEmpty());
  const Tensor scalar = run_node(test_node("Neg", 13), {Tensor::of<float>({}, {3.0f})});
  EXPECT_EQ(scalar.shape(), Shape{});
  EXPECT_THAT(values_of<float>(scalar), ElementsAre(-3.0f));
}

TEST(Unary, inference_keeps_symbolic_shapes_and_contents) {
  const Dim n = Dim::symbol("N");
  const ValueInfo y = infer(test_node("Neg", 13), {known_vector({n, Dim(3)})})[0];
  EXPECT_EQ(*y.shape, Dims{Dim(2)});
  EXPECT_EQ(*y.elements, (Dims{Dim(0) - n, Dim(-3)}));
  EXPECT_EQ(*infer(test_node("Abs", 13), {known_vector({n, Dim(-3)})})[0].elements, (Dims{n, Dim(3)}));
  const ValueInfo symbolic = infer(test_node("Exp", 13), {ValueInfo::tensor(DataType::float32, {n, Dim(3)})})[0];
  EXPECT_EQ(*symbolic.shape, (Dims{n, Dim(3)}));
  ValueInfo unknown;
  unknown.type = DataType::float32;
  EXPECT_FALSE(infer(test_node("Exp", 13), {unknown})[0].shape.has_value());
}

TEST(Unary, not_of_known_bools_is_known) {
  const Tensor x = Tensor::of<bool>({2}, {true, false});
  EXPECT_EQ(*infer(test_node("Not", 1), {x})[0].elements, (Dims{Dim(0), Dim(1)}));
}

TEST(Unary, type_that_the_standard_does_not_list_is_rejected) {
  EXPECT_THAT(message_of([] { infer(test_node("Exp", 13), {ValueInfo::tensor(DataType::int32, {Dim(2)})}); }),
              HasSubstr("input 0 has int32 elements, which Exp does not take"));
}

}  // namespace
}  // namespace overt
