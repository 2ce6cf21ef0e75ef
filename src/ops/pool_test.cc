#include "ops/pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::IsNan;

using Integers = std::vector<int64_t>;

template <typename... Attributes>
Node pool(const char* type, Integers kernel, Attributes... attributes) {
  return test_node(type, 22,
                   attribute_list(Attribute::of("kernel_shape", std::move(kernel)), std::move(attributes)...), 1, 2);
}

const Tensor kLine = Tensor::of<float>({1, 1, 5}, {1, 5, 3, 2, 4});
const Tensor kGrid = Tensor::of<float>({1, 1, 3, 3}, {1, 2, 3, 4, 9, 6, 7, 8, 5});

std::vector<float> run(const Node& node, const Tensor& x) {
  return values_of<float>(run_node(node, {x}));
}

TEST(MaxPool, stride_pads_and_dilation) {
  EXPECT_THAT(run(pool("MaxPool", {2}), kLine), ElementsAre(5, 5, 3, 4));
  EXPECT_THAT(run(pool("MaxPool", {2}, Attribute::of("strides", Integers{2})), kLine), ElementsAre(5, 3));
  EXPECT_THAT(run(pool("MaxPool", {3}, Attribute::of("pads", Integers{1, 1})), kLine), ElementsAre(5, 5, 5, 4, 4));
  EXPECT_THAT(run(pool("MaxPool", {2}, Attribute::of("dilations", Integers{3})), kLine), ElementsAre(2, 5));
}

TEST(MaxPool, ceil_mode_drops_a_window_that_would_start_in_the_end_padding) {
  const auto ceil_mode = [] { return Attribute::of("ceil_mode", int64_t{1}); };
  EXPECT_THAT(run(pool("MaxPool", {2}, Attribute::of("strides", Integers{2}), ceil_mode()), kLine),
              ElementsAre(5, 3, 4));
  const Tensor pair = Tensor::of<float>({1, 1, 2}, {1, 2});
  EXPECT_THAT(run(pool("MaxPool", {1}, Attribute::of("strides", Integers{2}), Attribute::of("pads", Integers{0, 1}),
                       ceil_mode()),
                  pair),
              ElementsAre(1));
}

TEST(MaxPool, indices_row_major_and_column_major) {
  const std::vector<Tensor> rows = evaluate_node(pool("MaxPool", {2, 2}), std::vector{kGrid});
  EXPECT_THAT(values_of<float>(rows[0]), ElementsAre(9, 9, 9, 9));
  EXPECT_THAT(values_of<int64_t>(rows[1]), ElementsAre(4, 4, 4, 4));
  const Node columns = pool("MaxPool", {1, 3}, Attribute::of("storage_order", int64_t{1}));
  EXPECT_THAT(values_of<int64_t>(evaluate_node(columns, std::vector{kGrid})[1]), ElementsAre(6, 4, 5));
}

TEST(MaxPool, bytes_and_nan) {
  EXPECT_THAT(values_of<int8_t>(run_node(pool("MaxPool", {2}), {Tensor::of<int8_t>({1, 1, 3}, {-7, -3, -5})})),
              ElementsAre(-3, -3));
  EXPECT_THAT(values_of<uint8_t>(run_node(pool("MaxPool", {2}), {Tensor::of<uint8_t>({1, 1, 3}, {200, 3, 5})})),
              ElementsAre(200, 5));
  EXPECT_THAT(run(pool("MaxPool", {2}), Tensor::of<float>({1, 1, 4}, {1, NAN, 3, 4})),
              ElementsAre(IsNan(), IsNan(), 4));
}

TEST(MaxPool, window_in_the_padding_alone_gives_the_least_value) {
  const Node node = pool("MaxPool", {1}, Attribute::of("pads", Integers{1, 0}));
  const std::vector<Tensor> result = evaluate_node(node, std::vector{Tensor::of<float>({1, 1, 1}, {7})});
  EXPECT_THAT(values_of<float>(result[0]), ElementsAre(-std::numeric_limits<float>::infinity(), 7));
  EXPECT_THAT(values_of<int64_t>(result[1]), ElementsAre(-1, 0));
}

TEST(AveragePool, pads_count_when_asked_but_nothing_past_them) {
  const auto pads = [] { return Attribute::of("pads", Integers{1, 1}); };
  EXPECT_THAT(run(pool("AveragePool", {2}, pads(), Attribute::of("strides", Integers{2})), kLine),
              ElementsAre(1, 4, 3));
  EXPECT_THAT(run(pool("AveragePool", {2}, pads(), Attribute::of("strides", Integers{2}),
                       Attribute::of("count_include_pad", int64_t{1})),
                  kLine),
              ElementsAre(0.5f, 4, 3));
  // The last window covers the element 4, one pad, and one place past the pads.
  EXPECT_THAT(run(pool("AveragePool", {3}, pads(), Attribute::of("strides", Integers{2}),
                       Attribute::of("ceil_mode", int64_t{1}), Attribute::of("count_include_pad", int64_t{1})),
                  kLine),
              ElementsAre(2, FloatNear(10.0f / 3, 1e-6f), 2));
  EXPECT_THAT(run(pool("AveragePool", {2}, Attribute::of("dilations", Integers{2})), kLine),
              ElementsAre(2, 3.5f, 3.5f));
}

TEST(LpPool, norms_of_first_and_second_order) {
  const Tensor x = Tensor::of<float>({1, 1, 3}, {3, -4, 12});
  EXPECT_THAT(run(pool("LpPool", {2}), x), ElementsAre(FloatNear(5, 1e-6f), FloatNear(std::sqrt(160.0f), 1e-5f)));
  EXPECT_THAT(run(pool("LpPool", {2}, Attribute::of("p", int64_t{1})), x), ElementsAre(7, 16));
}

TEST(GlobalPools, one_value_per_plane) {
  const Tensor x = Tensor::of<float>({1, 2, 2}, {1, 3, -3, 4});
  EXPECT_THAT(run(test_node("GlobalAveragePool", 1), x), ElementsAre(2, 0.5f));
  EXPECT_THAT(run(test_node("GlobalMaxPool", 1), x), ElementsAre(3, 4));
  EXPECT_THAT(run(test_node("GlobalLpPool", 2), x), ElementsAre(FloatNear(std::sqrt(10.0f), 1e-6f), 5));
  EXPECT_THAT(run(test_node("GlobalAveragePool", 1), Tensor(DataType::float32, {1, 1, 0})), ElementsAre(IsNan()));
  EXPECT_EQ(run_node(test_node("GlobalMaxPool", 1), {kGrid}).shape(), (Shape{1, 1, 1, 1}));
}

TEST(Pools, symbolic_lengths) {
  const ValueInfo x = ValueInfo::tensor(DataType::float32, {Dim::symbol("N"), 8, Dim::symbol("H"), 7});
  const Node node = pool("MaxPool", {2, 2}, Attribute::of("strides", Integers{2, 2}));
  const std::vector<ValueInfo> outputs = infer(node, {x});
  EXPECT_EQ((*outputs[0].shape)[2], floor_div(Dim::symbol("H"), 2));
  EXPECT_EQ((*outputs[0].shape)[3], Dim(3));
  EXPECT_EQ(outputs[1].type, DataType::int64);
  EXPECT_EQ(infer(test_node("GlobalAveragePool", 1), {x})[0].to_string(), "float32 [N, 8, 1, 1]");
}

TEST(Pools, hostile_attributes_are_rejected) {
  const auto message = [](const Node& node) { return message_of([&] { run(node, kLine); }); };
  EXPECT_THAT(message(pool("MaxPool", {int64_t{1} << 40})), HasSubstr("kernel_shape has 1099511627776"));
  EXPECT_THAT(message(pool("MaxPool", {0})), HasSubstr("kernel_shape has 0"));
  EXPECT_THAT(message(pool("MaxPool", {2, 2})), HasSubstr("kernel_shape has 2 numbers, expected 1"));
  EXPECT_THAT(message(pool("AveragePool", {6})), HasSubstr("a window of extent 6 does not fit an input of length 5"));
  EXPECT_THAT(message(pool("LpPool", {2}, Attribute::of("p", int64_t{0}))),
              HasSubstr("p is 0, expected more than 0"));
  EXPECT_THAT(message(test_node("MaxPool", 12)), HasSubstr("attribute kernel_shape is missing"));
  EXPECT_THAT(message(pool("MaxPool", {INT32_MAX}, Attribute::of("dilations", Integers{INT32_MAX}),
                           Attribute::of("pads", Integers{9, 9}))),
              HasSubstr("does not fit"));
}

}  // namespace
}  // namespace overt
