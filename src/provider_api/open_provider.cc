#include "provider_api/open_provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/escape.h"
#include "base/nearest.h"
#include "overt/session.h"

namespace overt {
namespace {

const BuiltinProvider& find_provider(std::string_view name) {
  const auto known = builtin_providers();
  const auto found = std::ranges::find(known, name, &BuiltinProvider::name);
  if (found != known.end()) return *found;
  std::vector<std::string_view> names;
  for (const BuiltinProvider& provider : known) names.push_back(provider.name);
  const auto nearest = nearest_name(name, names);
  fail_at(ErrorCode::invalid_argument, name, "provider '{}' is not known; this build has {}{}", escape_name(name),
          fmt::format("{}", fmt::join(names, ", ")), nearest ? ": did you mean '" + *nearest + "'?" : "");
}

}  // namespace

OpenedProvider open_provider(const ProviderRequest& request) {
  const BuiltinProvider& known = find_provider(request.options.name);
  const std::filesystem::path path =
      request.options.library ? *request.options.library
                              : directory_of_code(reinterpret_cast<const void*>(&open_provider)) / known.library_file;
  std::string why;
  std::optional<SharedLibrary> library = SharedLibrary::open(path, &why);
  if (!library) {
    fail_at(ErrorCode::provider_unavailable, known.name,
            "provider {} was asked for and its library cannot be opened: looked for {}; the loader says: {}; put the "
            "library beside libovert.so, or name it with the provider option 'library'",
            known.name, path.string(), escape_name(why));
  }
  const auto function = reinterpret_cast<ProviderLibraryFunction>(library->symbol(kProviderLibrarySymbol));
  if (function == nullptr) {
    fail_at(ErrorCode::provider_unavailable, known.name, "{} is not a provider of Overt: it has no symbol {}",
            path.string(), kProviderLibrarySymbol);
  }
  const ProviderLibrary* offered = function();
  if (offered->name != known.name || offered->overt_version != version()) {
    fail_at(ErrorCode::provider_unavailable, known.name,
            "{} holds provider {} for Overt {}, expected {} for Overt {}; install both from one build", path.string(),
            offered->name, offered->overt_version, known.name, version());
  }
  std::unique_ptr<Provider> provider = offered->create(request);
  return {std::move(*library), std::move(provider)};
}

}  // namespace overt
