#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "vision/test_pictures.h"

namespace overt::vision {
namespace {

using ::testing::AllOf;
using testing::as_bytes;
using testing::error_of;
using ::testing::HasSubstr;
using testing::slopes;

/// A folder of its own, removed with what is in it.
class ImageFile : public ::testing::Test {
 protected:
  ImageFile()
      : folder_(std::filesystem::temp_directory_path() /
                ("overt_image_io_" + std::to_string(getpid()) + "_" +
                 ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::create_directories(folder_);
  }
  ~ImageFile() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::vector<uint8_t>& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return folder_ / name;
  }

  std::filesystem::path folder_;
  Image image_{20, 10, slopes(20, 10)};
};

std::string message_for(std::string_view head) {
  return error_of([&] { decode_image(std::as_bytes(std::span(head))); }).message();
}

TEST(ImageFormat, other_formats_are_named_with_a_way_out) {
  using namespace std::string_view_literals;
  EXPECT_EQ(message_for("RIFF\x10\0\0\0WEBPVP8 "sv),
            "the file is WebP, but JPEG and PNG are the formats that can be read: convert it to JPEG or PNG first");
  EXPECT_THAT(message_for("GIF89a"), HasSubstr("the file is GIF"));
  EXPECT_THAT(message_for("BM6\4"), HasSubstr("the file is BMP"));
  EXPECT_THAT(message_for("II*\0\x8\0\0\0"sv), HasSubstr("the file is TIFF"));
  EXPECT_THAT(message_for("MM\0*\0\0\0\x8"sv), HasSubstr("the file is TIFF"));
  EXPECT_THAT(message_for("\0\0\0\x18"
                          "ftypheic\0\0\0\0"sv),
              HasSubstr("the file is HEIC"));
  EXPECT_THAT(message_for("\0\0\0\x18"
                          "ftypavif\0\0\0\0"sv),
              HasSubstr("the file is AVIF"));
  EXPECT_THAT(message_for("\0\0\0\x18"
                          "ftypisom\0\0\0\0"sv),
              HasSubstr("the file is MP4 or QuickTime video"));
  EXPECT_THAT(message_for("version https://git-lfs.github.com/spec/v1\n"), HasSubstr("git lfs pull"));
}

TEST(ImageFormat, other_formats_are_unsupported_and_unknown_bytes_are_invalid) {
  EXPECT_EQ(error_of([] { decode_image(std::as_bytes(std::span("GIF89a"))); }).code(), ErrorCode::unsupported);
  const Error error = error_of([] { decode_image(std::as_bytes(std::span("zzz", 3))); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_THAT(error.message(), AllOf(HasSubstr("begins with 7a 7a 7a"), HasSubstr("expected JPEG (ff d8 ff)")));
}

TEST(ImageFormat, empty_file_says_so) {
  EXPECT_EQ(message_for(""), "the picture file is empty (0 bytes), expected JPEG or PNG");
}

TEST_F(ImageFile, is_recognised_by_bytes_and_not_by_name) {
  const std::filesystem::path path =
      write("picture.jpg", testing::make_png({.width = 20, .height = 10}, slopes(20, 10)));
  EXPECT_EQ(load_image(path).pixels, slopes(20, 10));
}

TEST_F(ImageFile, error_names_the_path) {
  const Error missing = error_of([&] { load_image(folder_ / "none.jpg"); });
  EXPECT_EQ(missing.code(), ErrorCode::invalid_argument);
  EXPECT_EQ(missing.subject(), (folder_ / "none.jpg").string());
  EXPECT_THAT(missing.message(), AllOf(HasSubstr("none.jpg"), HasSubstr("No such file")));
  EXPECT_THAT(error_of([&] {
                load_image(write("a.gif", {'G', 'I', 'F', '8', '9', 'a'}));
              }).message(),
              AllOf(HasSubstr("a.gif': the file is GIF")));
  EXPECT_THAT(error_of([&] { load_image(folder_); }).message(), HasSubstr("directory"));
}

TEST_F(ImageFile, over_the_limit_of_bytes_is_refused) {
  const std::vector<uint8_t> bytes = testing::make_png({.width = 20, .height = 10}, slopes(20, 10));
  const ImageLimits limits{.max_file_bytes = 50};
  EXPECT_THAT(error_of([&] { load_image(write("a.png", bytes), limits); }).message(),
              HasSubstr("has more than 50 bytes"));
  EXPECT_THAT(error_of([&] { decode_image(as_bytes(bytes), limits); }).message(), HasSubstr("over the limit of 50"));
}

TEST_F(ImageFile, saves_by_extension_and_leaves_nothing_else) {
  save_image(folder_ / "a.PNG", image_);
  save_image(folder_ / "a.PNG", image_);
  save_image(folder_ / "b.jpeg", image_);
  EXPECT_EQ(load_image(folder_ / "a.PNG").pixels, image_.pixels);
  EXPECT_EQ(load_image(folder_ / "b.jpeg").width, 20);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 2);
}

TEST_F(ImageFile, unknown_extension_names_the_accepted_ones) {
  EXPECT_THAT(error_of([&] { save_image(folder_ / "a.webp", image_); }).message(),
              HasSubstr("the extension '.webp' is not known, expected .jpg, .jpeg or .png"));
  EXPECT_THAT(error_of([&] { save_image(folder_ / "a", image_); }).message(), HasSubstr("it has no extension"));
}

TEST_F(ImageFile, folder_that_is_missing_is_an_error) {
  const Error error = error_of([&] { save_image(folder_ / "none" / "a.png", image_); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_THAT(error.message(), AllOf(HasSubstr("none/a.png"), HasSubstr("No such file")));
}

TEST_F(ImageFile, target_that_is_a_folder_leaves_no_temporary_file) {
  std::filesystem::create_directory(folder_ / "a.png");
  EXPECT_THAT(error_of([&] { save_image(folder_ / "a.png", image_); }).message(), HasSubstr("cannot write"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST(EncodeImage, sizes_that_do_not_fit_are_refused) {
  EXPECT_THAT(error_of([] {
                encode_image({2, 2, {1, 2, 3}}, ImageFormat::png);
              }).message(),
              HasSubstr("a picture of 2 x 2 pixels needs 12 bytes of RGB, but it holds 3"));
  EXPECT_THAT(error_of([] { encode_image({}, ImageFormat::png); }).message(), HasSubstr("0 x 0 pixels"));
}

}  // namespace
}  // namespace overt::vision
