#include "vision/exif.h"

#include "vision/test_pictures.h"

namespace overt::vision {
namespace {

using testing::make_exif;

TEST(Exif, reads_each_orientation) {
  for (int orientation = 1; orientation <= 8; ++orientation) {
    EXPECT_EQ(exif_orientation(make_exif(orientation)), orientation);
  }
}

TEST(Exif, reads_big_endian_and_long_values_behind_other_tags) {
  const std::vector<uint8_t> block = {'M',  'M',  0, 42, 0, 0, 0, 8, 0,   2,            //
                                      0x01, 0x0F, 0, 2,  0, 0, 0, 4, 'a', 'b', 'c', 0,  // maker
                                      0x01, 0x12, 0, 4,  0, 0, 0, 1, 0,   0,   0,   6};
  EXPECT_EQ(exif_orientation(block), 6);
}

TEST(Exif, value_outside_one_to_eight_is_upright) {
  EXPECT_EQ(exif_orientation(make_exif(0)), 1);
  EXPECT_EQ(exif_orientation(make_exif(9)), 1);
}

TEST(Exif, every_truncation_is_upright) {
  const std::vector<uint8_t> block = make_exif(6);
  for (size_t size = 0; size < 22; ++size) EXPECT_EQ(exif_orientation(std::span(block).first(size)), 1) << size;
}

TEST(Exif, directory_offset_outside_of_the_block_is_upright) {
  std::vector<uint8_t> block = make_exif(6);
  for (const int byte : {4, 5, 6, 7}) block[static_cast<size_t>(byte)] = 0xFF;
  EXPECT_EQ(exif_orientation(block), 1);
}

TEST(Exif, directory_that_points_at_itself_with_65535_entries_ends) {
  std::vector<uint8_t> block(64, 0xFF);
  const std::vector<uint8_t> head = {'I', 'I', 42, 0, 8, 0, 0, 0, 0xFF, 0xFF};
  std::copy(head.begin(), head.end(), block.begin());
  EXPECT_EQ(exif_orientation(block), 1);
}

TEST(Exif, count_or_type_that_does_not_fit_is_upright) {
  std::vector<uint8_t> many = make_exif(6);
  many[14] = 2;
  EXPECT_EQ(exif_orientation(many), 1);
  std::vector<uint8_t> text = make_exif(6);
  text[12] = 2;
  EXPECT_EQ(exif_orientation(text), 1);
}

/// The stored picture is [[1, 2, 3], [4, 5, 6]], and each expected row list is what a viewer shows.
TEST(Orient, turns_as_the_standard_says) {
  Image stored{3, 2, {}};
  for (uint8_t i = 1; i <= 6; ++i) stored.pixels.insert(stored.pixels.end(), {i, uint8_t(i + 10), uint8_t(i + 20)});
  const std::vector<std::pair<int, std::vector<int>>> expected = {
      {1, {1, 2, 3, 4, 5, 6}}, {2, {3, 2, 1, 6, 5, 4}}, {3, {6, 5, 4, 3, 2, 1}}, {4, {4, 5, 6, 1, 2, 3}},
      {5, {1, 4, 2, 5, 3, 6}}, {6, {4, 1, 5, 2, 6, 3}}, {7, {6, 3, 5, 2, 4, 1}}, {8, {3, 6, 2, 5, 1, 4}}};
  for (const auto& [orientation, order] : expected) {
    const Image upright = orient(stored, orientation);
    EXPECT_EQ(upright.width, orientation < 5 ? 3 : 2);
    EXPECT_EQ(upright.height, orientation < 5 ? 2 : 3);
    for (int i = 0; i < 6; ++i) {
      const int value = order[static_cast<size_t>(i)];
      testing::expect_pixel(upright, i % upright.width, i / upright.width, {value, value + 10, value + 20});
    }
  }
}

}  // namespace
}  // namespace overt::vision
