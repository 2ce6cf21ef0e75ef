#ifndef OVERT_PLAN_PLAN_H_
#define OVERT_PLAN_PLAN_H_

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "placement/place.h"
#include "provider_api/program.h"
#include "tensor/view.h"

namespace overt {

inline constexpr int32_t kHostMemory = -1;

/// Where a value lies while a segment runs.
struct ValuePlace {
  enum class Kind : uint8_t {
    graph_input,   ///< the caller's memory, input `index`
    graph_output,  ///< the caller's memory, output `index`
    slab,          ///< the context's slab in `memory`, at `offset`
    carried,       ///< memory of the context that lives across segments, by value
  };
  ValueId value = ValueId::none;
  Kind kind = Kind::slab;
  int32_t memory = kHostMemory;  ///< kHostMemory, or the index of the provider whose memory it is
  int32_t index = 0;
  int64_t offset = 0;
  int64_t bytes = 0;
  bool dynamic = false;  ///< carried, and its shape is known only after its node ran
};

/// One thing that a plan does. Places are indices into SegmentPlan::places.
struct PlanStep {
  enum class Kind : uint8_t { run, copy, control };
  Kind kind = Kind::run;
  bool dynamic = false;          ///< run: outputs are made by the program (RunControl::dynamic_outputs)
  int32_t program = -1;          ///< run: index into SegmentPlan::programs
  NodeId node = NodeId::none;    ///< control: the If; run: the first node of the program
  std::vector<int32_t> inputs;   ///< run, control: by program input; copy: the source
  std::vector<int32_t> outputs;  ///< run, control: by program output; copy: the target
};

/// A segment made concrete for one combination of shapes: immutable, shared by all contexts.
struct SegmentPlan {
  std::vector<int64_t> key;  ///< see plan_key
  PlannedValues values;
  std::deque<Tensor> planned_constants;  ///< contents worked out while planning; `values.constants` points here
  std::vector<std::unique_ptr<Program>> programs;
  std::vector<std::vector<int64_t>> buffer_offsets;  ///< by program, by buffer: offset in the slab
  std::vector<int32_t> program_memory;               ///< by program
  std::vector<ValuePlace> places;
  std::vector<PlanStep> steps;
  std::vector<int64_t> slab_bytes;  ///< [0]: host; [1 + p]: memory of provider p
  int64_t activation_bytes = 0;     ///< sum of the slab's activation part at its peak, for reports
  int64_t workspace_bytes = 0;
  std::vector<MemoryReport::Part> largest;  ///< the ten largest buffers
};

/// What is known of one value before a segment is specialised.
struct KnownValue {
  ValueId value = ValueId::none;
  TensorView view;  ///< type and shape; `data` is null where the contents are not needed
};

/// Appends to `key` what selects a plan: the shapes of Segment::known_shapes and the contents of
/// known_contents, in order.
void append_key(std::vector<int64_t>& key, const KnownValue& known);

/// Makes the plan of one segment. `known` holds known_shapes, with data for the ones in known_contents.
/// Throws Error(invalid_argument or invalid_model) where shapes do not fit the operators, Error(unsupported)
/// from a provider's compiler, Error(out_of_memory) where a size does not fit 63 bits.
std::unique_ptr<SegmentPlan> specialise(const PlacedGraph& placed, size_t segment, std::span<const KnownValue> known,
                                        std::span<Provider* const> providers);

/// Steps, places and programs as text. Equal for equal inputs.
std::string dump(const PlacedGraph& placed, const SegmentPlan& plan);

}  // namespace overt

#endif  // OVERT_PLAN_PLAN_H_
