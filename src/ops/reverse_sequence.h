#ifndef OVERT_OPS_REVERSE_SEQUENCE_H_
#define OVERT_OPS_REVERSE_SEQUENCE_H_

#include <cstdint>

#include "graph/node.h"

namespace overt {

/// ReverseSequence (input, sequence_lens): in each batch item, the first sequence_lens[item] steps in reverse.
struct ReverseSequenceAttributes {
  int64_t batch_axis = 1;  ///< 0 or 1
  int64_t time_axis = 0;   ///< the other one
};
ReverseSequenceAttributes parse_reverse_sequence(const Node& node);

}  // namespace overt

#endif  // OVERT_OPS_REVERSE_SEQUENCE_H_
