#ifndef OVERT_PROVIDER_API_OPEN_PROVIDER_H_
#define OVERT_PROVIDER_API_OPEN_PROVIDER_H_

#include <memory>
#include <span>
#include <string_view>

#include "base/shared_library.h"
#include "provider_api/provider.h"

namespace overt {

/// A provider that this build knows: its name for users and the file of its library.
struct BuiltinProvider {
  std::string_view name;
  std::string_view library_file;  ///< beside libovert.so
};

/// In order of preference. Defined in builtin_providers.cc, the one file that names providers.
std::span<const BuiltinProvider> builtin_providers();

/// A provider and the library that its code is in.
struct OpenedProvider {
  SharedLibrary library;  // destroyed last
  std::unique_ptr<Provider> provider;
};

/// Opens the library and makes the provider. Throws Error(invalid_argument) for an unknown name, with the
/// nearest valid one; Error(provider_unavailable) with what was looked for, where, and what to do.
OpenedProvider open_provider(const ProviderRequest& request);

}  // namespace overt

#endif  // OVERT_PROVIDER_API_OPEN_PROVIDER_H_
