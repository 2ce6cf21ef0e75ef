#include "base/beneath.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "base/mapped_file.h"
#include "overt/error.h"

namespace overt {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A folder of its own for each test, with weights.bin, sub/weights.bin and, outside it, secret.bin.
class Beneath : public testing::Test {
 protected:
  void SetUp() override {
    top_ = fs::temp_directory_path() / ("overt_beneath_" + std::to_string(::getpid()));
    fs::remove_all(top_);
    fs::create_directories(top_ / "model" / "sub");
    write(top_ / "model" / "weights.bin", "abc");
    write(top_ / "model" / "sub" / "weights.bin", "defg");
    write(top_ / "secret.bin", "secret");
  }
  void TearDown() override { fs::remove_all(top_); }

  static void write(const fs::path& path, std::string_view text) { std::ofstream(path) << text; }

  /// Size of the opened file, or the error's text; both ways of opening must agree on success.
  std::string open(std::string_view name, const BeneathRules& rules = {}) const {
    const std::string fast = open_with(&open_beneath, name, rules);
    if (!rules.follow_symlinks) {
      const std::string by_parts = open_with(&open_beneath_by_parts, name, rules);
      EXPECT_EQ(fast.starts_with("opened"), by_parts.starts_with("opened")) << fast << "\n" << by_parts;
    }
    return fast;
  }

  template <typename Open>
  std::string open_with(Open open_file, std::string_view name, const BeneathRules& rules) const {
    try {
      const FileDescriptor file = open_file(top_ / "model", name, rules);
      return "opened " + std::to_string(MappedFile(file, name).bytes().size());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_model);
      return error.message();
    }
  }

  fs::path top_;
};

TEST_F(Beneath, opens_files_below_the_directory) {
  EXPECT_EQ(open("weights.bin"), "opened 3");
  EXPECT_EQ(open("sub/weights.bin"), "opened 4");
  EXPECT_EQ(open("./sub//./weights.bin"), "opened 4");
}

TEST_F(Beneath, refuses_names_that_could_lead_out) {
  EXPECT_THAT(open("../secret.bin"), HasSubstr("has '..' in it"));
  EXPECT_THAT(open("sub/../../secret.bin"), HasSubstr("has '..' in it"));
  EXPECT_THAT(open((top_ / "secret.bin").native()), HasSubstr("is absolute"));
  EXPECT_THAT(open(""), HasSubstr("is empty"));
  EXPECT_THAT(open(std::string_view("weights.bin\0.txt", 16)), HasSubstr("'weights.bin\\x00.txt' has a NUL"));
  EXPECT_THAT(open("..\\secret.bin"), HasSubstr("has a backslash"));
  EXPECT_THAT(open(std::string(5000, 'x')), HasSubstr("longer than 4096 bytes"));
}

TEST_F(Beneath, names_what_is_missing) {
  EXPECT_THAT(open("none.bin"), HasSubstr("'none.bin' names nothing below"));
  EXPECT_THAT(open("weights.bin/x"), HasSubstr("no directory"));
}

TEST_F(Beneath, refuses_symbolic_links_at_the_end_and_on_the_way) {
  fs::create_symlink(top_ / "secret.bin", top_ / "model" / "link.bin");
  fs::create_directory_symlink(top_, top_ / "model" / "up");
  fs::create_symlink("weights.bin", top_ / "model" / "inside.bin");
  EXPECT_THAT(open("link.bin"), HasSubstr("symbolic link"));
  EXPECT_THAT(open("up/secret.bin"), HasSubstr("symbolic link"));
  EXPECT_THAT(open("inside.bin"), HasSubstr("symbolic link"));
}

TEST_F(Beneath, follows_links_that_stay_inside_when_asked) {
  fs::create_symlink("../secret.bin", top_ / "model" / "link.bin");
  fs::create_symlink("sub/weights.bin", top_ / "model" / "inside.bin");
  const BeneathRules rules{.follow_symlinks = true};
  EXPECT_EQ(open("inside.bin", rules), "opened 4");
  EXPECT_THAT(open("link.bin", rules), HasSubstr("leads out of"));
}

TEST_F(Beneath, refuses_hard_links_unless_allowed) {
  fs::create_hard_link(top_ / "secret.bin", top_ / "model" / "hard.bin");
  EXPECT_THAT(open("hard.bin"), HasSubstr("has 2 hard links, expected 1"));
  EXPECT_EQ(open("hard.bin", {.allow_hard_links = true}), "opened 6");
}

TEST_F(Beneath, refuses_what_is_no_regular_file_without_waiting) {
  ASSERT_EQ(::mkfifo((top_ / "model" / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(open("pipe"), HasSubstr("no regular file"));
  EXPECT_THAT(open("sub"), HasSubstr("no regular file"));
  EXPECT_THAT(open("."), HasSubstr("no regular file"));
}

TEST_F(Beneath, directory_that_is_missing_is_the_callers_fault) {
  try {
    open_beneath(top_ / "nowhere", "weights.bin", {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_THAT(error.message(), HasSubstr("No such file"));
  }
}

TEST(MappedFile, refuses_directories_devices_and_missing_files) {
  const auto message_for = [](const fs::path& path) -> std::string {
    try {
      MappedFile file(path);
      return "mapped";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      return error.message();
    }
  };
  EXPECT_THAT(message_for("/nowhere/at/all"), HasSubstr("'/nowhere/at/all' cannot be opened: No such file"));
  EXPECT_THAT(message_for("/tmp"), HasSubstr("'/tmp' is a directory"));
  EXPECT_THAT(message_for("/dev/zero"), HasSubstr("no regular file"));
}

TEST_F(Beneath, empty_file_maps_to_no_bytes) {
  write(top_ / "empty", "");
  EXPECT_TRUE(MappedFile(top_ / "empty").bytes().empty());
}

}  // namespace
}  // namespace overt
