#ifndef OVERT_PLACEMENT_PLACE_H_
#define OVERT_PLACEMENT_PLACE_H_

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "overt/options.h"
#include "provider_api/provider.h"

namespace overt {

// Who does a node's work: an index into the session's provider list, or one of these.
inline constexpr int32_t kPlanning = -1;  ///< worked out from shapes when a plan is made; no device
inline constexpr int32_t kControl = -2;   ///< control flow: the host chooses a subgraph, which is placed itself
inline constexpr int32_t kNobody = -3;    ///< dead slot

/// Nodes that one provider compiles together.
struct PlacedPartition {
  int32_t provider = kNobody;
  bool dynamic = false;          ///< a single node whose output shapes depend on data
  std::vector<NodeId> nodes;     ///< in topological order
  std::vector<ValueId> inputs;   ///< read and made elsewhere; constants are not listed
  std::vector<ValueId> outputs;  ///< made here and read elsewhere
};

/// What can be specialised together: all shapes follow from `known_shapes` and `known_contents`.
/// A node whose output shapes depend on data, or that needs the contents of a computed tensor for its shape,
/// starts the next segment.
struct Segment {
  std::vector<NodeId> order;                ///< all nodes, planning ones included
  std::vector<PlacedPartition> partitions;  ///< in the order they run
  std::vector<ValueId> known_shapes;    ///< graph inputs and earlier segments' values: shapes are in the plan's key
  std::vector<ValueId> known_contents;  ///< of these also the contents
  std::vector<ValueId> carried_out;     ///< made here, needed by later segments
};

/// A value that two providers with different memories share.
struct PlacedCopy {
  ValueId value = ValueId::none;
  int32_t from = kNobody;
  int32_t to = kNobody;
  NodeId reader = NodeId::none;  ///< the first node that needs it there
};

/// A graph whose every node has someone who runs it.
struct PlacedGraph {
  Graph graph;
  std::vector<int32_t> provider_of;                  ///< by NodeId
  std::vector<std::vector<RefusalReport>> refusals;  ///< by NodeId
  std::vector<Segment> segments;
  std::vector<PlacedCopy> copies;
  std::vector<std::string> provider_names;
  /// Subgraphs of control nodes, by NodeId, in attribute order; empty for other nodes.
  std::vector<std::vector<std::unique_ptr<PlacedGraph>>> branches;
};

/// Gives each node to the first provider of the list that takes it. A fused node that the first provider
/// refuses is replaced by its parts. Shapes in `graph` are inferred (see infer_graph).
/// Throws Error(unsupported) that lists every node that nobody takes, or with Fallback::error every node that
/// the first provider refuses.
PlacedGraph place(Graph graph, std::span<Provider* const> providers, Fallback fallback);

/// One line per node with its provider, then the segments and partitions. Equal for equal inputs.
std::string dump(const PlacedGraph& placed);

}  // namespace overt

#endif  // OVERT_PLACEMENT_PLACE_H_
