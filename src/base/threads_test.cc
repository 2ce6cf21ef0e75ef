#include "base/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

#include "base/thread_pool.h"

namespace overt {
namespace {

TEST(ThreadPool, every_part_runs_once_and_is_visible_to_the_caller) {
  ThreadPool pool(4);
  EXPECT_EQ(pool.count(), 4);
  for (int round = 0; round < 200; ++round) {
    std::vector<int> calls(7, 0);
    pool.run(7, [&](int part) { ++calls[static_cast<size_t>(part)]; });
    ASSERT_EQ(calls, std::vector<int>(7, 1));
  }
}

TEST(ThreadPool, one_thread_runs_everything_on_the_caller) {
  ThreadPool pool(1);
  const std::thread::id caller = std::this_thread::get_id();
  int calls = 0;
  pool.run(5, [&](int) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    ++calls;
  });
  EXPECT_EQ(calls, 5);
}

TEST(ThreadPool, threads_that_slept_take_the_next_job) {
  ThreadPool pool(2);
  for (int round = 0; round < 3; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::atomic<int> sum = 0;
    pool.run(2, [&](int part) { sum += part + 1; });
    EXPECT_EQ(sum, 3);
  }
}

TEST(ThreadPool, two_callers_at_once_both_finish) {
  ThreadPool pool(3);
  std::atomic<int> total = 0;
  const auto call = [&] {
    for (int i = 0; i < 300; ++i) pool.run(3, [&](int) { ++total; });
  };
  std::thread other(call);
  call();
  other.join();
  EXPECT_EQ(total, 1800);
}

TEST(ParallelFor, ranges_cover_all_tasks_once) {
  ThreadPool pool(3);
  for (const int64_t tasks : {0, 1, 2, 3, 7, 64, 1000}) {
    for (const int64_t grain : {1, 2, 5, 64, 2000}) {
      std::vector<std::atomic<int>> calls(static_cast<size_t>(tasks));
      parallel_for(pool, tasks, grain, [&](int64_t first, int64_t last) {
        EXPECT_LT(first, last);
        EXPECT_LE(last - first, std::max(grain, tasks <= grain ? tasks : grain));
        for (int64_t i = first; i < last; ++i) ++calls[static_cast<size_t>(i)];
      });
      for (const std::atomic<int>& count : calls) ASSERT_EQ(count, 1) << tasks << " " << grain;
    }
  }
}

TEST(ParallelFor, a_thread_that_is_held_up_leaves_its_share_to_the_others) {
  ThreadPool pool(2);
  std::atomic<bool> held = false;
  std::atomic<int> done = 0;
  parallel_for(pool, 100, 1, [&](int64_t, int64_t) {
    if (!held.exchange(true)) {
      const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (done < 99 && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
      EXPECT_EQ(done, 99);
    }
    ++done;
  });
  EXPECT_EQ(done, 100);
}

}  // namespace
}  // namespace overt
