#include "plan/memory_plan.h"

#include <gtest/gtest.h>

#include <random>

namespace overt {
namespace {

TEST(MemoryPlan, buffers_that_do_not_live_together_share_a_place) {
  const std::vector<Lifetime> lives = {{100, 0, 1}, {100, 1, 2}, {100, 2, 3}};
  const MemoryPlan plan = plan_memory(lives, 64);
  EXPECT_EQ(plan.slab_bytes, 256);
  EXPECT_EQ(plan.offsets[0], plan.offsets[2]);
  EXPECT_NE(plan.offsets[0], plan.offsets[1]);
}

TEST(MemoryPlan, a_small_buffer_fills_a_gap) {
  const std::vector<Lifetime> lives = {{640, 0, 2}, {320, 0, 0}, {640, 1, 3}, {64, 2, 3}};
  EXPECT_EQ(plan_memory(lives, 64).slab_bytes, 1344);
}

TEST(MemoryPlan, empty_buffers_take_no_place) {
  const std::vector<Lifetime> lives = {{0, 0, 9}, {0, 0, 9}};
  EXPECT_EQ(plan_memory(lives, 64).slab_bytes, 0);
}

TEST(MemoryPlan, random_buffers_never_overlap_and_stay_near_the_peak) {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    std::vector<Lifetime> lives(100);
    for (Lifetime& life : lives) {
      life.bytes = static_cast<int64_t>(random() % 5000);
      life.first = static_cast<int32_t>(random() % 50);
      life.last = life.first + static_cast<int32_t>(random() % 6);
    }
    const MemoryPlan plan = plan_memory(lives, 64);
    for (size_t a = 0; a < lives.size(); ++a) {
      EXPECT_EQ(plan.offsets[a] % 64, 0);
      EXPECT_LE(plan.offsets[a] + lives[a].bytes, plan.slab_bytes);
      for (size_t b = a + 1; b < lives.size(); ++b) {
        if (lives[a].last < lives[b].first || lives[b].last < lives[a].first) continue;
        EXPECT_TRUE(plan.offsets[a] + lives[a].bytes <= plan.offsets[b] ||
                    plan.offsets[b] + lives[b].bytes <= plan.offsets[a]);
      }
    }
    EXPECT_GE(plan.slab_bytes, peak_bytes(lives, 64));
    EXPECT_LE(plan.slab_bytes, peak_bytes(lives, 64) * 3 / 2);
  }
}

TEST(MemoryPlan, a_long_chain_takes_two_places) {
  std::vector<Lifetime> lives;
  for (int32_t i = 0; i < 200'000; ++i) lives.push_back({256, i, i + 1});
  const MemoryPlan plan = plan_memory(lives, 64);
  EXPECT_EQ(plan.slab_bytes, 512);
  for (size_t i = 1; i < lives.size(); ++i) ASSERT_NE(plan.offsets[i], plan.offsets[i - 1]);
}

}  // namespace
}  // namespace overt
