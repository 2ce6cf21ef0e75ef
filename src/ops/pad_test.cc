#include "ops/pad.h"

#include <gmock/gmock.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

Node pad_node(std::string mode, int inputs = 2) {
  return test_node("Pad", 19, attribute_list(Attribute::of("mode", mode)), inputs);
}

std::vector<float> padded(std::string mode, int64_t length, int64_t begin, int64_t end) {
  return values_of<float>(run_node(pad_node(mode), {counted({length}), int64_list({begin, end})}));
}

TEST(Pad, modes) {
  EXPECT_THAT(padded("constant", 3, 1, 2), ElementsAre(0, 0, 1, 2, 0, 0));
  EXPECT_THAT(padded("edge", 3, 2, 1), ElementsAre(0, 0, 0, 1, 2, 2));
  EXPECT_THAT(padded("reflect", 3, 2, 2), ElementsAre(2, 1, 0, 1, 2, 1, 0));
  EXPECT_THAT(padded("wrap", 3, 2, 4), ElementsAre(1, 2, 0, 1, 2, 0, 1, 2, 0));
}

TEST(Pad, reflection_goes_on_past_the_length) {
  EXPECT_THAT(padded("reflect", 2, 3, 0), ElementsAre(1, 0, 1, 0, 1));
  EXPECT_THAT(padded("reflect", 1, 2, 1), ElementsAre(0, 0, 0, 0));
}

TEST(Pad, negative_pads_take_away_first) {
  EXPECT_THAT(padded("constant", 4, -1, -1), ElementsAre(1, 2));
  EXPECT_THAT(padded("edge", 4, -1, 2), ElementsAre(1, 2, 3, 3, 3));
  EXPECT_THAT(padded("reflect", 4, 1, -1), ElementsAre(1, 0, 1, 2));
  EXPECT_THAT(padded("constant", 2, -2, 1), ElementsAre(0));
}

TEST(Pad, axes_and_value_are_inputs) {
  const Tensor value = Tensor::of<float>({}, {9.0f});
  const Tensor out =
      run_node(pad_node("constant", 4), {counted({2, 2}), int64_list({1, 0}), value, int64_list({-1})});
  EXPECT_EQ(out.shape(), (Shape{2, 3}));
  EXPECT_THAT(values_of<float>(out), ElementsAre(9, 0, 1, 9, 2, 3));
}

TEST(Pad, pads_and_value_are_attributes_before_opset_11) {
  const Node node = test_node("Pad", 2, attribute_list(integers("pads", {0, 1, 1, 0}), Attribute::of("value", 5.0f)));
  const Tensor out = run_node(node, {counted({1, 2})});
  EXPECT_EQ(out.shape(), (Shape{2, 3}));
  EXPECT_THAT(values_of<float>(out), ElementsAre(5, 0, 1, 5, 5, 5));
}

TEST(Pad, strings_and_empty_inputs) {
  const Tensor text = Tensor::of<std::string>({1}, {std::string("a")});
  EXPECT_THAT(values_of<std::string>(run_node(pad_node("constant"), {text, int64_list({1, 0})})),
              ElementsAre("", "a"));
  EXPECT_THAT(padded("constant", 0, 1, 1), ElementsAre(0, 0));
  EXPECT_THAT(error_of([] { padded("edge", 0, 1, 1); }), HasSubstr("leave nothing of axis 0 of length 0 to copy"));
}

TEST(Pad, packed_types_are_moved_by_element) {
  Tensor packed(DataType::int4, {2});
  static_cast<uint8_t*>(packed.mutable_data())[0] = 0x21;
  const Tensor out = run_node(pad_node("edge"), {packed, int64_list({1, 1})});
  EXPECT_EQ(static_cast<const uint8_t*>(out.data())[0], 0x11);
  EXPECT_EQ(static_cast<const uint8_t*>(out.data())[1], 0x22);
}

TEST(Pad, shapes_are_symbolic) {
  const Dim h = Dim::symbol("H");
  const auto shape = [&](ValueInfo pads) {
    return shape_of(infer(pad_node("constant"), {ValueInfo::tensor(DataType::float32, {h, 4}), pads})[0]);
  };
  EXPECT_EQ(shape(known_vector({1, 0, 2, 0})), "[H + 3, 4]");
  EXPECT_EQ(shape(known_vector({0, h, 0, 1})), "[H, H + 5]");
  EXPECT_THAT(shape(ValueInfo::tensor(DataType::int64, {4})), StartsWith("[?"));
}

TEST(Pad, hostile_pads_are_refused) {
  const auto error = [](std::vector<int64_t> pads, std::string mode = "constant") {
    return error_of([&] { evaluate_node(pad_node(mode), std::vector{counted({3}), int64_list(pads)}, 1 << 20); });
  };
  EXPECT_THAT(error({int64_t{1} << 44, 0}), StartsWith("out_of_memory: "));
  EXPECT_THAT(error({INT64_MAX, INT64_MIN}), HasSubstr("pads has 9223372036854775807"));
  EXPECT_THAT(error({-4, 0}), HasSubstr("leave axis 0 of length 3 with less than nothing"));
  EXPECT_THAT(error({-4, 5}, "edge"), HasSubstr("leave nothing of axis 0 of length 3 to copy"));
  EXPECT_THAT(error({1}), HasSubstr("pads has 1 entries, expected 2, two for each axis"));
  EXPECT_THAT(error({1, 1}, "mirror"), HasSubstr("mode is none of constant, reflect, edge and wrap"));
}

}  // namespace
}  // namespace overt
