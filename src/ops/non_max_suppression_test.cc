#include "ops/non_max_suppression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Node suppression(int64_t center_point_box = 0) {
  return test_node("NonMaxSuppression", 11, attribute_list(Attribute::of("center_point_box", center_point_box)), 5);
}

// The first two overlap by 9/11, the third lies apart; corners in any order.
const Tensor kBoxes = Tensor::of<float>({1, 3, 4}, {0, 0, 1, 1, 1, 1.1f, 0, 0.1f, 10, 10, 11, 11});
const Tensor kScores = Tensor::of<float>({1, 1, 3}, {0.5f, 0.9f, 0.7f});
const Tensor kAbsent;

Tensor integer(int64_t value) {
  return Tensor::of<int64_t>({1}, {value});
}
Tensor real(float value) {
  return Tensor::of<float>({1}, {value});
}

std::vector<int64_t> select(const Tensor& boxes, const Tensor& scores, int64_t most, float iou,
                            Tensor threshold = {}) {
  return values_of<int64_t>(run_node(suppression(), {boxes, scores, integer(most), real(iou), std::move(threshold)}));
}

TEST(NonMaxSuppression, best_first_and_overlapping_ones_dropped) {
  EXPECT_THAT(select(kBoxes, kScores, 3, 0.5f), ElementsAre(0, 0, 1, 0, 0, 2));
  EXPECT_THAT(select(kBoxes, kScores, 3, 0.9f), ElementsAre(0, 0, 1, 0, 0, 2, 0, 0, 0));
  EXPECT_THAT(select(kBoxes, kScores, 1, 0.5f), ElementsAre(0, 0, 1));
}

TEST(NonMaxSuppression, score_must_exceed_the_threshold) {
  EXPECT_THAT(select(kBoxes, kScores, 3, 0.5f, real(0.7f)), ElementsAre(0, 0, 1));
}

TEST(NonMaxSuppression, equal_scores_go_by_index_and_nan_is_never_selected) {
  EXPECT_THAT(select(kBoxes, Tensor::of<float>({1, 1, 3}, {0.5f, 0.5f, 0.5f}), 3, 0.5f),
              ElementsAre(0, 0, 0, 0, 0, 2));
  EXPECT_THAT(select(kBoxes, Tensor::of<float>({1, 1, 3}, {NAN, 0.1f, NAN}), 3, 0.5f), ElementsAre(0, 0, 1));
}

TEST(NonMaxSuppression, centre_boxes_and_classes_of_their_own) {
  const Tensor boxes = Tensor::of<float>({1, 2, 4}, {5, 5, 2, 2, 5, 5, 2, 2});
  const Tensor scores = Tensor::of<float>({1, 2, 2}, {0.1f, 0.2f, 0.4f, 0.3f});
  const Tensor y = run_node(suppression(1), {boxes, scores, integer(9), real(0.5f), kAbsent});
  EXPECT_THAT(values_of<int64_t>(y), ElementsAre(0, 0, 1, 0, 1, 0));
}

TEST(NonMaxSuppression, without_a_number_of_boxes_none_is_selected) {
  EXPECT_THAT(values_of<int64_t>(run_node(suppression(), {kBoxes, kScores, kAbsent, kAbsent, kAbsent})), IsEmpty());
  EXPECT_THAT(select(kBoxes, kScores, -5, 0.5f), IsEmpty());
  EXPECT_EQ(run_node(suppression(), {Tensor(DataType::float32, {1, 0, 4}), Tensor(DataType::float32, {1, 1, 0}),
                                     integer(3), kAbsent, kAbsent})
                .shape(),
            (Shape{0, 3}));
}

TEST(NonMaxSuppression, rows_are_unknown_before_the_run) {
  const Dims shape = *infer(suppression(), {kBoxes, kScores, ValueInfo(), ValueInfo(), ValueInfo()})[0].shape;
  EXPECT_FALSE(shape[0].is_number());
  EXPECT_EQ(shape[1], Dim(3));
}

TEST(NonMaxSuppression, shapes_and_numbers_outside_the_standard_are_rejected) {
  EXPECT_THAT(message_of([] {
                select(kBoxes, Tensor(DataType::float32, {1, 1, 2}), 1, 0.5f);
              }),
              HasSubstr("boxes [1, 3, 4] and scores [1, 1, 2] do not fit"));
  EXPECT_THAT(message_of([] { select(kBoxes, kScores, 1, 1.5f); }),
              HasSubstr("iou_threshold is 1.5, expected 0 to 1"));
  EXPECT_THAT(message_of([] {
                run_node(suppression(2), {kBoxes, kScores, kAbsent, kAbsent, kAbsent});
              }),
              HasSubstr("center_point_box is 2"));
  EXPECT_THAT(message_of([] {
                run_node(suppression(), {kBoxes, kScores, real(1), kAbsent, kAbsent});
              }),
              HasSubstr("input 2 is float32 [1], expected one int64"));
}

}  // namespace
}  // namespace overt
