#ifndef OVERT_PROVIDER_API_PROGRAM_H_
#define OVERT_PROVIDER_API_PROGRAM_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "overt/options.h"
#include "overt/report.h"
#include "tensor/view.h"

namespace overt {

/// What a plan knows of the values: each has a concrete shape, some have known contents.
struct PlannedValues {
  std::vector<DataType> types;           ///< by ValueId; undefined: not part of this plan
  std::vector<Shape> shapes;             ///< by ValueId
  std::vector<const Tensor*> constants;  ///< by ValueId; null where the contents are not known before the run
};

/// Nodes that one provider runs together. Convex: no path leaves the partition and comes back.
struct PartitionView {
  const Graph& graph;
  std::span<const NodeId> nodes;     ///< in topological order
  std::span<const ValueId> inputs;   ///< made elsewhere and read here; not constants
  std::span<const ValueId> outputs;  ///< made here and read elsewhere
  const PlannedValues& values;
  bool dynamic_outputs = false;  ///< one node whose output shapes are known only after it ran
};

enum class BufferUse : uint8_t { activation, workspace };

/// Memory that a program needs while it runs. The core places all buffers of all programs in one slab.
struct BufferRequest {
  int64_t bytes = 0;
  int32_t first_step = 0;  ///< of the program's own steps
  int32_t last_step = 0;   ///< inclusive
  BufferUse use = BufferUse::activation;
  std::string what;  ///< for reports: the tensor or the kernel
};

/// Which kernel does a node's work and why not a better one.
struct KernelChoice {
  NodeId node = NodeId::none;
  std::string kernel;
  std::vector<RefusalReport> refusals;  ///< `provider` holds the refusing kernel's name
};

/// Addresses for one instance. The core may change inputs' and outputs' addresses between runs; buffers stay.
struct ProgramAddresses {
  std::vector<const void*> inputs;  ///< in PartitionView::inputs order
  std::vector<void*> outputs;       ///< in PartitionView::outputs order; null for dynamic outputs
  std::vector<void*> buffers;       ///< in Program::buffers order
};

/// How a run ends early, and what it records.
struct RunControl {
  std::optional<std::chrono::steady_clock::time_point> deadline;
  const CancelToken* cancel = nullptr;
  std::vector<KernelTime>* profile = nullptr;  ///< null: nothing is recorded
  OutputAllocator* dynamic_outputs = nullptr;  ///< for programs with dynamic outputs

  /// Throws Error(cancelled) when the caller cancelled or the deadline has passed. Cheap.
  void check() const;
};

/// A program bound to one execution context's memory. One run at a time.
class ProgramInstance {
 public:
  virtual ~ProgramInstance() = default;
  virtual void run(const RunControl& control) = 0;
};

/// A compiled partition: immutable, shared by all contexts.
class Program {
 public:
  virtual ~Program() = default;
  virtual int32_t step_count() const = 0;
  virtual std::span<const BufferRequest> buffers() const = 0;
  virtual std::span<const KernelChoice> choices() const = 0;
  /// One line per step, for dumps.
  virtual std::string describe() const = 0;
  /// `addresses` outlives the instance and is read at each run.
  virtual std::unique_ptr<ProgramInstance> instantiate(const ProgramAddresses& addresses) const = 0;
};

}  // namespace overt

#endif  // OVERT_PROVIDER_API_PROGRAM_H_
