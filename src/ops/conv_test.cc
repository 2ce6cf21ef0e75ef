#include "ops/conv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Integers = std::vector<int64_t>;

template <typename... Attributes>
Node conv(Attributes... attributes) {
  return test_node("Conv", 11, attribute_list(std::move(attributes)...), 2);
}

const Tensor kLine = Tensor::of<float>({1, 1, 5}, {1, 2, 3, 4, 5});
const Tensor kOnes3 = Tensor::of<float>({1, 1, 3}, {1, 1, 1});

TEST(Conv, one_axis_with_pads_stride_and_dilation) {
  EXPECT_THAT(values_of<float>(run_node(conv(), {kLine, kOnes3})), ElementsAre(6, 9, 12));
  EXPECT_THAT(values_of<float>(run_node(conv(Attribute::of("pads", Integers{1, 1})), {kLine, kOnes3})),
              ElementsAre(3, 6, 9, 12, 9));
  EXPECT_THAT(values_of<float>(run_node(conv(Attribute::of("strides", Integers{2})), {kLine, kOnes3})),
              ElementsAre(6, 12));
  EXPECT_THAT(values_of<float>(run_node(conv(Attribute::of("dilations", Integers{2})), {kLine, kOnes3})),
              ElementsAre(9));
}

TEST(Conv, kernel_is_not_flipped) {
  EXPECT_THAT(values_of<float>(run_node(conv(), {kLine, Tensor::of<float>({1, 1, 2}, {10, 1})})),
              ElementsAre(12, 23, 34, 45));
}

TEST(Conv, same_pads_put_the_odd_element_at_the_end_or_the_beginning) {
  const Tensor w = Tensor::of<float>({1, 1, 2}, {10, 1});
  const auto run = [&](const char* auto_pad) {
    return values_of<float>(run_node(conv(Attribute::of("auto_pad", std::string(auto_pad))), {kLine, w}));
  };
  EXPECT_THAT(run("SAME_UPPER"), ElementsAre(12, 23, 34, 45, 50));
  EXPECT_THAT(run("SAME_LOWER"), ElementsAre(1, 12, 23, 34, 45));
  EXPECT_THAT(run("VALID"), ElementsAre(12, 23, 34, 45));
}

TEST(Conv, groups_and_bias) {
  const Tensor x = Tensor::of<float>({1, 2, 1, 2}, {1, 2, 3, 4});
  const Tensor w = Tensor::of<float>({4, 1, 1, 1}, {1, 10, 100, 1000});
  const Tensor bias = Tensor::of<float>({4}, {0, 1, 2, 3});
  Node node = conv(Attribute::of("group", int64_t{2}));
  node.inputs.push_back(static_cast<ValueId>(9));
  EXPECT_THAT(values_of<float>(run_node(node, {x, w, bias})), ElementsAre(1, 2, 11, 21, 302, 402, 3003, 4003));
}

TEST(Conv, two_and_three_axes_of_ones_count_the_elements_under_the_window) {
  Tensor x(DataType::float32, {2, 3, 4, 4}), w(DataType::float32, {5, 3, 3, 3});
  std::ranges::fill(x.mutable_values<float>(), 1.0f);
  std::ranges::fill(w.mutable_values<float>(), 1.0f);
  EXPECT_THAT(values_of<float>(run_node(conv(), {x, w})), Each(27.0f));
  const Tensor corners =
      run_node(conv(Attribute::of("pads", Integers{1, 1, 1, 1}), Attribute::of("strides", Integers{3, 3})), {x, w});
  EXPECT_EQ(corners.shape(), (Shape{2, 5, 2, 2}));
  EXPECT_THAT(values_of<float>(corners), Each(12.0f));
  Tensor cube(DataType::float32, {1, 1, 3, 3, 3}), kernel(DataType::float32, {1, 1, 2, 2, 2});
  std::ranges::fill(cube.mutable_values<float>(), 1.0f);
  std::ranges::fill(kernel.mutable_values<float>(), 1.0f);
  EXPECT_THAT(values_of<float>(run_node(conv(), {cube, kernel})), Each(8.0f));
}

TEST(Conv, half_floats_are_summed_in_float) {
  const Tensor x = Tensor::of<Float16>({1, 1, 2}, {Float16(2048.0f), Float16(1.0f)});
  const Tensor w = Tensor::of<Float16>({1, 1, 2}, {Float16(1.0f), Float16(1.0f)});
  EXPECT_THAT(floats_of<Float16>(run_node(conv(), {x, w})), ElementsAre(2048.0f));
  const Tensor three = Tensor::of<Float16>({1, 1, 2}, {Float16(2048.0f), Float16(3.0f)});
  EXPECT_THAT(floats_of<Float16>(run_node(conv(), {three, w})), ElementsAre(2052.0f));
}

TEST(Conv, no_images) {
  EXPECT_EQ(run_node(conv(), {Tensor(DataType::float32, {0, 1, 5}), kOnes3}).shape(), (Shape{0, 1, 3}));
}

TEST(Conv, symbolic_lengths_are_expressions) {
  const ValueInfo x = ValueInfo::tensor(DataType::float32, {Dim::symbol("N"), 3, Dim::symbol("H"), 224});
  const ValueInfo w = ValueInfo::tensor(DataType::float32, {16, 3, 3, 3});
  const Node node = conv(Attribute::of("pads", Integers{1, 1, 1, 1}), Attribute::of("strides", Integers{2, 2}));
  const Dims shape = *infer(node, {x, w})[0].shape;
  EXPECT_EQ(shape[0], Dim::symbol("N"));
  EXPECT_EQ(shape[2], floor_div(Dim::symbol("H") - 1, 2) + 1);
  EXPECT_EQ(shape[3], Dim(112));
  const Node same = conv(Attribute::of("auto_pad", std::string("SAME_UPPER")));
  EXPECT_EQ(infer(same, {x, w})[0].to_string(), "float32 [N, 16, H, 224]");
}

std::string message(const Node& node, const Shape& x, const Shape& w) {
  const std::string run = message_of([&] {
    run_node(node, {Tensor(DataType::float32, x), Tensor(DataType::float32, w)});
  });
  const std::string inferred = message_of([&] {
    infer(node, {Tensor(DataType::float32, x), Tensor(DataType::float32, w)});
  });
  EXPECT_EQ(run, inferred);
  return run;
}

TEST(Conv, hostile_attributes_are_rejected) {
  const Shape x = {1, 1, 5, 5}, w = {1, 1, 3, 3};
  EXPECT_THAT(message(conv(Attribute::of("strides", Integers{0, 1})), x, w),
              HasSubstr("strides has 0, expected 1 to"));
  EXPECT_THAT(message(conv(Attribute::of("dilations", Integers{-1, 1})), x, w),
              HasSubstr("dilations has -1, expected 1"));
  EXPECT_THAT(message(conv(Attribute::of("pads", Integers{0, 0, 0, -1})), x, w),
              HasSubstr("pads has -1, expected 0"));
  EXPECT_THAT(message(conv(Attribute::of("group", int64_t{0})), x, w), HasSubstr("group is 0, expected at least 1"));
  EXPECT_THAT(message(conv(Attribute::of("group", int64_t{-3})), x, w),
              HasSubstr("group is -3, expected at least 1"));
  EXPECT_THAT(message(conv(Attribute::of("pads", Integers{1, 1})), x, w),
              HasSubstr("pads has 2 numbers, expected 4"));
  EXPECT_THAT(message(conv(Attribute::of("kernel_shape", Integers{5, 3})), x, w),
              HasSubstr("kernel_shape says 5 on spatial axis 0"));
  EXPECT_THAT(message(conv(Attribute::of("kernel_shape", Integers{int64_t{1} << 40, 3})), x, w),
              HasSubstr("1099511627776"));
  EXPECT_THAT(message(conv(Attribute::of("auto_pad", std::string("SAME"))), x, w), HasSubstr("auto_pad is \"SAME\""));
  EXPECT_THAT(message(conv(Attribute::of("dilations", Integers{INT32_MAX, INT32_MAX})), x, w),
              HasSubstr("a window of extent 4294967295 does not fit an input of length 5"));
}

TEST(Conv, contradicting_shapes_are_rejected) {
  EXPECT_THAT(message(conv(), {1, 1, 5}, {3}),
              HasSubstr("input [1, 1, 5] and weight [3] must have one rank of at least 3"));
  EXPECT_THAT(message(conv(), {1, 2, 5}, {1, 3, 3}),
              HasSubstr("has 2 channels, expected 3 from weight [1, 3, 3] and group 1"));
  EXPECT_THAT(message(conv(Attribute::of("group", int64_t{2})), {1, 2, 5}, {3, 1, 3}),
              HasSubstr("3 output channels do not divide into 2"));
  EXPECT_THAT(message(conv(), {1, 1, 2}, {1, 1, 3}),
              HasSubstr("a window of extent 3 does not fit an input of length 2"));
  EXPECT_THAT(message(conv(), {1, 1, 2}, {1, 1, 0}), HasSubstr("a kernel length is 0"));
  Node node = conv();
  node.inputs.push_back(static_cast<ValueId>(9));
  EXPECT_THAT(message_of([&] {
                run_node(node, {kLine, kOnes3, Tensor(DataType::float32, {2})});
              }),
              HasSubstr("bias has shape [2], expected [1]"));
}

TEST(Conv, huge_pads_ask_for_memory_and_get_an_error) {
  const Node node = conv(Attribute::of("pads", Integers{INT32_MAX, INT32_MAX}));
  try {
    evaluate_node(node, std::vector{kLine, kOnes3}, 1 << 20);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
  }
}

}  // namespace
}  // namespace overt
