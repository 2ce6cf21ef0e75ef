#include "ops/activations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::IsNan;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Tensor floats(std::initializer_list<float> values) {
  return Tensor::of<float>({static_cast<int64_t>(values.size())}, values);
}

TEST(Activations, values_at_minus_one_and_two) {
  struct Case {
    const char* type;
    float at_minus_one, at_two;
  };
  constexpr Case kCases[] = {
      {"Tanh", -0.76159416f, 0.96402758f},
      {"Sigmoid", 0.26894142f, 0.88079708f},
      {"Relu", 0.0f, 2.0f},
      {"LeakyRelu", -0.01f, 2.0f},
      {"Elu", -0.63212056f, 2.0f},
      {"Selu", -1.1113307f, 2.1014020f},
      {"Celu", -0.63212056f, 2.0f},
      {"ThresholdedRelu", 0.0f, 2.0f},
      {"HardSigmoid", 0.3f, 0.9f},
      {"HardSwish", -0.33333333f, 1.6666667f},
      {"Softplus", 0.31326169f, 2.1269280f},
      {"Softsign", -0.5f, 0.66666667f},
      {"Mish", -0.30340146f, 1.9439590f},
      {"Swish", -0.26894142f, 1.7615942f},
      {"Gelu", -0.15865525f, 1.9544997f},
      {"Shrink", -1.0f, 2.0f},
  };
  for (const Case& one : kCases) {
    const Tensor y = run_node(test_node(one.type, 22), {floats({-1.0f, 2.0f})});
    EXPECT_THAT(values_of<float>(y), ElementsAre(FloatNear(one.at_minus_one, 1e-6f), FloatNear(one.at_two, 1e-6f)))
        << one.type;
  }
}

TEST(Activations, parameters_are_read) {
  const auto run = [](const char* type, std::vector<Attribute> attributes, float x) {
    return run_node(test_node(type, 22, std::move(attributes)), {floats({x})}).values<float>()[0];
  };
  EXPECT_FLOAT_EQ(run("LeakyRelu", attribute_list(Attribute::of("alpha", 0.5f)), -4.0f), -2.0f);
  EXPECT_FLOAT_EQ(run("Celu", attribute_list(Attribute::of("alpha", 2.0f)), -2.0f), -1.2642411f);
  EXPECT_FLOAT_EQ(run("Swish", attribute_list(Attribute::of("alpha", 0.0f)), 4.0f), 2.0f);
  EXPECT_FLOAT_EQ(run("Shrink", attribute_list(Attribute::of("lambd", 1.5f), Attribute::of("bias", 1.5f)), -2.0f),
                  -0.5f);
  EXPECT_FLOAT_EQ(run("HardSigmoid", attribute_list(Attribute::of("alpha", 0.5f), Attribute::of("beta", 0.6f)), 0.2f),
                  0.7f);
  EXPECT_FLOAT_EQ(run("Gelu", attribute_list(Attribute::of("approximate", std::string("tanh"))), 1.0f), 0.84119199f);
}

TEST(Activations, extremes_do_not_overflow_and_nan_stays) {
  const Tensor x = floats({-1000.0f, 1000.0f, kNan});
  const auto run = [&](const char* type) { return values_of<float>(run_node(test_node(type, 22), {x})); };
  EXPECT_THAT(run("Softplus"), ElementsAre(0.0f, 1000.0f, IsNan()));
  EXPECT_THAT(run("Sigmoid"), ElementsAre(0.0f, 1.0f, IsNan()));
  EXPECT_THAT(run("Mish"), ElementsAre(-0.0f, 1000.0f, IsNan()));
  EXPECT_THAT(run("Relu"), ElementsAre(0.0f, 1000.0f, IsNan()));
  EXPECT_THAT(run("HardSigmoid"), ElementsAre(0.0f, 1.0f, IsNan()));
  EXPECT_THAT(run("Elu"), ElementsAre(-1.0f, 1000.0f, IsNan()));
}

TEST(Activations, integers_of_relu_and_shrink) {
  EXPECT_THAT(values_of<int8_t>(run_node(test_node("Relu", 14), {Tensor::of<int8_t>({2}, {-3, 3})})),
              ElementsAre(0, 3));
  const Node shrink = test_node("Shrink", 9, attribute_list(Attribute::of("bias", 1.5f)));
  EXPECT_THAT(values_of<int32_t>(run_node(shrink, {Tensor::of<int32_t>({3}, {-4, 0, 4})})), ElementsAre(-2, 0, 2));
}

TEST(PRelu, slope_is_broadcast_to_the_input) {
  const Tensor x = Tensor::of<float>({2, 2}, {-1.0f, 1.0f, -2.0f, -3.0f});
  const Tensor slope = Tensor::of<float>({2}, {0.5f, 2.0f});
  EXPECT_THAT(values_of<float>(run_node(test_node("PRelu", 16, {}, 2), {x, slope})),
              ElementsAre(-0.5f, 1.0f, -1.0f, -6.0f));
  EXPECT_THAT(message_of([] {
                infer(test_node("PRelu", 16, {}, 2), {ValueInfo::tensor(DataType::float32, {Dim(2)}),
                                                      ValueInfo::tensor(DataType::float32, {Dim(3), Dim(2)})});
              }),
              HasSubstr("slope of shape [3, 2] does not broadcast to shape [2]"));
}

TEST(PRelu, slope_of_opset_six_is_one_per_channel) {
  const Tensor x = Tensor::of<float>({1, 2, 2}, {-1.0f, -1.0f, -1.0f, -1.0f});
  const Tensor slope = Tensor::of<float>({2}, {0.5f, 2.0f});
  EXPECT_THAT(values_of<float>(run_node(test_node("PRelu", 6, {}, 2), {x, slope})),
              ElementsAre(-0.5f, -0.5f, -2.0f, -2.0f));
}

TEST(Clip, bounds_are_inputs_from_opset_eleven) {
  const Tensor x = floats({-2.0f, 0.5f, 2.0f, kNan});
  const Node node = test_node("Clip", 13, {}, 3);
  const auto one = [](float value) { return Tensor::of<float>({}, {value}); };
  EXPECT_THAT(values_of<float>(run_node(node, {x, one(-1), one(1)})), ElementsAre(-1.0f, 0.5f, 1.0f, IsNan()));
  EXPECT_THAT(values_of<float>(run_node(node, {x, Tensor(), one(1)})), ElementsAre(-2.0f, 0.5f, 1.0f, IsNan()));
  EXPECT_THAT(values_of<float>(run_node(node, {x, one(0), Tensor()})), ElementsAre(0.0f, 0.5f, 2.0f, IsNan()));
  EXPECT_THAT(values_of<float>(run_node(node, {floats({kInfinity})})), ElementsAre(kInfinity));
}

TEST(Clip, min_above_max_gives_max) {
  const Tensor y = run_node(test_node("Clip", 13, {}, 3),
                            {floats({-2.0f, 6.0f}), Tensor::of<float>({}, {2.0f}), Tensor::of<float>({}, {1.0f})});
  EXPECT_THAT(values_of<float>(y), ElementsAre(1.0f, 1.0f));
}

TEST(Clip, bounds_are_attributes_before_opset_eleven) {
  const Node node = test_node("Clip", 6, attribute_list(Attribute::of("max", 1.0f)));
  EXPECT_THAT(values_of<float>(run_node(node, {floats({-5.0f, 5.0f})})), ElementsAre(-5.0f, 1.0f));
}

TEST(Clip, integers_use_the_range_of_their_type) {
  const Tensor x = Tensor::of<int8_t>({3}, {-128, 5, 127});
  EXPECT_THAT(values_of<int8_t>(run_node(test_node("Clip", 13, {}, 3), {x, Tensor(), Tensor::of<int8_t>({}, {7})})),
              ElementsAre(-128, 5, 7));
}

TEST(Clip, bound_that_is_no_scalar_is_rejected) {
  const ValueInfo x = ValueInfo::tensor(DataType::float32, {Dim(4)});
  EXPECT_THAT(message_of([&] {
                infer(test_node("Clip", 13, {}, 2), {x, x});
              }),
              HasSubstr("min has shape [4], expected a scalar"));
  EXPECT_THAT(message_of([&] {
                infer(test_node("Clip", 13, {}, 2), {x, ValueInfo::tensor(DataType::int32, {})});
              }),
              HasSubstr("min has int32 elements, expected float32 as in the input"));
}

TEST(SwiGLU, gate_is_swished_and_multiplies_the_value) {
  const Node node = test_node("SwiGLU", 28, attribute_list(Attribute::of("alpha", 2.0f)), 2);
  const Tensor y = run_node(node, {floats({-1.0f, 2.0f}), floats({3.0f, 0.5f})});
  EXPECT_THAT(values_of<float>(y), ElementsAre(FloatNear(-0.35760877f, 1e-6f), FloatNear(0.98201376f, 1e-6f)));
  EXPECT_THAT(message_of([&] {
                infer(node, {floats({1.0f, 2.0f}), floats({1.0f})});
              }),
              HasSubstr("the gate has shape [2] and the value [1], expected one shape"));
}

TEST(Gelu, unknown_approximation_is_rejected_at_load) {
  const Node node = test_node("Gelu", 20, attribute_list(Attribute::of("approximate", std::string("fast"))));
  EXPECT_THAT(message_of([&] { infer(node, {ValueInfo::tensor(DataType::float32, {Dim(4)})}); }),
              HasSubstr("approximate is 'fast', expected none or tanh"));
}

}  // namespace
}  // namespace overt
