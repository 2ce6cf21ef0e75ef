#ifndef OVERT_OPS_FAMILIES_H_
#define OVERT_OPS_FAMILIES_H_

#include <span>

#include "ops/op.h"

namespace overt {

// One list per family; each is defined in the family's source file as a constexpr array.
std::span<const OpEntry> unary_ops();

/// All families.
std::span<const std::span<const OpEntry>> op_families();

}  // namespace overt

#endif  // OVERT_OPS_FAMILIES_H_
