#ifndef OVERT_RUN_GRAPH_RUNNER_H_
#define OVERT_RUN_GRAPH_RUNNER_H_

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "placement/place.h"
#include "plan/plan.h"
#include "run/context.h"
#include "run/memory_budget.h"

namespace overt {

/// Runs a placed graph: keeps its plans (least recently used ones go) and its execution contexts. Subgraphs of
/// control flow have runners of their own below it.
///
/// `run` may be called by any number of threads at once; plans are made by one thread at a time.
class GraphRunner {
 public:
  GraphRunner(PlacedGraph placed, std::span<Provider* const> providers, MemoryBudget& budget, int plans_kept);
  ~GraphRunner();

  /// Inputs and outputs by position.
  void run(std::span<const Tensor> inputs, std::span<RunOutput> outputs, const RunControl& control);
  /// Makes the first segment's plan for inputs of these shapes, so that errors of shape and memory come early.
  void prepare(std::span<const Tensor> inputs);

  const PlacedGraph& placed() const { return placed_; }
  /// Plans made last, one per segment that has any; shared with the contexts that run them.
  std::vector<std::shared_ptr<const SegmentPlan>> latest_plans() const;
  const std::vector<std::unique_ptr<GraphRunner>>* branches(NodeId id) const;

 private:
  struct CachedPlan {
    std::shared_ptr<const SegmentPlan> plan;
    uint64_t last_used = 0;
  };
  class Lease;

  std::shared_ptr<const SegmentPlan> plan_for(size_t segment, std::span<const KnownValue> known,
                                              std::span<const int64_t> key);
  PlanInstance& find_plan(ExecutionContext& context, size_t segment, const ExecutionContext::Call& call);
  void run_segment(ExecutionContext& context, size_t segment, const ExecutionContext::Call& call);
  /// Fills context.known for the segment.
  void gather_known(ExecutionContext& context, size_t segment, const ExecutionContext::Call& call);
  void run_steps(ExecutionContext& context, PlanInstance& instance, const ExecutionContext::Call& call);
  void run_control(ExecutionContext& context, const SegmentPlan& plan, const PlanStep& step,
                   const ExecutionContext::Call& call);
  void keep_planned(ExecutionContext& context, const SegmentPlan& plan, size_t segment);
  void finish_outputs(ExecutionContext& context, const ExecutionContext::Call& call);

  /// What of a segment's known values does not change from run to run.
  struct KnownSource {
    ValueId value = ValueId::none;
    int32_t input = -1;     ///< of the graph, or -1: a carried value
    bool contents = false;  ///< the plan's key holds the contents
  };

  PlacedGraph placed_;
  std::vector<std::vector<KnownSource>> known_sources_;  // by segment
  std::vector<Provider*> providers_;
  MemoryBudget& budget_;
  const int plans_kept_;
  std::map<NodeId, std::vector<std::unique_ptr<GraphRunner>>> branches_;

  mutable std::mutex plans_mutex_;
  std::vector<std::vector<CachedPlan>> plans_;  // by segment
  uint64_t clock_ = 0;

  std::atomic<ExecutionContext*> hot_context_{nullptr};  // taken and put back without a lock
  std::mutex contexts_mutex_;
  std::vector<std::unique_ptr<ExecutionContext>> contexts_;  // owns all
  std::vector<ExecutionContext*> idle_;
};

}  // namespace overt

#endif  // OVERT_RUN_GRAPH_RUNNER_H_
