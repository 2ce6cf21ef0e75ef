#include "ops/axis_normalization.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;

TEST(LpNormalization, first_and_second_order_and_a_line_of_zeros) {
  const Tensor x = Tensor::of<float>({2, 2}, {3, -4, 0, 0});
  EXPECT_THAT(values_of<float>(run_node(test_node("LpNormalization", 1), {x})),
              ElementsAre(FloatNear(0.6f, 1e-6f), FloatNear(-0.8f, 1e-6f), 0, 0));
  const Node first = test_node("LpNormalization", 22,
                               attribute_list(Attribute::of("p", int64_t{1}), Attribute::of("axis", int64_t{0})));
  EXPECT_THAT(values_of<float>(run_node(first, {Tensor::of<float>({2, 2}, {1, -2, 3, 2})})),
              ElementsAre(0.25f, -0.5f, 0.75f, 0.5f));
  const Node third = test_node("LpNormalization", 1, attribute_list(Attribute::of("p", int64_t{3})));
  EXPECT_THAT(message_of([&] { run_node(third, {x}); }), HasSubstr("p is 3, expected 1 or 2"));
}

TEST(MeanVarianceNormalization, over_the_given_axes) {
  const Node node =
      test_node("MeanVarianceNormalization", 13, attribute_list(Attribute::of("axes", std::vector<int64_t>{0, -1})));
  const Tensor x = Tensor::of<float>({2, 2, 1}, {1, 10, 3, 14});
  EXPECT_THAT(values_of<float>(run_node(node, {x})),
              ElementsAre(FloatNear(-1, 1e-6f), FloatNear(-1, 1e-6f), FloatNear(1, 1e-6f), FloatNear(1, 1e-6f)));
  EXPECT_THAT(message_of([&] { run_node(test_node("MeanVarianceNormalization", 9), {x}); }),
              HasSubstr("axis 3 is out of range"));
}

TEST(LRN, window_over_neighbouring_channels_ends_at_the_edges) {
  const auto lrn = [](int64_t size) {
    return test_node("LRN", 13,
                     attribute_list(Attribute::of("size", size), Attribute::of("alpha", static_cast<float>(size)),
                                    Attribute::of("beta", 1.0f), Attribute::of("bias", 0.0f)));
  };
  const Tensor x = Tensor::of<float>({1, 3, 1, 1}, {1, 2, 3});
  EXPECT_THAT(values_of<float>(run_node(lrn(3), {x})),
              ElementsAre(0.2f, FloatNear(1.0f / 7, 1e-6f), FloatNear(3.0f / 13, 1e-6f)));
  // An even window has its larger half after the channel.
  EXPECT_THAT(values_of<float>(run_node(lrn(2), {x})),
              ElementsAre(0.2f, FloatNear(2.0f / 13, 1e-6f), FloatNear(1.0f / 3, 1e-6f)));
  EXPECT_EQ(run_node(lrn(std::numeric_limits<int64_t>::max()), {x}).shape(), x.shape());
  EXPECT_THAT(message_of([&] { run_node(lrn(0), {x}); }), HasSubstr("size is 0, expected at least 1"));
}

}  // namespace
}  // namespace overt
