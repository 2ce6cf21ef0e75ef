#include "ops/batch_normalization.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;

Tensor vector(std::initializer_list<float> values) {
  return Tensor::of<float>({static_cast<int64_t>(values.size())}, values);
}

const std::vector<Tensor> kInputs = {Tensor::of<float>({1, 2, 2}, {1, 2, 3, 4}), vector({2, 3}), vector({10, 20}),
                                     vector({1, 3}), vector({4, 9})};

Node exact(int since_version, int outputs = 1) {
  return test_node("BatchNormalization", since_version, attribute_list(Attribute::of("epsilon", 0.0f)), 5, outputs);
}

TEST(BatchNormalization, inference_uses_the_running_statistics_in_each_opset) {
  for (const int version : {7, 9, 14, 15}) {
    EXPECT_THAT(values_of<float>(run_node(exact(version), kInputs)), ElementsAre(10, 11, 20, 21)) << version;
  }
}

TEST(BatchNormalization, training_mode_uses_the_batch_and_blends_the_statistics) {
  Node node = exact(15, 3);
  node.attributes.push_back(Attribute::of("training_mode", int64_t{1}));
  node.attributes.push_back(Attribute::of("momentum", 0.5f));
  const std::vector<Tensor> y = evaluate_node(node, kInputs);
  EXPECT_THAT(values_of<float>(y[0]), ElementsAre(8, 12, 17, 23));
  EXPECT_THAT(values_of<float>(y[1]), ElementsAre(1.25f, 3.25f));
  EXPECT_THAT(values_of<float>(y[2]), ElementsAre(2.125f, 4.625f));
}

TEST(BatchNormalization, opset_9_trains_when_statistics_are_asked_for) {
  const std::vector<Tensor> y = evaluate_node(exact(9, 5), kInputs);
  EXPECT_THAT(values_of<float>(y[0]), ElementsAre(8, 12, 17, 23));
  EXPECT_THAT(values_of<float>(y[3]), ElementsAre(1.5f, 3.5f));
  EXPECT_THAT(values_of<float>(y[4]), ElementsAre(0.25f, 0.25f));
}

TEST(BatchNormalization, opset_7_with_statistics_per_activation) {
  Node node = exact(7);
  node.attributes.push_back(Attribute::of("spatial", int64_t{0}));
  const auto all = [](float value) { return Tensor::of<float>({1, 2}, {value, value + 1}); };
  const Tensor x = Tensor::of<float>({2, 1, 2}, {1, 2, 3, 4});
  const std::vector<Tensor> inputs = {x, all(1), all(0), all(1), Tensor::of<float>({1, 2}, {1, 4})};
  EXPECT_THAT(values_of<float>(run_node(node, inputs)), ElementsAre(0, 1, 2, 3));
}

TEST(BatchNormalization, factors_give_the_same_as_the_formula) {
  float factor[1], offset[1];
  const float scale[] = {2}, bias[] = {10}, mean[] = {1}, variance[] = {4};
  batch_normalization_factors(scale, bias, mean, variance, 0, factor, offset);
  EXPECT_EQ(factor[0], 1);
  EXPECT_EQ(offset[0], 9);
}

TEST(BatchNormalization, shapes_of_all_outputs) {
  const Dim n = Dim::symbol("N");
  const ValueInfo x = ValueInfo::tensor(DataType::float16, {n, 2, n}), c = ValueInfo::tensor(DataType::float32, {2});
  const std::vector<ValueInfo> outputs = infer(exact(15, 3), {x, c, c, c, c});
  EXPECT_EQ(outputs[0].to_string(), "float16 [N, 2, N]");
  EXPECT_EQ(outputs[2].to_string(), "float32 [2]");
}

TEST(BatchNormalization, statistics_of_the_wrong_length_are_rejected) {
  std::vector<Tensor> inputs = kInputs;
  inputs[4] = vector({1});
  EXPECT_THAT(message_of([&] { run_node(exact(15), inputs); }),
              HasSubstr("variance has shape [1], expected 2 elements"));
  EXPECT_THAT(message_of([&] {
                infer(exact(15), {inputs.begin(), inputs.end()});
              }),
              HasSubstr("input 4 has shape [1], expected [2]"));
}

}  // namespace
}  // namespace overt
