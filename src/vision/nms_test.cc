#include "vision/nms.h"

#include "vision/test_pictures.h"

namespace overt::vision {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::array<float, 4> kLeft = {0, 0, 10, 10};
constexpr std::array<float, 4> kShifted = {5, 0, 15, 10};  // 50 of 150 in common with kLeft
constexpr std::array<float, 4> kFar = {100, 0, 110, 10};

TEST(BoxIou, third_touching_and_empty) {
  EXPECT_FLOAT_EQ(box_iou(kLeft, kShifted), 1.0F / 3.0F);
  EXPECT_EQ(box_iou(kLeft, {10, 0, 20, 10}), 0.0F);
  EXPECT_EQ(box_iou(kLeft, {3, 3, 3, 3}), 0.0F);
  EXPECT_EQ(box_iou({3, 3, 3, 3}, {3, 3, 3, 3}), 0.0F);
  EXPECT_EQ(box_iou(kLeft, kLeft), 1.0F);
}

TEST(Suppress, better_box_of_the_class_stays) {
  const std::vector<Candidate> candidates = {{0, 0.5F, kLeft}, {0, 0.9F, kShifted}, {0, 0.4F, kFar}};
  EXPECT_THAT(suppress(candidates, 1, 0.3F, 10), ElementsAre(1, 2));
  EXPECT_THAT(suppress(candidates, 1, 0.4F, 10), ElementsAre(1, 0, 2));
}

TEST(Suppress, overlap_equal_to_the_threshold_stays) {
  const std::vector<Candidate> candidates = {{0, 0.9F, kLeft}, {0, 0.5F, {0, 0, 10, 5}}};
  EXPECT_THAT(suppress(candidates, 1, 0.5F, 10), ElementsAre(0, 1));
}

TEST(Suppress, other_classes_do_not_count) {
  const std::vector<Candidate> candidates = {{0, 0.5F, kLeft}, {1, 0.9F, kLeft}};
  EXPECT_THAT(suppress(candidates, 2, 0.3F, 10), ElementsAre(1, 0));
}

TEST(Suppress, equal_scores_go_by_index) {
  const std::vector<Candidate> candidates = {{0, 0.5F, kFar}, {0, 0.5F, kShifted}, {0, 0.5F, kLeft}};
  EXPECT_THAT(suppress(candidates, 1, 0.3F, 10), ElementsAre(0, 1));
}

TEST(Suppress, one_that_went_does_not_suppress) {
  // The middle box overlaps both neighbours, which do not overlap each other enough.
  const std::vector<Candidate> candidates = {
      {0, 0.9F, {0, 0, 10, 10}}, {0, 0.8F, {3, 0, 13, 10}}, {0, 0.7F, {6, 0, 16, 10}}};
  EXPECT_THAT(suppress(candidates, 1, 0.45F, 10), ElementsAre(0, 2));
}

TEST(Suppress, stops_after_the_most) {
  const std::vector<Candidate> candidates = {{0, 0.1F, kLeft}, {0, 0.3F, kFar}, {1, 0.2F, kLeft}};
  EXPECT_THAT(suppress(candidates, 2, 0.5F, 2), ElementsAre(1, 2));
}

TEST(Suppress, nothing_gives_nothing) {
  EXPECT_THAT(suppress({}, 3, 0.5F, 10), IsEmpty());
}

}  // namespace
}  // namespace overt::vision
