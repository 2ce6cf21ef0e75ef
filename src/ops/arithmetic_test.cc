#include "ops/arithmetic.h"

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

template <typename T>
std::vector<T> run_pair(const Node& node, const Tensor& a, const Tensor& b) {
  return values_of<T>(run_node(node, {a, b}));
}

Node binary(const char* type, int version = 14) {
  return test_node(type, version, {}, 2);
}

TEST(Arithmetic, shapes_are_broadcast) {
  const Tensor a = Tensor::of<float>({2, 1, 2}, {1, 2, 3, 4});
  const Tensor b = Tensor::of<float>({3, 1}, {10, 20, 30});
  const Tensor y = run_node(binary("Add"), {a, b});
  EXPECT_EQ(y.shape(), (Shape{2, 3, 2}));
  EXPECT_THAT(values_of<float>(y), ElementsAre(11, 12, 21, 22, 31, 32, 13, 14, 23, 24, 33, 34));
  EXPECT_THAT(run_pair<float>(binary("Sub"), Tensor::of<float>({}, {1}), Tensor::of<float>({2}, {3, 5})),
              ElementsAre(-2, -4));
}

TEST(Arithmetic, empty_and_scalar_operands) {
  const Tensor empty = run_node(binary("Mul"), {Tensor(DataType::float32, {0, 3}), Tensor::of<float>({1}, {2})});
  EXPECT_EQ(empty.shape(), (Shape{0, 3}));
  EXPECT_THAT(values_of<float>(empty), IsEmpty());
  EXPECT_EQ(run_node(binary("Mul"), {Tensor::of<float>({}, {2}), Tensor::of<float>({}, {3})}).shape(), Shape{});
}

TEST(Arithmetic, integers_wrap_around) {
  EXPECT_THAT(run_pair<int32_t>(binary("Add"), Tensor::of<int32_t>({1}, {INT32_MAX}), Tensor::of<int32_t>({1}, {1})),
              ElementsAre(INT32_MIN));
  EXPECT_THAT(
      run_pair<uint16_t>(binary("Mul"), Tensor::of<uint16_t>({1}, {65535}), Tensor::of<uint16_t>({1}, {65535})),
      ElementsAre(1));
  EXPECT_THAT(run_pair<uint8_t>(binary("Sub"), Tensor::of<uint8_t>({1}, {1}), Tensor::of<uint8_t>({1}, {2})),
              ElementsAre(255));
}

TEST(Arithmetic, sixteen_bit_floats) {
  const Tensor a = Tensor::of<Float16>({1}, {Float16(1.5f)});
  EXPECT_THAT(floats_of<Float16>(run_node(binary("Mul"), {a, a})), ElementsAre(2.25f));
  const Tensor b = Tensor::of<BFloat16>({1}, {BFloat16(3.0f)});
  EXPECT_THAT(floats_of<BFloat16>(run_node(binary("Add"), {b, b})), ElementsAre(6.0f));
}

TEST(Arithmetic, shapes_that_do_not_broadcast_are_rejected) {
  const Tensor a = Tensor::of<float>({2}, {1, 2});
  const Tensor b = Tensor::of<float>({3}, {1, 2, 3});
  EXPECT_THAT(message_of([&] { infer(binary("Add"), {a, b}); }), HasSubstr("shapes [2] and [3] do not broadcast"));
  EXPECT_THAT(message_of([&] { run_node(binary("Add"), {a, b}); }), HasSubstr("shapes [2] and [3] do not broadcast"));
  EXPECT_THAT(message_of([&] {
                infer(binary("Add"), {a, Tensor::of<int32_t>({1}, {1})});
              }),
              HasSubstr("input 0 has float32 elements and input 1 has int32, expected one type"));
}

TEST(Arithmetic, opset_six_broadcast_starts_at_an_axis) {
  const Node node = test_node(
      "Add", 6, attribute_list(Attribute::of("broadcast", int64_t{1}), Attribute::of("axis", int64_t{1})), 2);
  const Tensor a = Tensor::of<float>({1, 2, 2}, {1, 2, 3, 4});
  const Tensor b = Tensor::of<float>({2}, {10, 20});
  EXPECT_THAT(run_pair<float>(node, a, b), ElementsAre(11, 12, 23, 24));
  EXPECT_EQ(*infer(node, {a, b})[0].shape, (Dims{Dim(1), Dim(2), Dim(2)}));
  EXPECT_THAT(message_of([&] { infer(node, {b, a}); }), HasSubstr("axis 1 leaves no room for 3 axes"));
}

TEST(Div, integers_truncate_toward_zero) {
  EXPECT_THAT(run_pair<int32_t>(binary("Div"), Tensor::of<int32_t>({4}, {7, -7, 7, INT32_MIN}),
                                Tensor::of<int32_t>({4}, {2, 2, -2, -1})),
              ElementsAre(3, -3, -3, INT32_MIN));
  EXPECT_THAT(run_pair<int64_t>(binary("Div"), Tensor::of<int64_t>({1}, {INT64_MIN}), Tensor::of<int64_t>({1}, {-1})),
              ElementsAre(INT64_MIN));
}

TEST(Div, integer_zero_is_an_error_and_float_zero_is_infinity) {
  const Tensor zeros = Tensor::of<int64_t>({2}, {1, 0});
  EXPECT_THAT(message_of([&] {
                run_node(binary("Div"), {zeros, zeros});
              }),
              HasSubstr("element 1 of input 1 is 0, and integers cannot be divided by it"));
  EXPECT_THAT(message_of([&] {
                run_node(binary("Mod", 13), {zeros, zeros});
              }),
              HasSubstr("element 1 of input 1 is 0"));
  EXPECT_THAT(run_pair<float>(binary("Div"), Tensor::of<float>({2}, {1, 0}), Tensor::of<float>({1}, {0})),
              ElementsAre(kInfinity, IsNan()));
  EXPECT_EQ(run_node(binary("Div"), {Tensor(DataType::int32, {0}), Tensor::of<int32_t>({1}, {0})}).shape(), Shape{0});
}

TEST(Mod, sign_follows_the_divisor_or_the_dividend) {
  const Tensor a = Tensor::of<int32_t>({6}, {-4, 7, 5, 4, -7, 8});
  const Tensor b = Tensor::of<int32_t>({6}, {2, -3, 8, -2, 3, 5});
  EXPECT_THAT(run_pair<int32_t>(binary("Mod", 13), a, b), ElementsAre(0, -2, 5, 0, 2, 3));
  const Node fmod = test_node("Mod", 13, attribute_list(Attribute::of("fmod", int64_t{1})), 2);
  EXPECT_THAT(run_pair<int32_t>(fmod, a, b), ElementsAre(0, 1, 5, 0, -1, 3));
  EXPECT_THAT(run_pair<int64_t>(fmod, Tensor::of<int64_t>({1}, {INT64_MIN}), Tensor::of<int64_t>({1}, {-1})),
              ElementsAre(0));
  EXPECT_THAT(run_pair<uint8_t>(binary("Mod", 13), Tensor::of<uint8_t>({1}, {250}), Tensor::of<uint8_t>({1}, {7})),
              ElementsAre(5));
  EXPECT_THAT(run_pair<float>(fmod, Tensor::of<float>({2}, {-4.3f, 7.2f}), Tensor::of<float>({2}, {2.1f, -3.4f})),
              ElementsAre(FloatNear(-0.1f, 1e-6f), FloatNear(0.4f, 1e-6f)));
}

TEST(Mod, floats_follow_the_divisor_from_opset_twenty_eight) {
  const Tensor a = Tensor::of<float>({7}, {-4.3f, 7.2f, 0.0f, -3.0f, 1.0f, kInfinity, 1.0f});
  const Tensor b = Tensor::of<float>({7}, {2.1f, -3.4f, -2.0f, kInfinity, 0.0f, 2.0f, kNan});
  const std::vector<float> y = run_pair<float>(binary("Mod", 28), a, b);
  EXPECT_THAT(
      y, ElementsAre(FloatNear(2.0f, 1e-5f), FloatNear(-3.0f, 1e-5f), -0.0f, kInfinity, IsNan(), IsNan(), IsNan()));
  EXPECT_TRUE(std::signbit(y[2]));
}

TEST(Mod, floats_need_fmod_before_opset_twenty_eight) {
  const ValueInfo x = ValueInfo::tensor(DataType::float32, {Dim(2)});
  EXPECT_THAT(message_of([&] { infer(binary("Mod", 13), {x, x}); }), HasSubstr("fmod is 0 for float32 elements"));
}

TEST(Pow, integers_are_exact_and_wrap) {
  const Tensor base = Tensor::of<int64_t>({4}, {3, -2, 10, 2});
  EXPECT_THAT(run_pair<int64_t>(binary("Pow", 15), base, Tensor::of<int64_t>({4}, {39, 3, 18, 64})),
              ElementsAre(4052555153018976267, -8, 1000000000000000000, 0));
  EXPECT_THAT(
      run_pair<int32_t>(binary("Pow", 15), Tensor::of<int32_t>({4}, {1, -1, 2, 0}), Tensor::of<int32_t>({1}, {-3})),
      ElementsAre(1, -1, 0, 0));
}

TEST(Pow, exponents_of_other_types) {
  const Tensor base = Tensor::of<float>({3}, {1, 2, -3});
  EXPECT_THAT(run_pair<float>(binary("Pow", 15), base, Tensor::of<uint64_t>({3}, {4, 5, 3})),
              ElementsAre(1, 32, -27));
  EXPECT_THAT(
      run_pair<int32_t>(binary("Pow", 15), Tensor::of<int32_t>({2}, {4, 2}), Tensor::of<float>({2}, {0.5f, 40})),
      ElementsAre(2, INT32_MAX));
  EXPECT_THAT(run_pair<float>(binary("Pow", 15), base, Tensor::of<Float16>({}, {Float16(2.0f)})),
              ElementsAre(1, 4, 9));
  const Tensor half = Tensor::of<Float16>({1}, {Float16(3.0f)});
  EXPECT_THAT(floats_of<Float16>(run_node(binary("Pow", 15), {half, Tensor::of<int8_t>({1}, {2})})), ElementsAre(9));
  EXPECT_THAT(run_pair<float>(binary("Pow", 15), Tensor::of<float>({2}, {-1, 0}), Tensor::of<float>({2}, {0.5f, -1})),
              ElementsAre(IsNan(), kInfinity));
  EXPECT_EQ(infer(binary("Pow", 15), {base, Tensor::of<int64_t>({}, {2})})[0].type, DataType::float32);
}

TEST(Arithmetic, contents_are_tracked_over_symbols) {
  const Dim n = Dim::symbol("N");
  const ValueInfo x = known_vector({n, Dim(6)});
  const Tensor two = Tensor::of<int64_t>({1}, {2});
  const auto elements = [&](const char* type) { return *infer(binary(type), {x, two})[0].elements; };
  EXPECT_EQ(elements("Add"), (Dims{n + Dim(2), Dim(8)}));
  EXPECT_EQ(elements("Sub"), (Dims{n - Dim(2), Dim(4)}));
  EXPECT_EQ(elements("Mul"), (Dims{n * Dim(2), Dim(12)}));
  EXPECT_EQ(elements("Div"), (Dims{floor_div(n, Dim(2)), Dim(3)}));
  EXPECT_EQ(elements("Mod"), (Dims{modulo(n, Dim(2)), Dim(0)}));
}

TEST(Arithmetic, division_of_contents_is_exact_or_of_known_sign) {
  const Dim n = Dim::symbol("N");
  const Tensor minus_two = Tensor::of<int64_t>({1}, {-2});
  const auto divided = [](Dim a, const TestInput& b) {
    return infer(binary("Div"), {known_vector({std::move(a)}), b})[0].elements;
  };
  EXPECT_EQ(divided(Dim(-7), Tensor::of<int64_t>({1}, {2})), Dims{Dim(-3)});
  EXPECT_EQ(divided(Dim(4) * n, minus_two), Dims{Dim(-2) * n});
  EXPECT_EQ(divided(n, minus_two), std::nullopt);
  EXPECT_EQ(divided(n - Dim(5), Tensor::of<int64_t>({1}, {2})), std::nullopt);
  EXPECT_EQ(divided(n, Tensor::of<int64_t>({1}, {0})), std::nullopt);
}

TEST(Arithmetic, contents_that_an_int32_cannot_hold_are_unknown) {
  const Tensor big = Tensor::of<int32_t>({1}, {INT32_MAX});
  const ValueInfo y = infer(binary("Add"), {big, big})[0];
  EXPECT_EQ(*y.shape, Dims{Dim(1)});
  EXPECT_EQ(y.elements, std::nullopt);
}

TEST(Arithmetic, floats_have_no_tracked_contents) {
  const Tensor x = Tensor::of<float>({1}, {1});
  EXPECT_EQ(infer(binary("Add"), {x, x})[0].elements, std::nullopt);
}

TEST(Arithmetic, contents_are_broadcast) {
  const Tensor column = Tensor::of<int64_t>({2, 1}, {10, 20});
  const ValueInfo y = infer(binary("Add"), {column, Tensor::of<int64_t>({2}, {1, 2})})[0];
  EXPECT_EQ(*y.shape, (Dims{Dim(2), Dim(2)}));
  EXPECT_EQ(*y.elements, (Dims{Dim(11), Dim(12), Dim(21), Dim(22)}));
  const std::vector<int64_t> many(64, 1);
  const std::span<const int64_t> ones(many);
  const Tensor row = Tensor::of<int64_t>({64}, ones);
  EXPECT_EQ(infer(binary("Add"), {row, Tensor::of<int64_t>({64, 1}, ones)})[0].elements, std::nullopt);
}

TEST(Arithmetic, symbolic_shapes_are_broadcast) {
  const Dim n = Dim::symbol("N");
  const ValueInfo y = infer(binary("Add"), {ValueInfo::tensor(DataType::float32, {n, Dim(1), Dim(4)}),
                                            ValueInfo::tensor(DataType::float32, {Dim(3), Dim(1)})})[0];
  EXPECT_EQ(*y.shape, (Dims{n, Dim(3), Dim(4)}));
}

}  // namespace
}  // namespace overt
