#include "ops/scatter.h"

#include <gmock/gmock.h>

#include <limits>

#include "ops/test_node.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Node scatter_elements(int64_t axis, std::string reduction = "none") {
  return test_node("ScatterElements", 18,
                   attribute_list(Attribute::of("axis", axis), Attribute::of("reduction", reduction)), 3);
}

Node scatter_nd(std::string reduction = "none") {
  return test_node("ScatterND", 18, attribute_list(Attribute::of("reduction", reduction)), 3);
}

Tensor table(Shape shape, std::vector<int64_t> values) {
  return int64_list(std::move(values)).reshaped(std::move(shape));
}
Tensor floats(std::vector<float> values) {
  return Tensor::of<float>(Shape{static_cast<int64_t>(values.size())}, std::span<const float>(values));
}

TEST(ScatterElements, puts_updates_in_their_places) {
  const Tensor out =
      run_node(scatter_elements(1), {counted({2, 3}), table({1, 2}, {-1, 0}), floats({8, 9}).reshaped({1, 2})});
  EXPECT_THAT(values_of<float>(out), ElementsAre(9, 1, 8, 3, 4, 5));
  const Node old = test_node("Scatter", 9, {}, 3);
  EXPECT_THAT(values_of<float>(run_node(old, {counted({3}), int64_list({1}), floats({7})})), ElementsAre(0, 7, 2));
}

TEST(ScatterElements, reductions_join_repeated_indices) {
  const auto out = [](std::string reduction) {
    return values_of<float>(
        run_node(scatter_elements(0, reduction), {counted({3}), int64_list({1, 1}), floats({3, -2})}));
  };
  EXPECT_THAT(out("none"), ElementsAre(0, -2, 2));
  EXPECT_THAT(out("add"), ElementsAre(0, 2, 2));
  EXPECT_THAT(out("mul"), ElementsAre(0, -6, 2));
  EXPECT_THAT(out("min"), ElementsAre(0, -2, 2));
  EXPECT_THAT(out("max"), ElementsAre(0, 3, 2));
}

TEST(ScatterElements, integers_wrap_and_nan_stays) {
  const Tensor big = Tensor::of<int32_t>({1}, {std::numeric_limits<int32_t>::max()});
  const Tensor one = Tensor::of<int32_t>({1}, {1});
  EXPECT_THAT(values_of<int32_t>(run_node(scatter_elements(0, "add"), {big, int64_list({0}), one})),
              ElementsAre(std::numeric_limits<int32_t>::min()));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(
      values_of<float>(run_node(scatter_elements(0, "max"), {counted({1}), int64_list({0, 0}), floats({nan, 5})})),
      ElementsAre(testing::IsNan()));
}

TEST(ScatterElements, half_floats_add_in_float) {
  const Tensor data = Tensor::of<Float16>({1}, {Float16(1.5f)});
  const Tensor out = run_node(scatter_elements(0, "add"), {data, int64_list({0}), data});
  EXPECT_THAT(floats_of<Float16>(out), ElementsAre(3.0f));
}

TEST(ScatterElements, hostile_indices_are_refused) {
  const auto error = [](Tensor indices, Tensor updates) {
    return error_of([&] { run_node(scatter_elements(0), {counted({3}), indices, updates}); });
  };
  EXPECT_EQ(
      error(int64_list({3}), floats({1})),
      "invalid_argument: ScatterElements #-1: index 3 is out of range for axis 0 of length 3, expected -3 to 2");
  EXPECT_THAT(error(int64_list({INT64_MIN}), floats({1})), HasSubstr("is out of range"));
  EXPECT_THAT(error(int64_list({0}), floats({1, 2})), HasSubstr("axis 0 of updates has length 2, expected 1"));
  EXPECT_THAT(error(int64_list({0}), int64_list({1})), HasSubstr("updates are int64, expected float32"));
  EXPECT_THAT(error_of([] {
                run_node(scatter_elements(0, "sum"), {counted({1}), int64_list({0}), floats({1})});
              }),
              HasSubstr("reduction is none of none, add, mul, min and max"));
}

TEST(ScatterND, updates_slices) {
  const Tensor out = run_node(scatter_nd(), {counted({3, 2}), table({1, 1}, {-1}), floats({8, 9}).reshaped({1, 2})});
  EXPECT_THAT(values_of<float>(out), ElementsAre(0, 1, 2, 3, 8, 9));
  const Tensor sum = run_node(scatter_nd("add"), {counted({2, 2}), table({2, 2}, {0, 1, 0, 1}), floats({5, 6})});
  EXPECT_THAT(values_of<float>(sum), ElementsAre(0, 12, 2, 3));
}

TEST(ScatterND, hostile_indices_are_refused) {
  const auto error = [](Tensor indices, Tensor updates) {
    return error_of([&] { run_node(scatter_nd(), {counted({2, 2}), indices, updates}); });
  };
  EXPECT_THAT(error(table({1, 1}, {2}), floats({1, 2}).reshaped({1, 2})),
              HasSubstr("index 2 is out of range for axis 0"));
  EXPECT_THAT(error(table({1, 3}, {0, 0, 0}), floats({1})),
              HasSubstr("index tuples have 3 entries, expected at most 2"));
  EXPECT_THAT(error(table({1, 2}, {0, 0}), floats({1, 2})), HasSubstr("axis 0 of updates has length 2, expected 1"));
  EXPECT_THAT(error(table({}, {0}), floats({1})), HasSubstr("indices have rank 0"));
}

TEST(ScatterND, contents_stay_known) {
  const Dim n = Dim::symbol("N");
  const auto out = infer(scatter_nd(), {known_vector({n, 2, 3}), table({1, 1}, {-1}), known_vector({n * 2})});
  EXPECT_EQ(contents_of(out[0]), "[N, 2, 2*N]");
}

}  // namespace
}  // namespace overt
