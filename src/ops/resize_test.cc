#include "ops/resize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "ops/resample.h"
#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::FloatNear;
using ::testing::HasSubstr;

Attribute word(std::string name, std::string value) {
  return Attribute::of(std::move(name), std::move(value));
}

template <typename... Attributes>
Node resize(Attributes... attributes) {
  return test_node("Resize", 19, attribute_list(std::move(attributes)...), 4);
}

const Tensor kAbsent;
const Tensor kLine = Tensor::of<float>({4}, {1, 2, 3, 4});

Tensor scales(std::initializer_list<float> values) {
  return Tensor::of<float>({static_cast<int64_t>(values.size())}, values);
}
Tensor sizes(std::initializer_list<int64_t> values) {
  return Tensor::of<int64_t>({static_cast<int64_t>(values.size())}, values);
}

std::vector<float> run_scales(const Node& node, const Tensor& x, std::initializer_list<float> values) {
  return values_of<float>(run_node(node, {x, kAbsent, scales(values), kAbsent}));
}

std::vector<float> run_sizes(const Node& node, const Tensor& x, std::initializer_list<int64_t> values) {
  return values_of<float>(run_node(node, {x, kAbsent, kAbsent, sizes(values)}));
}

TEST(Resize, nearest_modes_differ_where_a_coordinate_is_not_whole) {
  const auto run = [](const char* nearest_mode) {  // coordinates -0.25, 0.25, 0.75 ... 3.25
    return run_scales(resize(word("nearest_mode", nearest_mode)), kLine, {2});
  };
  EXPECT_THAT(run("round_prefer_floor"), ElementsAre(1, 1, 2, 2, 3, 3, 4, 4));
  EXPECT_THAT(run("floor"), ElementsAre(1, 1, 1, 2, 2, 3, 3, 4));
  EXPECT_THAT(run("ceil"), ElementsAre(1, 2, 2, 3, 3, 4, 4, 4));
}

TEST(Resize, nearest_halves_go_down_or_up) {
  const auto run = [](const char* nearest_mode) {  // coordinates 0.5, 2.5
    return run_scales(resize(word("nearest_mode", nearest_mode)), kLine, {0.5f});
  };
  EXPECT_THAT(run("round_prefer_floor"), ElementsAre(1, 3));
  EXPECT_THAT(run("round_prefer_ceil"), ElementsAre(2, 4));
}

TEST(Resize, coordinate_modes_of_linear) {
  const auto run = [](const char* mode, int64_t size) {
    return run_sizes(resize(word("mode", "linear"), word("coordinate_transformation_mode", mode)), kLine, {size});
  };
  EXPECT_THAT(run("half_pixel", 2), ElementsAre(1.5f, 3.5f));
  EXPECT_THAT(run("asymmetric", 2), ElementsAre(1, 3));
  EXPECT_THAT(run("align_corners", 2), ElementsAre(1, 4));
  EXPECT_THAT(run("half_pixel", 1), ElementsAre(2.5f));
  EXPECT_THAT(run("pytorch_half_pixel", 1), ElementsAre(1));
  EXPECT_THAT(run("align_corners", 7), ElementsAre(1, 1.5f, 2, 2.5f, 3, 3.5f, 4));
}

TEST(Resize, symmetric_half_pixels_stay_centred_where_the_length_is_rounded_down) {
  const Node node = resize(word("mode", "linear"), word("coordinate_transformation_mode", "half_pixel_symmetric"));
  // 4 * 0.6 = 2.4 becomes 2; the two samples lie 1/0.6 apart around the middle.
  EXPECT_THAT(run_scales(node, kLine, {0.6f}),
              ElementsAre(FloatNear(1.6666667f, 1e-5f), FloatNear(3.3333333f, 1e-5f)));
}

TEST(Resize, cubic_reproduces_a_line_inside_and_renormalises_outside) {
  const Node cubic = resize(word("mode", "cubic"));
  EXPECT_THAT(run_scales(cubic, kLine, {0.5f}), ElementsAre(FloatNear(1.40625f, 1e-5f), FloatNear(3.59375f, 1e-5f)));
  const Node exclusive = resize(word("mode", "cubic"), Attribute::of("exclude_outside", int64_t{1}));
  // Weights -3/32, 19/32, 19/32, -3/32 without the first: (19*1 + 19*2 - 3*3)/35.
  EXPECT_THAT(run_scales(exclusive, kLine, {0.5f}),
              ElementsAre(FloatNear(48.0f / 35, 1e-5f), FloatNear(127.0f / 35, 1e-5f)));
}

TEST(Resize, antialias_widens_the_filter_only_where_the_axis_shrinks) {
  const Node node = resize(word("mode", "linear"), Attribute::of("antialias", int64_t{1}));
  // Four taps of weights 1/8, 3/8, 3/8, 1/8, the one before the edge on the edge.
  EXPECT_THAT(run_scales(node, kLine, {0.5f}), ElementsAre(FloatNear(1.625f, 1e-6f), FloatNear(3.375f, 1e-6f)));
  EXPECT_THAT(run_scales(node, Tensor::of<float>({2}, {1, 3}), {2}), ElementsAre(1, 1.5f, 2.5f, 3));
}

TEST(Resize, crop_and_resize_extrapolates_outside_the_image) {
  const Node node = resize(word("mode", "linear"), word("coordinate_transformation_mode", "tf_crop_and_resize"),
                           Attribute::of("extrapolation_value", 10.0f));
  const Tensor roi = Tensor::of<float>({2}, {0, 2});
  EXPECT_THAT(values_of<float>(run_node(node, {kLine, roi, kAbsent, sizes({3})})), ElementsAre(1, 4, 10));
  const Node nearest = resize(word("coordinate_transformation_mode", "tf_crop_and_resize"),
                              Attribute::of("extrapolation_value", 7.0f));
  const Tensor bytes = Tensor::of<uint8_t>({2}, {1, 2});
  EXPECT_THAT(values_of<uint8_t>(run_node(nearest, {bytes, Tensor::of<float>({2}, {-1, 1}), kAbsent, sizes({3})})),
              ElementsAre(7, 1, 2));
}

TEST(Resize, axes_and_aspect_ratio_policies) {
  const Tensor x(DataType::float32, {3, 2, 4});
  const auto shape = [&](const char* policy) {
    const Node node =
        resize(word("keep_aspect_ratio_policy", policy), Attribute::of("axes", std::vector<int64_t>{2, -2}));
    const std::vector<TestInput> inputs = {x, ValueInfo(), ValueInfo(), sizes({6, 6})};
    const Shape run = run_node(node, {x, kAbsent, kAbsent, sizes({6, 6})}).shape();
    EXPECT_EQ(infer(node, inputs)[0].concrete_shape(), run);
    return run;
  };
  EXPECT_EQ(shape("stretch"), (Shape{3, 6, 6}));
  EXPECT_EQ(shape("not_larger"), (Shape{3, 3, 6}));
  EXPECT_EQ(shape("not_smaller"), (Shape{3, 6, 12}));
}

TEST(Resize, integers_are_rounded_to_the_nearest_and_saturate) {
  const Node linear = resize(word("mode", "linear"));
  const Tensor x = Tensor::of<uint8_t>({2}, {0, 255});
  EXPECT_THAT(values_of<uint8_t>(run_node(linear, {x, kAbsent, scales({2}), kAbsent})), ElementsAre(0, 64, 191, 255));
  const Tensor y = run_node(resize(word("mode", "cubic")),
                            {Tensor::of<int8_t>({4}, {-128, -128, 127, 127}), kAbsent, scales({2}), kAbsent});
  EXPECT_THAT(values_of<int8_t>(y), ElementsAre(-128, -128, -128, -70, 69, 127, 127, 127));
}

TEST(Resize, two_axes_shrink_and_grow) {
  const Tensor x = Tensor::of<float>({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_THAT(run_scales(resize(word("mode", "linear")), x, {1, 0.5f}), ElementsAre(1.5f, 3.5f, 5.5f, 7.5f));
  EXPECT_THAT(run_sizes(resize(), x, {4, 2}), ElementsAre(1, 3, 1, 3, 5, 7, 5, 7));
  EXPECT_EQ(run_sizes(resize(), x, {0, 2}).size(), 0u);
}

TEST(Upsample, opsets_7_and_9_repeat_and_interpolate_from_the_corner) {
  const Tensor x = Tensor::of<float>({1, 1, 1, 2}, {1, 3});
  const Node seven =
      test_node("Upsample", 7, attribute_list(Attribute::of("scales", std::vector<float>{1, 1, 2, 2})));
  EXPECT_THAT(values_of<float>(run_node(seven, {x})), ElementsAre(1, 1, 3, 3, 1, 1, 3, 3));
  const Node nine = test_node("Upsample", 9, attribute_list(word("mode", "linear")), 2);
  EXPECT_THAT(values_of<float>(run_node(nine, {x, scales({1, 1, 1, 2})})), ElementsAre(1, 2, 3, 3));
}

TEST(Resize, opset_10_rounds_up_where_it_shrinks) {
  const Node node = test_node("Resize", 10, {}, 2);
  EXPECT_THAT(values_of<float>(run_node(node, {kLine, scales({0.75f})})), ElementsAre(1, 3, 4));
  EXPECT_THAT(values_of<float>(run_node(node, {kLine, scales({1.5f})})), ElementsAre(1, 1, 2, 3, 3, 4));
}

TEST(Resize, symbolic_lengths_from_scales_and_sizes) {
  const Dim h = Dim::symbol("H");
  const ValueInfo x = ValueInfo::tensor(DataType::float32, {1, h, h, h});
  const ValueInfo absent;
  EXPECT_EQ(infer(resize(), {x, absent, scales({1, 2, 0.5f, 1.5f}), absent})[0].shape,
            (Dims{1, h * 2, floor_div(h, 2), floor_div(h * 3, 2)}));
  EXPECT_EQ(infer(resize(), {x, absent, absent, known_vector({1, h * 4, 7, h})})[0].shape, (Dims{1, h * 4, 7, h}));
  const ValueInfo unknown = ValueInfo::tensor(DataType::float32, {4});
  EXPECT_EQ(infer(resize(), {x, absent, unknown, absent})[0].rank(), 4);
}

TEST(Resize, hostile_numbers_are_rejected) {
  const auto by_scale = [](float scale) { return message_of([&] { run_scales(resize(), kLine, {scale}); }); };
  EXPECT_THAT(by_scale(0), HasSubstr("a scale is 0, expected a number above 0"));
  EXPECT_THAT(by_scale(-2), HasSubstr("a scale is -2"));
  EXPECT_THAT(by_scale(std::numeric_limits<float>::quiet_NaN()), HasSubstr("a scale is nan"));
  EXPECT_THAT(by_scale(1e30f), HasSubstr("is over the limit"));
  EXPECT_THAT(message_of([] { run_sizes(resize(), kLine, {-1}); }), HasSubstr("sizes has -1"));
  EXPECT_THAT(message_of([] { run_sizes(resize(), kLine, {1, 1}); }), HasSubstr("sizes has 2 numbers, expected 1"));
  EXPECT_THAT(message_of([] { run_sizes(resize(), Tensor(DataType::float32, {0}), {3}); }),
              HasSubstr("an axis of length 0"));
  EXPECT_THAT(message_of([] {
                run_node(resize(), {kLine, kAbsent, kAbsent, kAbsent});
              }),
              HasSubstr("none of scales and sizes"));
  EXPECT_THAT(message_of([] {
                run_node(resize(), {kLine, kAbsent, scales({1}), sizes({1})});
              }),
              HasSubstr("both of scales and sizes"));
  EXPECT_THAT(message_of([] { run_scales(resize(word("mode", "quintic")), kLine, {1}); }),
              HasSubstr("mode is \"quintic\", expected one of nearest"));
  EXPECT_THAT(message_of([] {
                run_scales(resize(Attribute::of("axes", std::vector<int64_t>{0, -1})), kLine, {1, 1});
              }),
              HasSubstr("axes names axis 0 twice"));
  EXPECT_THAT(message_of([] {
                run_scales(resize(word("coordinate_transformation_mode", "tf_crop_and_resize")), kLine, {1});
              }),
              HasSubstr("roi has 0 numbers, expected 2"));
}

TEST(Resize, a_blow_up_asks_for_memory_and_gets_an_error) {
  try {
    evaluate_node(resize(), std::vector{kLine, kAbsent, scales({1e15f}), kAbsent}, 1 << 20);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
  }
}

}  // namespace
}  // namespace overt
