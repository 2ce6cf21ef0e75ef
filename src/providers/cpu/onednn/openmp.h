#ifndef OVERT_PROVIDERS_CPU_ONEDNN_OPENMP_H_
#define OVERT_PROVIDERS_CPU_ONEDNN_OPENMP_H_

#include <memory>
#include <string>

#include "base/threads.h"

namespace overt::cpu::onednn {

/// Turns of libgomp's wait loop before a thread sleeps. See docs/decisions/cpu-layout.md for how it was found.
inline constexpr const char* kSpinCount = "1000";

/// The threads of GNU OpenMP, which oneDNN computes on, for kernels of our own: one set of threads for both, so
/// that they do not take each other's cores.
///
/// Every thread that calls in has a set of workers of its own, which libgomp keeps for it.
class OpenMp final : public Threads {
 public:
  /// Opens libgomp.so.1. Where it was not in the process yet, its waiting is bounded first: by default its threads
  /// spin for milliseconds, which on a busy machine takes the core from the thread that they wait for. A setting
  /// of the user's (GOMP_SPINCOUNT or OMP_WAIT_POLICY) wins. Null, and `refusal` in words, where there is none.
  static std::unique_ptr<OpenMp> open(int threads, std::string& refusal);

  int count() const override { return count_; }
  void run(int parts, FunctionRef<void(int part)> body) override;

  /// Makes OpenMP regions that the calling thread begins have count() threads.
  void prepare_caller() const { table_.set_num_threads(count_); }

  /// False where another part of the process had loaded libgomp before with waiting that we cannot bound.
  bool waiting_bounded() const { return waiting_bounded_; }

 private:
  struct Table {
    void (*parallel)(void (*function)(void*), void* data, unsigned threads, unsigned flags) = nullptr;
    int (*thread_num)() = nullptr;
    int (*num_threads)() = nullptr;
    void (*set_num_threads)(int) = nullptr;
  };

 public:
  /// For open().
  OpenMp(const Table& table, int count, bool waiting_bounded)
      : table_(table), count_(count), waiting_bounded_(waiting_bounded) {}

 private:
  Table table_;
  int count_;
  bool waiting_bounded_;
};

}  // namespace overt::cpu::onednn

#endif  // OVERT_PROVIDERS_CPU_ONEDNN_OPENMP_H_
