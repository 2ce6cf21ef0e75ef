#include <gmock/gmock.h>

#include <limits>

#include "ops/test_node.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const Node range = test_node("Range", 11, {}, 3);

template <typename T>
std::vector<T> counted_range(T start, T limit, T delta) {
  return values_of<T>(evaluate_node(
      range, std::vector{Tensor::of<T>({}, {start}), Tensor::of<T>({}, {limit}), Tensor::of<T>({}, {delta})},
      1 << 20)[0]);
}

TEST(Range, ends_before_the_limit) {
  EXPECT_THAT(counted_range<int64_t>(3, 9, 3), ElementsAre(3, 6));
  EXPECT_THAT(counted_range<int32_t>(10, 4, -2), ElementsAre(10, 8, 6));
  EXPECT_THAT(counted_range<int64_t>(4, 4, 1), IsEmpty());
  EXPECT_THAT(counted_range<int64_t>(4, 9, -1), IsEmpty());
  EXPECT_THAT(counted_range<float>(0.0f, 1.0f, 0.25f), ElementsAre(0.0f, 0.25f, 0.5f, 0.75f));
  EXPECT_THAT(counted_range<double>(1.0, 0.0, -0.5), ElementsAre(1.0, 0.5));
}

TEST(Range, half_floats_count_in_float) {
  const Tensor out = evaluate_node(
      range, std::vector{Tensor::of<Float16>({}, {Float16(0.0f)}), Tensor::of<Float16>({}, {Float16(1.5f)}),
                         Tensor::of<Float16>({}, {Float16(0.5f)})})[0];
  EXPECT_THAT(floats_of<Float16>(out), ElementsAre(0.0f, 0.5f, 1.0f));
}

TEST(Range, hostile_numbers_are_refused) {
  EXPECT_THAT(error_of([] { counted_range<int64_t>(0, 1, 0); }), HasSubstr("delta is 0"));
  EXPECT_THAT(error_of([] { counted_range<int64_t>(0, int64_t{1} << 40, 1); }), StartsWith("out_of_memory: "));
  EXPECT_THAT(error_of([] { counted_range<int64_t>(INT64_MIN, INT64_MAX, 1); }), StartsWith("out_of_memory: "));
  EXPECT_THAT(counted_range<int64_t>(INT64_MIN, INT64_MAX, INT64_MAX), ElementsAre(INT64_MIN, -1, INT64_MAX - 1));
  EXPECT_THAT(counted_range<int64_t>(5, INT64_MIN, INT64_MIN), ElementsAre(5, INT64_MIN + 5));
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_THAT(error_of([&] { counted_range<float>(0, infinity, 1); }), StartsWith("out_of_memory: "));
  EXPECT_THAT(error_of([&] { counted_range<float>(infinity, infinity, 1); }),
              HasSubstr("are no numbers that a range could have"));
  EXPECT_THAT(error_of([&] { counted_range<float>(0, 1, 0); }), HasSubstr("delta is 0"));
  const auto list = [] { run_node(range, {int64_list({0, 1}), int64_list({4}), int64_list({1})}); };
  EXPECT_THAT(error_of(list), HasSubstr("start has 2 elements, expected 1"));
}

TEST(Range, shapes_and_contents_are_symbolic) {
  const Dim n = Dim::symbol("N");
  const auto scalar = [](Dim value) { return ValueInfo{DataType::int64, Dims{}, Dims{value}}; };
  EXPECT_EQ(shape_of(infer(range, {scalar(0), scalar(n), scalar(1)})[0]), "[N]");
  EXPECT_EQ(shape_of(infer(range, {scalar(0), scalar(n), scalar(2)})[0]), "[(N + 1)/2]");
  EXPECT_EQ(contents_of(infer(range, {scalar(n), scalar(n + 3), scalar(1)})[0]), "[N, N + 1, N + 2]");
  EXPECT_EQ(contents_of(infer(range, {int64_list({0}), int64_list({3}), int64_list({1})})[0]), "[0, 1, 2]");
}

}  // namespace
}  // namespace overt
