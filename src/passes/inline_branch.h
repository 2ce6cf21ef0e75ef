#ifndef OVERT_PASSES_INLINE_BRANCH_H_
#define OVERT_PASSES_INLINE_BRANCH_H_

#include <string_view>

#include "graph/graph.h"
#include "passes/rewriter.h"

namespace overt {

/// Puts the nodes of one branch ("then_branch" or "else_branch") of an If in its place.
void inline_branch(Rewriter& rewriter, NodeId owner, std::string_view branch);

}  // namespace overt

#endif  // OVERT_PASSES_INLINE_BRANCH_H_
