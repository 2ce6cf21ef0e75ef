#include "ops/slice.h"

#include <gmock/gmock.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const auto symbol = [](const char* name) { return Dim::symbol(name); };

Node slice_node(int inputs = 5) {
  return test_node("Slice", 13, {}, inputs);
}

std::vector<float> sliced(int64_t length, int64_t start, int64_t end, int64_t step) {
  return values_of<float>(run_node(slice_node(), {counted({length}), int64_list({start}), int64_list({end}),
                                                  int64_list({0}), int64_list({step})}));
}

TEST(Slice, steps_and_negative_ends) {
  EXPECT_THAT(sliced(5, 1, 4, 1), ElementsAre(1, 2, 3));
  EXPECT_THAT(sliced(5, -3, -1, 1), ElementsAre(2, 3));
  EXPECT_THAT(sliced(5, 0, 5, 2), ElementsAre(0, 2, 4));
  EXPECT_THAT(sliced(5, 4, 0, -2), ElementsAre(4, 2));
  EXPECT_THAT(sliced(5, -1, INT64_MIN, -1), ElementsAre(4, 3, 2, 1, 0));
  EXPECT_THAT(sliced(5, 3, 3, 1), IsEmpty());
  EXPECT_THAT(sliced(5, 4, 1, 1), IsEmpty());
}

TEST(Slice, extreme_numbers_are_clamped) {
  EXPECT_THAT(sliced(3, INT64_MIN, INT64_MAX, 1), ElementsAre(0, 1, 2));
  EXPECT_THAT(sliced(3, INT64_MAX, INT64_MIN, -1), ElementsAre(2, 1, 0));
  EXPECT_THAT(sliced(3, 1, INT64_MAX, INT64_MAX), ElementsAre(1));
  EXPECT_THAT(sliced(3, INT64_MAX, INT64_MIN, INT64_MIN), ElementsAre(2));
  EXPECT_THAT(sliced(0, INT64_MAX, INT64_MIN, -1), IsEmpty());
  EXPECT_EQ(slice_range(10, 0, 10, 3), (SliceRange{0, 3, 4}));
}

TEST(Slice, axes_are_the_first_ones_by_default_and_may_be_negative) {
  const Tensor rows = run_node(slice_node(3), {counted({2, 3}), int64_list({1}), int64_list({2})});
  EXPECT_THAT(values_of<float>(rows), ElementsAre(3, 4, 5));
  const Tensor columns =
      run_node(slice_node(4), {counted({2, 3}), int64_list({1}), int64_list({9}), int64_list({-1})});
  EXPECT_EQ(columns.shape(), (Shape{2, 2}));
  EXPECT_THAT(values_of<float>(columns), ElementsAre(1, 2, 4, 5));
}

TEST(Slice, before_opset_10_the_lists_are_attributes) {
  const Node node = test_node(
      "Slice", 1, attribute_list(integers("starts", {0, -1}), integers("ends", {1, 3}), integers("axes", {0, 1})));
  EXPECT_THAT(values_of<float>(run_node(node, {counted({2, 3})})), ElementsAre(2));
}

TEST(Slice, a_step_of_0_and_lists_that_do_not_fit_are_refused) {
  EXPECT_EQ(error_of([] { sliced(3, 0, 1, 0); }),
            "invalid_argument: Slice #-1: steps has a 0, expected any other number");
  const auto error = [](std::vector<int64_t> starts, std::vector<int64_t> ends, std::vector<int64_t> axes) {
    return error_of([&] {
      run_node(slice_node(4), {counted({2, 3}), int64_list(starts), int64_list(ends), int64_list(axes)});
    });
  };
  EXPECT_THAT(error({0}, {1, 1}, {0}), HasSubstr("ends has 2 entries, expected 1 as starts"));
  EXPECT_THAT(error({0, 0}, {1, 1}, {0, -2}), HasSubstr("axis -2 is named twice"));
  EXPECT_THAT(error({0}, {1}, {2}), HasSubstr("axes entry 2 is out of range for rank 2"));
  EXPECT_THAT(error({0, 0, 0}, {1, 1, 1}, {0, 1, 2}), HasSubstr("starts has 3 entries, expected at most 2"));
}

std::string symbolic(Dim length, Dim start, Dim end, int64_t step = 1) {
  return shape_of(infer(slice_node(), {ValueInfo::tensor(DataType::float32, {length}), known_vector({start}),
                                       known_vector({end}), int64_list({0}), int64_list({step})})[0]);
}

TEST(Slice, symbolic_lengths) {
  const Dim n = symbol("N");
  EXPECT_EQ(symbolic(n, 0, INT64_MAX), "[N]");
  EXPECT_EQ(symbolic(n, 1, INT32_MAX), "[N - 1]");
  EXPECT_EQ(symbolic(n, -1, INT64_MAX), "[1]");
  EXPECT_EQ(symbolic(n, 0, -1), "[N - 1]");
  EXPECT_EQ(symbolic(n, 0, n), "[N]");
  EXPECT_EQ(symbolic(n, 0, INT64_MAX, 2), "[(N + 1)/2]");
  EXPECT_EQ(symbolic(n, -1, INT64_MIN, -1), "[N]");
  EXPECT_EQ(symbolic(n * 2, n, INT64_MAX), "[N]");
  EXPECT_EQ(symbolic(n, 0, 10), "[min(10, N)]");
  EXPECT_EQ(symbolic(512, 0, n), "[min(512, N)]");
}

TEST(Slice, unknown_lists_leave_the_rank_known) {
  const ValueInfo list = ValueInfo::tensor(DataType::int64, {1});
  const auto out = infer(slice_node(4), {ValueInfo::tensor(DataType::float32, {4, 5}), list, list, int64_list({1})});
  EXPECT_EQ((*out[0].shape)[0], Dim(4));
  EXPECT_FALSE((*out[0].shape)[1].is_number());
}

TEST(Slice, contents_stay_known) {
  const ValueInfo dims = known_vector({symbol("N"), 3, symbol("H"), symbol("W")});
  const auto out = infer(slice_node(), {dims, int64_list({-1}), int64_list({-3}), int64_list({0}), int64_list({-1})});
  EXPECT_EQ(contents_of(out[0]), "[W, H]");
}

}  // namespace
}  // namespace overt
