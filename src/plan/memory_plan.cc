#include "plan/memory_plan.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>

namespace overt {
namespace {

int64_t round_up(int64_t bytes, int64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Above this many buffers the search by size, which is quadratic, gives way to one pass in time order.
constexpr size_t kMostBySize = 8192;

/// First fit in the order of first use, with a list of free ranges by offset. Near-linear.
MemoryPlan plan_in_time_order(std::span<const Lifetime> lifetimes, int64_t alignment) {
  std::vector<size_t> by_start(lifetimes.size());
  std::iota(by_start.begin(), by_start.end(), size_t{0});
  std::ranges::stable_sort(by_start, {}, [&](size_t i) { return lifetimes[i].first; });
  using End = std::pair<int32_t, size_t>;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends;
  std::map<int64_t, int64_t> free;  // offset -> bytes, neighbours merged
  MemoryPlan plan;
  plan.offsets.assign(lifetimes.size(), 0);
  const auto give_back = [&](int64_t offset, int64_t bytes) {
    auto next = free.lower_bound(offset);
    if (next != free.end() && next->first == offset + bytes) {
      bytes += next->second;
      next = free.erase(next);
    }
    if (next != free.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == offset) {
        before->second += bytes;
        return;
      }
    }
    free.emplace(offset, bytes);
  };
  for (const size_t i : by_start) {
    for (; !ends.empty() && ends.top().first < lifetimes[i].first; ends.pop()) {
      const size_t over = ends.top().second;
      give_back(plan.offsets[over], round_up(lifetimes[over].bytes, alignment));
    }
    const int64_t bytes = round_up(lifetimes[i].bytes, alignment);
    if (bytes == 0) continue;
    auto fit = std::ranges::find_if(free, [&](const auto& range) { return range.second >= bytes; });
    if (fit == free.end()) {
      plan.offsets[i] = plan.slab_bytes;
      plan.slab_bytes += bytes;
    } else {
      plan.offsets[i] = fit->first;
      const int64_t left = fit->second - bytes;
      const int64_t rest = fit->first + bytes;
      free.erase(fit);
      if (left > 0) free.emplace(rest, left);
    }
    ends.emplace(lifetimes[i].last, i);
  }
  return plan;
}

}  // namespace

MemoryPlan plan_memory(std::span<const Lifetime> lifetimes, int64_t alignment) {
  if (lifetimes.size() > kMostBySize) return plan_in_time_order(lifetimes, alignment);
  std::vector<size_t> by_size(lifetimes.size());
  std::iota(by_size.begin(), by_size.end(), size_t{0});
  std::ranges::stable_sort(by_size, std::greater<>(), [&](size_t i) { return lifetimes[i].bytes; });

  MemoryPlan plan;
  plan.offsets.assign(lifetimes.size(), 0);
  std::vector<size_t> placed;  // by offset
  for (const size_t i : by_size) {
    const int64_t bytes = round_up(lifetimes[i].bytes, alignment);
    if (bytes == 0) continue;
    int64_t offset = 0;
    for (const size_t other : placed) {
      if (lifetimes[other].last < lifetimes[i].first || lifetimes[i].last < lifetimes[other].first) continue;
      if (plan.offsets[other] - offset >= bytes) break;
      offset = std::max(offset, plan.offsets[other] + round_up(lifetimes[other].bytes, alignment));
    }
    plan.offsets[i] = offset;
    plan.slab_bytes = std::max(plan.slab_bytes, offset + bytes);
    const auto at = std::ranges::upper_bound(placed, offset, {}, [&](size_t p) { return plan.offsets[p]; });
    placed.insert(at, i);
  }
  return plan;
}

int64_t peak_bytes(std::span<const Lifetime> lifetimes, int64_t alignment) {
  std::vector<std::pair<int32_t, int64_t>> changes;
  for (const Lifetime& life : lifetimes) {
    const int64_t bytes = round_up(life.bytes, alignment);
    changes.emplace_back(life.first, bytes);
    changes.emplace_back(life.last + 1, -bytes);
  }
  std::ranges::sort(changes);  // at one step, what ends (negative) comes first
  int64_t now = 0;
  int64_t peak = 0;
  for (const auto& [step, bytes] : changes) peak = std::max(peak, now += bytes);
  return peak;
}

}  // namespace overt
