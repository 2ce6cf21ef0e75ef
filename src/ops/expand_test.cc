#include <gmock/gmock.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const Node expand = test_node("Expand", 13, {}, 2);
const Node tile = test_node("Tile", 13, {}, 2);

TEST(Expand, broadcasts_both_ways) {
  const Tensor out = run_node(expand, {counted({2, 1}), int64_list({1, 2, 3})});
  EXPECT_EQ(out.shape(), (Shape{1, 2, 3}));
  EXPECT_THAT(values_of<float>(out), ElementsAre(0, 0, 0, 1, 1, 1));
  EXPECT_EQ(run_node(expand, {counted({3, 2}), int64_list({1})}).shape(), (Shape{3, 2}));
  EXPECT_EQ(run_node(expand, {counted({3, 1}), int64_list({0})}).shape(), (Shape{3, 0}));
}

TEST(Expand, shapes_and_contents_are_symbolic) {
  const Dim n = Dim::symbol("N");
  EXPECT_EQ(shape_of(infer(expand, {ValueInfo::tensor(DataType::float32, {1, 3}), known_vector({n, 1})})[0]),
            "[N, 3]");
  const ValueInfo one{DataType::int64, Dims{1}, Dims{n}};
  EXPECT_EQ(contents_of(infer(expand, {one, int64_list({3})})[0]), "[N, N, N]");
  const ValueInfo unknown = ValueInfo::tensor(DataType::int64, {3});
  EXPECT_EQ(infer(expand, {ValueInfo::tensor(DataType::float32, {1, 3}), unknown})[0].rank(), 3);
}

TEST(Expand, hostile_shapes_are_refused) {
  const auto error = [](std::vector<int64_t> shape) {
    return error_of([&] { evaluate_node(expand, std::vector{counted({3}), int64_list(shape)}, 1 << 20); });
  };
  EXPECT_THAT(error({2}), HasSubstr("the input of shape [3] does not broadcast to [2]"));
  EXPECT_THAT(error({-1}), HasSubstr("has a negative length"));
  EXPECT_THAT(error({int64_t{1} << 44, 3}), StartsWith("out_of_memory: "));
  EXPECT_THAT(error({int64_t{1} << 62, 3}), StartsWith("invalid_argument: "));
}

TEST(Tile, repeats_each_axis) {
  const Tensor out = run_node(tile, {counted({2, 2}), int64_list({1, 2})});
  EXPECT_EQ(out.shape(), (Shape{2, 4}));
  EXPECT_THAT(values_of<float>(out), ElementsAre(0, 1, 0, 1, 2, 3, 2, 3));
  EXPECT_THAT(values_of<float>(run_node(tile, {counted({1, 2}), int64_list({2, 1})})), ElementsAre(0, 1, 0, 1));
  EXPECT_EQ(run_node(tile, {counted({2, 2}), int64_list({0, 2})}).shape(), (Shape{0, 4}));
}

TEST(Tile, shapes_and_contents_are_symbolic) {
  const Dim n = Dim::symbol("N");
  EXPECT_EQ(shape_of(infer(tile, {ValueInfo::tensor(DataType::float32, {n, 2}), known_vector({2, n})})[0]),
            "[2*N, 2*N]");
  EXPECT_EQ(contents_of(infer(tile, {known_vector({n, 1}), int64_list({2})})[0]), "[N, 1, N, 1]");
}

TEST(Tile, hostile_repeats_are_refused) {
  const auto error = [](std::vector<int64_t> repeats) {
    return error_of([&] { evaluate_node(tile, std::vector{counted({3}), int64_list(repeats)}, 1 << 20); });
  };
  EXPECT_THAT(error({-1}), HasSubstr("repeats has -1, expected 0 or more"));
  EXPECT_THAT(error({1, 1}), HasSubstr("repeats has 2 entries, expected 1"));
  EXPECT_THAT(error({int64_t{1} << 40}), StartsWith("out_of_memory: "));
  EXPECT_THAT(error({INT64_MAX}),
              StartsWith("invalid_argument: Tile #-1: the shape of output 0 cannot be worked out in 64-bit numbers"));
}

}  // namespace
}  // namespace overt
