#ifndef OVERT_RUN_SESSION_STATE_H_
#define OVERT_RUN_SESSION_STATE_H_

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "graph/model.h"
#include "overt/session.h"
#include "passes/pipeline.h"
#include "provider_api/open_provider.h"
#include "run/graph_runner.h"
#include "run/memory_budget.h"

namespace overt {

/// Everything behind a Session. Members are destroyed from the bottom up: runners before providers.
class SessionState {
 public:
  SessionOptions options;
  Model model;  ///< without its graph, which moved into the runner
  ModelInfo info;
  std::vector<TensorSpec> inputs;
  std::vector<TensorSpec> outputs;
  std::vector<Dims> input_dims;  ///< declared, by input; empty where the rank is not known
  PassReport passes;
  int64_t constant_bytes = 0;  ///< of the optimised graph: views into the file, and what folding made

  std::vector<OpenedProvider> opened;
  std::vector<Provider*> providers;
  std::unique_ptr<MemoryBudget> budget;
  std::unique_ptr<GraphRunner> runner;

  mutable std::mutex profile_mutex;
  mutable std::vector<KernelTime> last_profile;

  /// Checks a caller's inputs against the model, by position. Throws Error(invalid_argument).
  void check_inputs(std::span<const Tensor> tensors) const;
  size_t input_index(std::string_view name) const;  ///< Throws Error(invalid_argument) with the nearest name
  size_t output_index(std::string_view name) const;
  void run(std::span<const Tensor> tensors, std::span<RunOutput> results, const RunOptions& run_options) const;
};

/// From a loaded model to a session that is ready: checks, passes, placement, runner.
std::unique_ptr<SessionState> make_session(Model model, const SessionOptions& options);

/// The report of where each node of the file runs, with kernels where plans are there.
Placement make_placement(const SessionState& state);

}  // namespace overt

#endif  // OVERT_RUN_SESSION_STATE_H_
