#ifndef OVERT_BASE_THREADS_H_
#define OVERT_BASE_THREADS_H_

#include <cstdint>

#include "base/function_ref.h"

namespace overt {

/// Threads that do one job together. The caller is one of them.
class Threads {
 public:
  virtual ~Threads() = default;

  /// How many threads work at most, the caller included; at least 1.
  virtual int count() const = 0;

  /// Calls body(part) once for each part in [0, parts), at the same time where threads are free, and returns when
  /// all calls have returned. What the bodies wrote is then visible to the caller. `body` must not throw.
  /// May be called from several threads at once; not from within a body.
  virtual void run(int parts, FunctionRef<void(int part)> body) = 0;
};

/// Calls body(first, last) for ranges that cover [0, tasks) once each, on all threads. Each thread begins with a
/// contiguous share of its own (so that neighbours in time stay in one core's cache) and then takes what others
/// have not begun, in pieces of `grain` tasks: a thread that lost its core delays the job by one piece only.
/// `grain` >= 1; with tasks <= grain everything runs on the caller. `body` must not throw.
void parallel_for(Threads& threads, int64_t tasks, int64_t grain,
                  FunctionRef<void(int64_t first, int64_t last)> body);

/// The same, telling the body which of the threads at work it is on: 0 <= worker < threads.count(), never the same
/// number at the same time. For memory of its own.
void parallel_for_workers(Threads& threads, int64_t tasks, int64_t grain,
                          FunctionRef<void(int worker, int64_t first, int64_t last)> body);

}  // namespace overt

#endif  // OVERT_BASE_THREADS_H_
