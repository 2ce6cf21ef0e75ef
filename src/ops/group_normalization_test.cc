#include "ops/group_normalization.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Node group_normalization(int since_version, int64_t groups) {
  return test_node("GroupNormalization", since_version,
                   attribute_list(Attribute::of("epsilon", 0.0f), Attribute::of("num_groups", groups)), 3);
}

const Tensor kX = Tensor::of<float>({1, 4, 1}, {1, 3, 10, 14});

TEST(GroupNormalization, scale_per_channel_since_opset_21_and_per_group_before) {
  const Tensor channels = Tensor::of<float>({4}, {1, 2, 3, 4}), zeros(DataType::float32, {4});
  EXPECT_THAT(values_of<float>(run_node(group_normalization(21, 2), {kX, channels, zeros})),
              ElementsAre(-1, 2, -3, 4));
  const Tensor groups = Tensor::of<float>({2}, {1, 2}), bias = Tensor::of<float>({2}, {0, 1});
  EXPECT_THAT(values_of<float>(run_node(group_normalization(18, 2), {kX, groups, bias})), ElementsAre(-1, 1, -1, 3));
}

TEST(InstanceNormalization, each_channel_alone) {
  const Node node = test_node("InstanceNormalization", 6, attribute_list(Attribute::of("epsilon", 0.0f)), 3);
  const Tensor x = Tensor::of<float>({1, 2, 2}, {1, 3, 10, 14});
  const Tensor scale = Tensor::of<float>({2}, {1, 2}), bias = Tensor::of<float>({2}, {0, 5});
  EXPECT_THAT(values_of<float>(run_node(node, {x, scale, bias})), ElementsAre(-1, 1, 3, 7));
}

TEST(GroupNormalization, bad_groups_are_rejected) {
  const Tensor four(DataType::float32, {4}), two(DataType::float32, {2});
  EXPECT_THAT(message_of([&] {
                run_node(group_normalization(21, 3), {kX, four, four});
              }),
              HasSubstr("4 channels do not divide into 3 groups"));
  EXPECT_THAT(message_of([&] {
                run_node(group_normalization(21, 0), {kX, four, four});
              }),
              HasSubstr("num_groups is 0"));
  EXPECT_THAT(message_of([&] {
                run_node(group_normalization(21, 2), {kX, four, two});
              }),
              HasSubstr("input 2 has shape [2], expected [4]"));
}

}  // namespace
}  // namespace overt
