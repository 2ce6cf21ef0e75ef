#ifndef OVERT_RUN_CONTEXT_H_
#define OVERT_RUN_CONTEXT_H_

#include <memory>
#include <span>
#include <vector>

#include "plan/plan.h"
#include "run/memory_budget.h"

namespace overt {

/// Where a result goes: a bound tensor is written in place and must fit; otherwise the tensor is memory that may
/// be reused or replaced (empty: made by the run).
struct RunOutput {
  Tensor tensor;
  bool bound = false;
};

/// A value that lives across segments: in the context's own memory, or borrowed from a plan's constants.
struct CarriedValue {
  DataType type = DataType::undefined;
  Shape shape;
  int32_t memory = kHostMemory;
  const void* data = nullptr;  ///< in `memory`; valid until the context's next run
  DeviceBlock block;           ///< empty for a borrowed value
};

/// A plan bound to one context's memory.
struct PlanInstance {
  std::shared_ptr<const SegmentPlan> plan;  ///< shared by the plan cache and every context that runs it
  std::vector<std::unique_ptr<ProgramAddresses>> addresses;  ///< by program
  std::vector<std::unique_ptr<ProgramInstance>> programs;
};

/// Everything that one running call needs for itself: slabs, values between segments, bound programs. Used by
/// one thread at a time; kept and reused by later calls.
class ExecutionContext {
 public:
  ExecutionContext(const PlacedGraph& placed, std::span<Provider* const> providers, MemoryBudget& budget);

  /// Where inputs and outputs of this call are, by position.
  struct Call {
    std::span<const Tensor> inputs;
    std::span<RunOutput> outputs;
    const RunControl* control = nullptr;
  };

  /// The instance whose plan has this key, or null. The last one used is looked at first.
  PlanInstance* find(size_t segment, std::span<const int64_t> key);
  /// Binds a plan to this context's memory, growing the slabs where needed.
  PlanInstance& add(size_t segment, std::shared_ptr<const SegmentPlan> plan, int keep);

  /// Brings the plan's addresses up to date and makes output tensors. Throws Error(invalid_argument) where a
  /// bound output has another shape or type.
  void prepare(PlanInstance& instance, const Call& call);
  void* address(const SegmentPlan& plan, int32_t place, const Call& call) const;
  DeviceMemory& memory(int32_t index) const;

  CarriedValue& carried(ValueId id) { return carried_[index_of(id)]; }
  /// Memory for a carried value, reusing what the last run left.
  void* make_carried(ValueId id, int32_t memory, DataType type, const Shape& shape);

  // Scratch, so that no run allocates for it.
  std::vector<int64_t> key;
  std::vector<KnownValue> known;
  std::vector<Tensor> staged;  ///< contents of device values that a plan's key needs

 private:
  void prepare_output(const SegmentPlan& plan, const ValuePlace& place, const Call& call);

  const PlacedGraph& placed_;
  std::span<Provider* const> providers_;
  MemoryBudget& budget_;
  std::vector<DeviceBlock> slabs_;                    // [0]: host, [1 + p]: provider p
  std::vector<std::vector<PlanInstance>> instances_;  // by segment, last used first
  std::vector<CarriedValue> carried_;                 // by value
};

}  // namespace overt

#endif  // OVERT_RUN_CONTEXT_H_
