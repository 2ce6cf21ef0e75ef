#include "base/threads.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace overt {
namespace {

constexpr int kMaxParts = 64;

/// A part's tasks that nobody has begun. One cache line each, so that parts do not disturb each other.
struct alignas(64) Share {
  std::atomic<int64_t> next{0};
  int64_t end = 0;
};

}  // namespace

void parallel_for(Threads& threads, int64_t tasks, int64_t grain,
                  FunctionRef<void(int64_t first, int64_t last)> body) {
  parallel_for_workers(threads, tasks, grain, [&](int, int64_t first, int64_t last) { body(first, last); });
}

void parallel_for_workers(Threads& threads, int64_t tasks, int64_t grain,
                          FunctionRef<void(int worker, int64_t first, int64_t last)> body) {
  if (tasks <= 0) return;
  const int64_t pieces = (tasks + grain - 1) / grain;
  const int parts = static_cast<int>(std::min<int64_t>({threads.count(), kMaxParts, pieces}));
  if (parts == 1) {
    body(0, 0, tasks);
    return;
  }
  std::array<Share, kMaxParts> shares;
  for (int part = 0; part < parts; ++part) {
    shares[part].next.store(std::min(tasks, pieces * part / parts * grain), std::memory_order_relaxed);
    shares[part].end = std::min(tasks, pieces * (part + 1) / parts * grain);
  }
  threads.run(parts, [&](int part) {
    for (int offset = 0; offset < parts; ++offset) {
      Share& share = shares[(part + offset) % parts];
      while (true) {
        const int64_t first = share.next.fetch_add(grain, std::memory_order_relaxed);
        if (first >= share.end) break;
        body(part, first, std::min(first + grain, share.end));
      }
    }
  });
}

}  // namespace overt
