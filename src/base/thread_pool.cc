#include "base/thread_pool.h"

#include <algorithm>
#include <system_error>

#include "base/error.h"

namespace overt {
namespace {

/// Turns of the wait loop before a thread sleeps: some tens of microseconds, about what the kernel needs to put a
/// thread to sleep and wake it again, so that waiting costs at most twice the best choice.
constexpr int kSpins = 1500;

void pause_core() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Returns when `value` is no longer `old`.
template <typename T>
void wait_while(const std::atomic<T>& value, T old) {
  for (int i = 0; i < kSpins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    pause_core();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

struct ThreadPool::Job {
  FunctionRef<void(int)> body;
  int parts;
  std::atomic<int> next{0};

  void take_parts() {
    for (int part = next.fetch_add(1, std::memory_order_relaxed); part < parts;
         part = next.fetch_add(1, std::memory_order_relaxed)) {
      body(part);
    }
  }
};

ThreadPool::ThreadPool(int count) {
  try {
    for (int i = 1; i < count; ++i) workers_.emplace_back([this] { work(); });
  } catch (const std::system_error& error) {
    stop();
    fail(ErrorCode::out_of_memory, "the system refused thread {} of {}: {}", workers_.size() + 1, count,
         error.what());
  }
}

ThreadPool::~ThreadPool() {
  stop();
}

void ThreadPool::stop() {
  job_ = nullptr;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::work() {
  uint32_t seen = 0;
  while (true) {
    wait_while(round_, seen);
    ++seen;  // a round begins only after every worker has finished the one before
    Job* job = job_;
    if (job == nullptr) return;
    job->take_parts();
    if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1) running_.notify_one();
  }
}

void ThreadPool::run(int parts, FunctionRef<void(int part)> body) {
  Job job{body, parts};
  const std::unique_lock lock(one_job_, std::try_to_lock);
  if (workers_.empty() || parts < 2 || !lock.owns_lock()) {
    job.take_parts();
    return;
  }
  job_ = &job;
  running_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  job.take_parts();
  for (int left = running_.load(std::memory_order_acquire); left != 0;
       left = running_.load(std::memory_order_acquire)) {
    wait_while(running_, left);
  }
}

}  // namespace overt
