#include "base/nearest.h"

#include <gtest/gtest.h>

#include <vector>

namespace overt {
namespace {

std::optional<std::string> nearest(std::string_view name, std::vector<std::string_view> candidates) {
  return nearest_name(name, candidates);
}

TEST(NearestName, finds_one_edit_of_each_kind) {
  EXPECT_EQ(nearest("pixels", {"scale", "pixel"}), "pixel");
  EXPECT_EQ(nearest("imges", {"images"}), "images");
  EXPECT_EQ(nearest("imagas", {"images"}), "images");
  EXPECT_EQ(nearest("iamges", {"images"}), "images");
  EXPECT_EQ(nearest("Images", {"images"}), "images");
}

TEST(NearestName, gives_nothing_when_all_are_far) {
  EXPECT_EQ(nearest("images", {"scores", "boxes", ""}), std::nullopt);
  EXPECT_EQ(nearest("x", {}), std::nullopt);
}

TEST(NearestName, takes_the_first_of_equals_and_the_closest_of_all) {
  EXPECT_EQ(nearest("conv1", {"conv2", "conv3"}), "conv2");
  EXPECT_EQ(nearest("threads", {"thread_pool", "thread", "threads_"}), "thread");
}

TEST(NearestName, leaves_long_names_alone) {
  const std::string longer(65, 'a');
  EXPECT_EQ(nearest(longer, {longer}), std::nullopt);
  EXPECT_EQ(nearest("aaaa", {longer, "aaab"}), "aaab");
}

}  // namespace
}  // namespace overt
