#include "ops/families.h"

#include <array>

namespace overt {

std::span<const std::span<const OpEntry>> op_families() {
  // clang-format off: one line per family
  static const std::array families = {
      activation_ops(),
      arithmetic_ops(),
      bitwise_ops(),
      compare_ops(),
      concat_ops(),
      expand_ops(),
      reshape_ops(),
      shape_ops(),
      transpose_ops(),
      unary_ops(),
      variadic_ops(),
  };
  // clang-format on
  return families;
}

}  // namespace overt
