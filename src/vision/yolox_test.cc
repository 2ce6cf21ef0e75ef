#include <cmath>
#include <limits>

#include "vision/test_pictures.h"

namespace overt::vision {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// An input of 32 x 64 (height x width) has 4 x 8 + 2 x 4 + 1 x 2 = 42 rows.
constexpr int kWidth = 64;
constexpr int kHeight = 32;
constexpr int64_t kRows = 42;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// A head of two classes with nothing in it.
struct TestHead {
  int64_t batch = 1;
  std::vector<int64_t> shape = {batch, kRows, 7};
  std::vector<float> values = std::vector<float>(static_cast<size_t>(batch * kRows * 7));
  std::vector<Letterbox> letterboxes = std::vector<Letterbox>(static_cast<size_t>(batch));
  std::vector<std::string> labels = {"cat", "dog"};
  DetectOptions options = {};

  void set_row(int row, const std::vector<float>& numbers) {
    std::copy(numbers.begin(), numbers.end(), values.begin() + row * 7);
  }
  std::vector<std::vector<Detection>> decode() const {
    return decode_yolox({values, shape, kWidth, kHeight}, letterboxes, labels, options);
  }
};

/// A decoded head with a box of 4 x 4 at the centre of each cell.
TestHead decoded_head() {
  TestHead head;
  int row = 0;
  for (const int stride : {8, 16, 32}) {
    for (int y = 0; y < kHeight / stride; ++y) {
      for (int x = 0; x < kWidth / stride; ++x) {
        const auto s = static_cast<float>(stride);
        head.set_row(row++, {(static_cast<float>(x) + 0.5F) * s, (static_cast<float>(y) + 0.5F) * s, 4, 4, 0, 0, 0});
      }
    }
  }
  return head;
}

void expect_box(const Detection& detection, std::array<float, 4> expected) {
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(detection.box[i], expected[i], 1e-4) << "side " << i;
}

TEST(Yolox, raw_row_of_each_stride) {
  TestHead head;
  head.options.head = HeadFormat::yolox_raw;
  // Stride 8, cell (3, 2): row 2 * 8 + 3. Centre (3.5, 2.25) * 8 = (28, 18), size 8 * e^0 by 8 * 2.
  head.set_row(19, {0.5F, 0.25F, 0.0F, std::log(2.0F), 0.9F, 0.1F, 1.0F});
  // Stride 16, cell (1, 1): row 32 + 4 + 1. Centre (24, 24), size 16 by 16.
  head.set_row(37, {0.5F, 0.5F, 0.0F, 0.0F, 0.8F, 1.0F, 0.0F});
  // Stride 32, cell (1, 0): row 41. Centre (16, 0) from an offset of (-0.5, 0), size 32 by 64.
  head.set_row(41, {-0.5F, 0.0F, 0.0F, std::log(2.0F), 0.7F, 0.0F, 0.5F});
  const std::vector<Detection> found = head.decode().at(0);
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_EQ(found[0].class_id, 1);
  EXPECT_EQ(found[0].label, "dog");
  EXPECT_FLOAT_EQ(found[0].score, 0.9F);
  expect_box(found[0], {24, 10, 32, 26});
  EXPECT_EQ(found[1].label, "cat");
  expect_box(found[1], {16, 16, 32, 32});
  EXPECT_FLOAT_EQ(found[2].score, 0.35F);
  expect_box(found[2], {0, -32, 32, 32});
}

TEST(Yolox, decoded_rows_are_pixels_of_the_input) {
  TestHead head = decoded_head();
  head.set_row(5, {40, 4, 10, 6, 0.5F, 0.8F, 0});
  head.letterboxes[0] = {.scale = 0.5, .left = 10, .top = 2, .width = 54, .height = 30};
  const std::vector<Detection> found = head.decode().at(0);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_FLOAT_EQ(found[0].score, 0.4F);
  // (35 - 10) / 0.5, (1 - 2) / 0.5, (45 - 10) / 0.5, (7 - 2) / 0.5: not clipped at 0.
  expect_box(found[0], {50, -2, 70, 10});
}

TEST(Yolox, raw_is_told_by_negative_sizes) {
  TestHead head = decoded_head();
  head.set_row(0, {0.5F, 0.5F, -0.1F, 0.0F, 0.9F, 0.9F, 0});
  expect_box(head.decode().at(0).at(0), {4 - 4 * std::exp(-0.1F), 0, 4 + 4 * std::exp(-0.1F), 8});
}

TEST(Yolox, raw_is_told_by_small_offsets) {
  TestHead head;
  for (int row = 0; row < kRows; ++row) head.set_row(row, {0.4F, 0.6F, 0.5F, 0.5F, 0, 0, 0});
  head.set_row(41, {0.5F, 0.5F, 0.0F, 0.0F, 0.9F, 0.9F, 0});
  expect_box(head.decode().at(0).at(0), {32, 0, 64, 32});
}

TEST(Yolox, format_by_hand_wins) {
  TestHead head = decoded_head();
  head.set_row(0, {0.5F, 0.5F, 0.0F, 0.0F, 0.9F, 0.9F, 0});
  expect_box(head.decode().at(0).at(0), {0.5F, 0.5F, 0.5F, 0.5F});
  head.options.head = HeadFormat::yolox_raw;
  expect_box(head.decode().at(0).at(0), {0, 0, 8, 8});
}

TEST(Yolox, score_equal_to_the_threshold_is_left_out) {
  TestHead head = decoded_head();
  head.options.score_threshold = 0.5F;
  head.set_row(0, {4, 4, 4, 4, 1.0F, 0.5F, 0.75F});
  const std::vector<Detection> found = head.decode().at(0);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].label, "dog");
}

TEST(Yolox, suppresses_per_class_and_keeps_the_order_of_rows) {
  TestHead head = decoded_head();
  head.set_row(0, {8, 8, 10, 10, 1, 0.5F, 0});
  head.set_row(1, {9, 8, 10, 10, 1, 0.5F, 0});  // goes: the same class and score, a later row
  head.set_row(2, {8, 8, 10, 10, 1, 0, 0.5F});
  const std::vector<Detection> found = head.decode().at(0);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].label, "cat");
  expect_box(found[0], {3, 3, 13, 13});
  EXPECT_EQ(found[1].label, "dog");
}

TEST(Yolox, batch_gives_one_list_per_picture) {
  TestHead head{.batch = 2};
  head.options.head = HeadFormat::yolox_decoded;
  head.set_row(kRows + 3, {8, 8, 4, 4, 1, 1, 0});
  head.letterboxes[1].scale = 2.0;
  const auto pictures = head.decode();
  ASSERT_THAT(pictures, SizeIs(2));
  EXPECT_THAT(pictures[0], IsEmpty());
  ASSERT_THAT(pictures[1], SizeIs(1));
  expect_box(pictures[1][0], {3, 3, 5, 5});
}

TEST(Yolox, shape_that_does_not_fit_is_named) {
  TestHead head;
  for (const std::vector<int64_t>& shape :
       {std::vector<int64_t>{1, 7, 42}, {42, 7}, {1, 41, 7}, {1, 42, 5}, {0, 42, 7}, {-1, 42, 7}}) {
    head.shape = shape;
    EXPECT_EQ(error_of([&] { head.decode(); }).code(), ErrorCode::invalid_argument);
  }
  head.shape = {1, 7, 42};
  EXPECT_THAT(error_of([&] { head.decode(); }).message(),
              HasSubstr("the output has shape [1, 7, 42], expected [batch, 42, 5 + classes] of a YOLOX head for an "
                        "input of 64 x 32 pixels"));
  head.shape = {int64_t{1} << 60, 42, 7};
  EXPECT_THAT(error_of([&] { head.decode(); }).message(), HasSubstr("but holds 294 numbers"));
}

TEST(Yolox, labels_of_another_count_name_both_counts) {
  TestHead head;
  head.labels = {"cat", "dog", "cow"};
  EXPECT_THAT(error_of([&] { head.decode(); }).message(),
              HasSubstr("the head has 2 classes (output shape [1, 42, 7]), "
                        "but there are 3 labels"));
}

TEST(Yolox, letterboxes_must_match_the_batch) {
  TestHead head;
  head.letterboxes.resize(2);
  EXPECT_THAT(error_of([&] { head.decode(); }).message(), HasSubstr("holds 1 pictures, but there are 2 letterboxes"));
}

TEST(Yolox, nan_is_not_an_empty_picture) {
  TestHead head = decoded_head();
  head.values[4] = kNan;
  EXPECT_THAT(error_of([&] { head.decode(); }).message(), HasSubstr("a NaN in row 0, column 4"));
  head = decoded_head();
  head.set_row(1, {4, 4, 4, 4, 0.9F, 0.1F, kNan});
  EXPECT_THAT(error_of([&] { head.decode(); }).message(), HasSubstr("a NaN in row 1, column 6"));
}

TEST(Yolox, scores_without_sigmoid_are_refused) {
  TestHead head = decoded_head();
  head.values[4] = -7.5F;
  EXPECT_THAT(error_of([&] { head.decode(); }).message(),
              HasSubstr("the score -7.5 in row 0, column 4, expected 0 to 1: export the model with the sigmoid"));
}

TEST(Yolox, box_that_overflows_is_refused_only_where_it_would_count) {
  TestHead head;
  head.options.head = HeadFormat::yolox_raw;
  head.set_row(0, {0, 0, 200, 200, 0.1F, 1, 1});
  EXPECT_THAT(head.decode().at(0), IsEmpty());
  head.set_row(0, {0, 0, 200, 200, 0.9F, 1, 1});
  EXPECT_THAT(error_of([&] { head.decode(); }).message(), HasSubstr("a box beyond any picture in row 0"));
}

TEST(Yolox, options_out_of_range_are_named) {
  TestHead head;
  head.options.score_threshold = 1.5F;
  EXPECT_THAT(error_of([&] { head.decode(); }).message(), HasSubstr("score_threshold is 1.5, expected 0 to 1"));
  head.options = {.iou_threshold = kNan};
  EXPECT_THAT(error_of([&] { head.decode(); }).message(), HasSubstr("iou_threshold is nan"));
  head.options = {.max_detections = 0};
  EXPECT_THAT(error_of([&] { head.decode(); }).message(), HasSubstr("max_detections is 0"));
}

TEST(Yolox, most_detections_are_the_best) {
  TestHead head = decoded_head();
  for (int row = 0; row < 8; ++row)
    head.values[static_cast<size_t>(row) * 7 + 4] = 0.5F + 0.05F * static_cast<float>(row);
  for (int row = 0; row < 8; ++row) head.values[static_cast<size_t>(row) * 7 + 5] = 1.0F;
  head.options.max_detections = 3;
  const std::vector<Detection> found = head.decode().at(0);
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_FLOAT_EQ(found[0].score, 0.85F);
  EXPECT_FLOAT_EQ(found[2].score, 0.75F);
}

}  // namespace
}  // namespace overt::vision
