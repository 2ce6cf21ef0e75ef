#ifndef OVERT_BASE_THREAD_POOL_H_
#define OVERT_BASE_THREAD_POOL_H_

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "base/threads.h"

namespace overt {

/// A fixed number of threads. Between jobs they spin for a few microseconds and then sleep, so that a core that
/// another process wants is given up soon. While one caller's job runs, another caller's job runs on that caller
/// alone instead of waiting.
class ThreadPool final : public Threads {
 public:
  /// `count` threads work, the caller included: count - 1 are started. Throws Error(out_of_memory) where the
  /// system refuses a thread.
  explicit ThreadPool(int count);
  ~ThreadPool() override;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int count() const override { return static_cast<int>(workers_.size()) + 1; }
  void run(int parts, FunctionRef<void(int part)> body) override;

 private:
  struct Job;
  void work();
  void stop();

  std::mutex one_job_;              ///< held by the caller whose job is `job_`
  std::atomic<uint32_t> round_{0};  ///< goes up when there is a new job, or the end
  std::atomic<int> running_{0};     ///< workers that have not finished the round
  Job* job_ = nullptr;              ///< null in a new round: the end
  std::vector<std::thread> workers_;
};

}  // namespace overt

#endif  // OVERT_BASE_THREAD_POOL_H_
