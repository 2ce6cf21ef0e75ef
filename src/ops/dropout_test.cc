#include "ops/dropout.h"

#include <gmock/gmock.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Dropout, passes_the_data_through_outside_training) {
  const auto out = evaluate_node(test_node("Dropout", 13, {}, 1, 2), std::vector{counted({2})});
  EXPECT_THAT(values_of<float>(out[0]), ElementsAre(0, 1));
  EXPECT_THAT(values_of<bool>(out[1]), ElementsAre(true, true));
}

TEST(Dropout, the_mask_has_the_datas_type_in_opset_7) {
  const auto out = evaluate_node(test_node("Dropout", 7, {}, 1, 2), std::vector{counted({2})});
  EXPECT_THAT(values_of<float>(out[1]), ElementsAre(1, 1));
}

TEST(Dropout, training_drops_by_the_seeded_generator) {
  const Node node = test_node("Dropout", 13, attribute_list(Attribute::of("seed", int64_t{0})), 3, 2);
  Tensor ones(DataType::float32, {6});
  for (float& value : ones.mutable_values<float>()) value = 1.0f;
  const Tensor ratio = Tensor::of<float>({}, {0.6f});
  const auto out = evaluate_node(node, std::vector{ones, ratio, Tensor::of<bool>({}, {true})});
  // The first draws of the generator are 0.549, 0.715, 0.603, 0.545, 0.424 and 0.646.
  EXPECT_THAT(values_of<bool>(out[1]), ElementsAre(false, true, true, false, false, true));
  EXPECT_THAT(values_of<float>(out[0])[1], testing::FloatNear(2.5f, 1e-6f));
}

TEST(Dropout, training_needs_a_ratio_below_1) {
  const Node node = test_node("Dropout", 13, {}, 3);
  const auto run = [&](float ratio) {
    return run_node(node, {counted({2}), Tensor::of<float>({}, {ratio}), Tensor::of<bool>({}, {true})});
  };
  EXPECT_THAT(values_of<float>(run(0.0f)), ElementsAre(0, 1));
  EXPECT_THAT(error_of([&] { run(1.0f); }), HasSubstr("ratio is 1, expected 0 or more and less than 1"));
}

}  // namespace
}  // namespace overt
