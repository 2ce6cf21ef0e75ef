#ifndef OVERT_PASSES_FUSE_H_
#define OVERT_PASSES_FUSE_H_

#include <span>
#include <vector>

#include "graph/graph.h"
#include "passes/rewriter.h"

namespace overt {

/// Whether nothing but the first output of `root` leaves the set: each other value that the nodes make is read
/// by nodes of the set alone and is no graph output. `nodes` holds the root.
bool is_closed(const Graph& graph, std::span<const NodeId> nodes, NodeId root);

/// Puts one node in the place of `nodes`, which must be closed, at the position of their root.
///
/// The caller fills op, name, inputs, attributes and epilogue of `fused`; its output is the root's first. Values
/// from outside that the nodes read must be inputs of `fused` or constants. The nodes become its parts, unless
/// the operator has a reference kernel of its own, and their sources become its sources.
void fuse(Rewriter& rewriter, std::span<const NodeId> nodes, NodeId root, Node fused);

/// Puts the parts of a fused node back in its place, for a provider that refuses the whole. Gives the nodes put
/// back, in order; they may be fused themselves. Linear in the graph; for many nodes use `expand_all`.
std::vector<NodeId> expand(Graph& graph, NodeId id);
std::vector<NodeId> expand_all(Graph& graph, std::span<const NodeId> ids);

}  // namespace overt

#endif  // OVERT_PASSES_FUSE_H_
