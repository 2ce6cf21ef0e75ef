#include "ops/max_unpool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Node max_unpool(int inputs) {
  return test_node("MaxUnpool", 11,
                   attribute_list(Attribute::of("kernel_shape", std::vector<int64_t>{2}),
                                  Attribute::of("strides", std::vector<int64_t>{2})),
                   inputs);
}

const Tensor kX = Tensor::of<float>({1, 2, 2}, {5, 6, 7, 8});
const Tensor kIndices = Tensor::of<int64_t>({1, 2, 2}, {0, 3, 5, 6});

TEST(MaxUnpool, values_go_back_to_where_the_indices_say) {
  EXPECT_THAT(values_of<float>(run_node(max_unpool(2), {kX, kIndices})), ElementsAre(5, 0, 0, 6, 0, 7, 8, 0));
}

TEST(MaxUnpool, larger_output_shape_keeps_the_indices_meaning) {
  const Tensor shape = Tensor::of<int64_t>({3}, {1, 2, 5});
  EXPECT_THAT(values_of<float>(run_node(max_unpool(3), {kX, kIndices, shape})),
              ElementsAre(5, 0, 0, 6, 0, 0, 7, 8, 0, 0));
  const ValueInfo x = ValueInfo::tensor(DataType::float32, {1, 2, Dim::symbol("L")});
  EXPECT_EQ(infer(max_unpool(2), {x, x})[0].shape, (Dims{1, 2, Dim::symbol("L") * 2}));
  EXPECT_EQ(infer(max_unpool(3), {kX, kIndices, shape})[0].shape, (Dims{1, 2, 5}));
}

TEST(MaxUnpool, hostile_indices_and_shapes_are_rejected) {
  const auto message = [](Tensor indices) {
    return message_of([&] { run_node(max_unpool(2), {kX, std::move(indices)}); });
  };
  EXPECT_THAT(message(Tensor::of<int64_t>({1, 2, 2}, {0, 3, 5, 8})),
              HasSubstr("index 8 is out of range, expected 0 to 7"));
  EXPECT_THAT(message(Tensor::of<int64_t>({1, 2, 2}, {-1, 3, 5, 6})), HasSubstr("index -1"));
  EXPECT_THAT(message(Tensor::of<int64_t>({1, 2, 1}, {0, 1})),
              HasSubstr("indices have shape [1, 2, 1], expected [1, 2, 2]"));
  EXPECT_THAT(message_of([] {
                run_node(max_unpool(3), {kX, kIndices, Tensor::of<int64_t>({3}, {1, 2, 3})});
              }),
              HasSubstr("output_shape [1, 2, 3] is smaller than [1, 2, 4]"));
}

}  // namespace
}  // namespace overt
