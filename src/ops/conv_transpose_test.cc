#include "ops/conv_transpose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Integers = std::vector<int64_t>;

template <typename... Attributes>
Node conv_transpose(Attributes... attributes) {
  return test_node("ConvTranspose", 11, attribute_list(std::move(attributes)...), 2);
}

const Tensor kX = Tensor::of<float>({1, 1, 3}, {1, 10, 100});
const Tensor kW = Tensor::of<float>({1, 1, 3}, {1, 2, 3});

TEST(ConvTranspose, each_input_adds_the_kernel_at_its_place) {
  EXPECT_THAT(values_of<float>(run_node(conv_transpose(), {kX, kW})), ElementsAre(1, 12, 123, 230, 300));
}

TEST(ConvTranspose, stride_pads_dilation_and_output_padding) {
  EXPECT_THAT(values_of<float>(run_node(conv_transpose(Attribute::of("strides", Integers{2})), {kX, kW})),
              ElementsAre(1, 2, 13, 20, 130, 200, 300));
  EXPECT_THAT(values_of<float>(run_node(conv_transpose(Attribute::of("pads", Integers{1, 1})), {kX, kW})),
              ElementsAre(12, 123, 230));
  EXPECT_THAT(values_of<float>(run_node(conv_transpose(Attribute::of("dilations", Integers{2})), {kX, kW})),
              ElementsAre(1, 10, 102, 20, 203, 30, 300));
  EXPECT_THAT(values_of<float>(run_node(conv_transpose(Attribute::of("output_padding", Integers{1})), {kX, kW})),
              ElementsAre(1, 12, 123, 230, 300, 0));
}

TEST(ConvTranspose, output_shape_decides_the_pads) {
  const auto run = [](const char* auto_pad) {
    return values_of<float>(run_node(
        conv_transpose(Attribute::of("output_shape", Integers{4}), Attribute::of("auto_pad", std::string(auto_pad))),
        {kX, kW}));
  };
  EXPECT_THAT(run("SAME_UPPER"), ElementsAre(1, 12, 123, 230));
  EXPECT_THAT(run("SAME_LOWER"), ElementsAre(12, 123, 230, 300));
  EXPECT_THAT(run("NOTSET"), ElementsAre(12, 123, 230, 300));
}

TEST(ConvTranspose, same_pads_give_input_times_stride) {
  const Node node =
      conv_transpose(Attribute::of("auto_pad", std::string("SAME_UPPER")), Attribute::of("strides", Integers{2}));
  EXPECT_THAT(values_of<float>(run_node(node, {kX, kW})), ElementsAre(1, 2, 13, 20, 130, 200));
}

TEST(ConvTranspose, groups_and_bias_on_two_axes) {
  const Tensor x = Tensor::of<float>({1, 2, 1, 1}, {1, 10});
  const Tensor w = Tensor::of<float>({2, 2, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  Node node = conv_transpose(Attribute::of("group", int64_t{2}));
  node.inputs.push_back(static_cast<ValueId>(9));
  const Tensor bias = Tensor::of<float>({4}, {100, 200, 300, 400});
  EXPECT_THAT(values_of<float>(run_node(node, {x, w, bias})), ElementsAre(101, 102, 203, 204, 350, 360, 470, 480));
}

TEST(ConvTranspose, symbolic_lengths) {
  const ValueInfo x = ValueInfo::tensor(DataType::float32, {1, 1, Dim::symbol("L")});
  EXPECT_EQ((*infer(conv_transpose(Attribute::of("strides", Integers{2})), {x, kW})[0].shape)[2],
            Dim::symbol("L") * 2 + 1);
}

TEST(ConvTranspose, hostile_attributes_are_rejected) {
  const auto message = [](Attribute attribute) {
    return message_of([&] { run_node(conv_transpose(std::move(attribute)), {kX, kW}); });
  };
  EXPECT_THAT(message(Attribute::of("pads", Integers{3, 3})), HasSubstr("leave an output length of -1"));
  EXPECT_THAT(message(Attribute::of("output_padding", Integers{-1})), HasSubstr("output_padding has -1"));
  EXPECT_THAT(message(Attribute::of("output_shape", Integers{4, 4})),
              HasSubstr("output_shape has 2 numbers, expected 1"));
  EXPECT_THAT(message(Attribute::of("group", int64_t{2})), HasSubstr("1 input channels do not divide into 2 groups"));
  EXPECT_THAT(message(Attribute::of("strides", Integers{-2})), HasSubstr("strides has -2"));
}

}  // namespace
}  // namespace overt
