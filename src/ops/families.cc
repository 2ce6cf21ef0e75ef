#include "ops/families.h"

#include <array>

namespace overt {

std::span<const std::span<const OpEntry>> op_families() {
  static const std::array families = {
      unary_ops(),
  };
  return families;
}

}  // namespace overt
