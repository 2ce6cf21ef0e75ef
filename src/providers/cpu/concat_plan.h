#ifndef OVERT_PROVIDERS_CPU_CONCAT_PLAN_H_
#define OVERT_PROVIDERS_CPU_CONCAT_PLAN_H_

#include <vector>

#include "provider_api/program.h"
#include "providers/cpu/layout.h"

namespace overt::cpu {

/// A value that is best written straight into a part of a concatenation's result.
struct ConcatTarget {
  ValueId whole = ValueId::none;  ///< the concatenation's output; none: the value stands alone
  int64_t offset_bytes = 0;       ///< of the part in it, in the layout that both have
  Layout layout;                  ///< that the value must have for this
};

/// Finds the parts: inputs of a Concat that are computed in this partition, and that lie next to each other in the
/// result (all axes before the concatenated one have length 1; channels in whole groups where blocked). By ValueId.
/// `block`: channels in a group of the blocked layouts.
std::vector<ConcatTarget> plan_concats(const PartitionView& partition, int64_t block);

/// The layout in which a concatenation's result would be made of adjacent parts: blocked where all inputs are whole
/// groups of channels, row-major where only that works; nothing where neither does.
std::optional<Layout> adjacent_layout(const PartitionView& partition, const Node& concat, int64_t block);

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_CONCAT_PLAN_H_
