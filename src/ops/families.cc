#include "ops/families.h"

#include <array>

namespace overt {

std::span<const std::span<const OpEntry>> op_families() {
  static const std::array families = {
      activation_ops(),
      arithmetic_ops(),
      bitwise_ops(),
      compare_ops(),
      unary_ops(),
      variadic_ops(),
  };
  return families;
}

}  // namespace overt
