#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "vision/test_pictures.h"

namespace overt::vision {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;

class LabelFile : public ::testing::Test {
 protected:
  LabelFile()
      : path_(std::filesystem::temp_directory_path() /
              ("overt_labels_" + std::to_string(getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name())) {}
  ~LabelFile() override { std::filesystem::remove(path_); }

  std::vector<std::string> load(const std::string& text) const {
    std::ofstream(path_, std::ios::binary) << text;
    return load_labels(path_);
  }

  std::filesystem::path path_;
};

TEST(CocoLabels, are_the_80_in_order) {
  const std::vector<std::string> labels = coco_labels();
  ASSERT_EQ(labels.size(), 80);
  EXPECT_EQ(labels[0], "person");
  EXPECT_EQ(labels[7], "truck");
  EXPECT_EQ(labels[9], "traffic light");
  EXPECT_EQ(labels[16], "dog");
  EXPECT_EQ(labels[60], "dining table");
  EXPECT_EQ(labels[79], "toothbrush");
}

TEST_F(LabelFile, lines_may_end_as_on_windows_and_the_last_without_an_end) {
  EXPECT_THAT(load("cat\r\nhot dog\r\n\xC3\xA9lan"), ElementsAre("cat", "hot dog", "\xC3\xA9lan"));
}

TEST_F(LabelFile, byte_order_mark_and_blank_lines_at_the_end_do_not_count) {
  EXPECT_THAT(load("\xEF\xBB\xBF"
                   "cat\n dog \n\n \n"),
              ElementsAre("cat", "dog"));
}

TEST_F(LabelFile, blank_line_between_names_is_an_error) {
  EXPECT_THAT(error_of([&] { load("cat\n\ndog\n"); }).message(), HasSubstr("a blank line 2 between names"));
}

TEST_F(LabelFile, bytes_that_are_not_utf8_name_the_line) {
  for (const char* bad : {"\xE9lan", "\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE2\x82"}) {
    EXPECT_THAT(error_of([&] { load(std::string("cat\n") + bad + "\n"); }).message(),
                AllOf(HasSubstr("line 2 of the labels"), HasSubstr("is not UTF-8")));
  }
}

TEST_F(LabelFile, empty_missing_and_large_files_are_errors) {
  EXPECT_THAT(error_of([&] { load(""); }).message(), HasSubstr("hold no name"));
  EXPECT_THAT(error_of([&] { load(std::string((1 << 20) + 1, 'a')); }).message(),
              HasSubstr("more than 1048576 bytes"));
  EXPECT_THAT(error_of([] { load_labels("none.txt"); }).message(), HasSubstr("cannot read the labels 'none.txt'"));
}

}  // namespace
}  // namespace overt::vision
