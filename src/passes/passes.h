#ifndef OVERT_PASSES_PASSES_H_
#define OVERT_PASSES_PASSES_H_

#include "passes/pass.h"

namespace overt {

// One function per file of the same name; pipeline.cc gives their order and says what each is for. Each returns
// whether it changed the graph.
bool remove_dead_nodes(PassContext& context);
bool fold_constants(PassContext& context);
bool remove_no_ops(PassContext& context);
bool merge_common_subexpressions(PassContext& context);
bool fold_batch_norm(PassContext& context);
bool fold_pads(PassContext& context);
bool recognise_activations(PassContext& context);
bool recognise_normalization(PassContext& context);
bool recognise_attention(PassContext& context);
bool recognise_space_to_depth(PassContext& context);
bool fuse_convolution(PassContext& context);
bool fuse_matmul(PassContext& context);

}  // namespace overt

#endif  // OVERT_PASSES_PASSES_H_
