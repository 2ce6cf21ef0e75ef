#include "providers/cpu/onednn/library.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <vector>

#include "overt/error.h"
#include "providers/cpu/onednn/onednn_test_support.h"

namespace overt::cpu::onednn {
namespace {

using testing::HasSubstr;

TEST(OpenLibrary, says_where_it_looked_when_there_is_none) {
  const std::vector<std::filesystem::path> folders = {"/no/such/folder", "/tmp/neither/this"};
  const OpenedLibrary opened = open_library_from(folders, 1);
  EXPECT_EQ(opened.library, nullptr);
  EXPECT_EQ(opened.refusal,
            "libdnnl.so.3 was not found in /no/such/folder, /tmp/neither/this: convolutions and matrix products run "
            "on kernels of Overt's own");
}

TEST(OpenLibrary, a_file_that_was_asked_for_is_a_requirement) {
  try {
    open_library(std::filesystem::path("/no/such/libdnnl.so.3"), 1);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::provider_unavailable);
    EXPECT_THAT(error.message(), HasSubstr("the oneDNN library that was asked for cannot be used: /no/such"));
  }
}

TEST_F(OneDnn, describes_its_version_and_file) {
  EXPECT_THAT(library().description(), HasSubstr("oneDNN 3."));
  EXPECT_THAT(library().description(), HasSubstr("libdnnl.so.3"));
}

TEST_F(OneDnn, leaves_the_environment_as_it_was) {
  EXPECT_EQ(std::getenv("GOMP_SPINCOUNT"), nullptr);
}

TEST_F(OneDnn, its_threads_run_every_part_once) {
  std::vector<int> calls(5, 0);
  library().threads().run(5, [&](int part) { ++calls[static_cast<size_t>(part)]; });
  EXPECT_EQ(calls, std::vector<int>(5, 1));
  EXPECT_EQ(library().threads().count(), 2);
}

TEST_F(OneDnn, a_reorder_fills_the_lanes_past_the_channels_with_zeros) {
  const Layout layout = blocks({1, 3, 1, 2});
  const std::vector<float> packed = to_layout({1, 2, 3, 4, 5, 6}, layout);
  ASSERT_EQ(static_cast<int64_t>(packed.size()), 2 * layout.block);
  const std::vector<float> first(packed.begin(), packed.begin() + 5);
  EXPECT_EQ(first, (std::vector<float>{1, 3, 5, 0, 0}));
  EXPECT_EQ(packed[static_cast<size_t>(layout.block)], 2);
  EXPECT_EQ(from_layout(packed, layout), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(OneDnn, softmax_of_rows_sums_to_one) {
  std::vector<float> x = {0, 0, 1, 2, 3, 1000};
  std::vector<float> y(6);
  run(make_softmax(library(), plain({2, 3}), 1), {x.data(), y.data()});
  expect_near(y, std::vector<float>{0.2119416f, 0.2119416f, 0.5761169f, 0, 0, 1}, 1e-6f);
}

}  // namespace
}  // namespace overt::cpu::onednn
