#include <array>

#include "provider_api/open_provider.h"

namespace overt {

std::span<const BuiltinProvider> builtin_providers() {
  static constexpr std::array kProviders = {
      BuiltinProvider{"cpu", "libovert_cpu.so"},
  };
  return kProviders;
}

}  // namespace overt
