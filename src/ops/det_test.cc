#include "ops/det.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Det, one_number_per_matrix) {
  const Tensor x = Tensor::of<float>({2, 2, 2}, {1, 2, 3, 4, 0, 1, 1, 0});
  EXPECT_THAT(values_of<float>(run_node(test_node("Det", 11), {x})), ElementsAre(-2, -1));
  const Tensor singular = run_node(test_node("Det", 11), {Tensor::of<float>({2, 2}, {1, 2, 2, 4})});
  EXPECT_EQ(singular.shape(), Shape{});
  EXPECT_THAT(values_of<float>(singular), ElementsAre(0));
  EXPECT_THAT(values_of<float>(run_node(test_node("Det", 11), {Tensor(DataType::float32, {1, 0, 0})})),
              ElementsAre(1));
}

TEST(Det, shape_and_rejection) {
  const Dim n = Dim::symbol("N");
  EXPECT_EQ(infer(test_node("Det", 22), {ValueInfo::tensor(DataType::float32, {n, 3, 3})})[0].to_string(),
            "float32 [N]");
  EXPECT_THAT(message_of([] {
                run_node(test_node("Det", 11), {Tensor(DataType::float32, {2, 3})});
              }),
              HasSubstr("input [2, 3] holds no square matrices"));
}

}  // namespace
}  // namespace overt
