#include "ops/bitwise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Node binary(const char* type, int version) {
  return test_node(type, version, {}, 2);
}

TEST(Logic, truth_tables) {
  const Tensor a = Tensor::of<bool>({4}, {false, false, true, true});
  const Tensor b = Tensor::of<bool>({4}, {false, true, false, true});
  EXPECT_THAT(values_of<bool>(run_node(binary("And", 7), {a, b})), ElementsAre(false, false, false, true));
  EXPECT_THAT(values_of<bool>(run_node(binary("Or", 7), {a, b})), ElementsAre(false, true, true, true));
  EXPECT_THAT(values_of<bool>(run_node(binary("Xor", 7), {a, b})), ElementsAre(false, true, true, false));
  EXPECT_EQ(*infer(binary("Or", 7), {a, b})[0].elements, (Dims{Dim(0), Dim(1), Dim(1), Dim(1)}));
  EXPECT_EQ(*infer(binary("Xor", 7), {a, b})[0].elements, (Dims{Dim(0), Dim(1), Dim(1), Dim(0)}));
  EXPECT_EQ(*infer(binary("And", 7), {a, b})[0].elements, (Dims{Dim(0), Dim(0), Dim(0), Dim(1)}));
}

TEST(Logic, numbers_are_rejected) {
  const ValueInfo x = ValueInfo::tensor(DataType::int32, {Dim(2)});
  EXPECT_THAT(message_of([&] {
                infer(binary("And", 7), {x, x});
              }),
              HasSubstr("input 0 has int32 elements, which And does not take"));
}

TEST(Bitwise, operations_on_signed_and_unsigned) {
  const Tensor a = Tensor::of<int16_t>({2}, {-1, 12});
  const Tensor b = Tensor::of<int16_t>({2}, {255, 10});
  EXPECT_THAT(values_of<int16_t>(run_node(binary("BitwiseAnd", 18), {a, b})), ElementsAre(255, 8));
  EXPECT_THAT(values_of<int16_t>(run_node(binary("BitwiseOr", 18), {a, b})), ElementsAre(-1, 14));
  EXPECT_THAT(values_of<int16_t>(run_node(binary("BitwiseXor", 18), {a, b})), ElementsAre(-256, 6));
}

TEST(BitShift, shift_by_the_width_leaves_nothing_but_the_sign) {
  const auto shift = [](const char* direction) {
    return test_node("BitShift", 11, attribute_list(Attribute::of("direction", std::string(direction))), 2);
  };
  const Tensor a = Tensor::of<uint8_t>({4}, {16, 4, 1, 255});
  const Tensor b = Tensor::of<uint8_t>({4}, {1, 2, 8, 200});
  EXPECT_THAT(values_of<uint8_t>(run_node(shift("LEFT"), {a, b})), ElementsAre(32, 16, 0, 0));
  EXPECT_THAT(values_of<uint8_t>(run_node(shift("RIGHT"), {a, b})), ElementsAre(8, 1, 0, 0));
  const Tensor c = Tensor::of<int8_t>({5}, {-8, -128, 64, -1, 4});
  const Tensor d = Tensor::of<int8_t>({5}, {1, 1, 1, 8, -1});
  EXPECT_THAT(values_of<int8_t>(run_node(shift("RIGHT"), {c, d})), ElementsAre(-4, -64, 32, -1, 0));
  EXPECT_THAT(values_of<int8_t>(run_node(shift("LEFT"), {c, d})), ElementsAre(-16, 0, -128, 0, 0));
  EXPECT_THAT(message_of([&] {
                infer(shift("UP"), {a, b});
              }),
              HasSubstr("direction is 'UP', expected LEFT or RIGHT"));
}

}  // namespace
}  // namespace overt
