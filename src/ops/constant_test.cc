#include "ops/constant.h"

#include <gmock/gmock.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

Node constant_node(Attribute value) {
  return test_node("Constant", 13, attribute_list(std::move(value)), 0);
}

TEST(Constant, each_kind_of_value) {
  EXPECT_THAT(values_of<float>(run_node(constant_node(Attribute::of("value", counted({2}))), {})), ElementsAre(0, 1));
  EXPECT_THAT(values_of<int64_t>(run_node(constant_node(Attribute::of("value_int", int64_t{3})), {})),
              ElementsAre(3));
  EXPECT_THAT(values_of<int64_t>(run_node(constant_node(integers("value_ints", {3, 4})), {})), ElementsAre(3, 4));
  EXPECT_THAT(values_of<float>(run_node(constant_node(Attribute::of("value_float", 0.5f)), {})), ElementsAre(0.5f));
  EXPECT_THAT(values_of<float>(run_node(constant_node(Attribute::of("value_floats", std::vector<float>{1, 2})), {})),
              ElementsAre(1, 2));
  EXPECT_THAT(values_of<std::string>(run_node(constant_node(Attribute::of("value_string", std::string("x"))), {})),
              ElementsAre("x"));
  EXPECT_THAT(values_of<std::string>(
                  run_node(constant_node(Attribute::of("value_strings", std::vector<std::string>{"x", "y"})), {})),
              ElementsAre("x", "y"));
}

TEST(Constant, contents_are_known) {
  const auto out = infer(constant_node(integers("value_ints", {3, 4})), {});
  EXPECT_EQ(shape_of(out[0]), "[2]");
  EXPECT_EQ(contents_of(out[0]), "[3, 4]");
  EXPECT_EQ(shape_of(infer(constant_node(Attribute::of("value_int", int64_t{1})), {})[0]), "[]");
}

TEST(Constant, needs_exactly_one_value) {
  EXPECT_THAT(error_of([] { run_node(test_node("Constant", 13, {}, 0), {}); }), HasSubstr("no value is given"));
  const Node two = test_node(
      "Constant", 13, attribute_list(Attribute::of("value_int", int64_t{1}), Attribute::of("value_float", 1.0f)), 0);
  EXPECT_THAT(error_of([&] { run_node(two, {}); }), HasSubstr("both value_float and value_int are given"));
}

TEST(ConstantOfShape, the_value_is_a_float_0_by_default) {
  const Tensor out = run_node(test_node("ConstantOfShape", 9), {int64_list({2, 2})});
  EXPECT_EQ(out.shape(), (Shape{2, 2}));
  EXPECT_THAT(values_of<float>(out), Each(0.0f));
  const Node ones = test_node("ConstantOfShape", 9, attribute_list(Attribute::of("value", int64_list({1}))));
  EXPECT_THAT(values_of<int64_t>(run_node(ones, {int64_list({3})})), ElementsAre(1, 1, 1));
  EXPECT_THAT(values_of<int64_t>(run_node(ones, {int64_list({})})), ElementsAre(1));
}

TEST(ConstantOfShape, packed_types_are_filled) {
  Tensor value(DataType::int4, {1});
  *static_cast<uint8_t*>(value.mutable_data()) = 0x5;
  const Node node = test_node("ConstantOfShape", 21, attribute_list(Attribute::of("value", value)));
  const Tensor out = run_node(node, {int64_list({3})});
  EXPECT_EQ(out.bytes(), 2u);
  EXPECT_EQ(*static_cast<const uint8_t*>(out.data()), 0x55);
}

TEST(ConstantOfShape, shapes_and_contents_are_symbolic) {
  const Dim n = Dim::symbol("N");
  const Node ones = test_node("ConstantOfShape", 9, attribute_list(Attribute::of("value", int64_list({1}))));
  EXPECT_EQ(shape_of(infer(ones, {known_vector({n, 3})})[0]), "[N, 3]");
  EXPECT_EQ(contents_of(infer(ones, {known_vector({3})})[0]), "[1, 1, 1]");
  EXPECT_EQ(infer(ones, {ValueInfo::tensor(DataType::int64, {4})})[0].rank(), 4);
}

TEST(ConstantOfShape, hostile_shapes_are_refused) {
  const Node node = test_node("ConstantOfShape", 9);
  const auto error = [&](std::vector<int64_t> shape) {
    return error_of([&] { evaluate_node(node, std::vector{int64_list(shape)}, 1 << 20); });
  };
  EXPECT_THAT(error({int64_t{1} << 44}), StartsWith("out_of_memory: "));
  EXPECT_THAT(error({int64_t{1} << 40, int64_t{1} << 40}), StartsWith("invalid_argument: "));
  EXPECT_THAT(error({2, -1}), HasSubstr("the shape [2, -1] has a negative length"));
  const Node two = test_node("ConstantOfShape", 9, attribute_list(Attribute::of("value", counted({2}))));
  EXPECT_THAT(error_of([&] { run_node(two, {int64_list({1})}); }),
              HasSubstr("value has shape [2], expected one element"));
}

}  // namespace
}  // namespace overt
