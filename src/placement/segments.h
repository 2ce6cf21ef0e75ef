#ifndef OVERT_PLACEMENT_SEGMENTS_H_
#define OVERT_PLACEMENT_SEGMENTS_H_

#include "placement/place.h"

namespace overt {

/// True where the node's results follow from shapes and constants alone and are small (rank 0 or 1), so that
/// they are worked out when a plan is made. `from_shapes[v]`: value v is such a result.
bool is_planning_node(const Graph& graph, const Node& node, const std::vector<bool>& from_shapes);

/// Splits the placed nodes into segments and partitions; fills `placed.segments` and `placed.copies`.
void make_segments(PlacedGraph& placed, std::span<Provider* const> providers);

}  // namespace overt

#endif  // OVERT_PLACEMENT_SEGMENTS_H_
