#ifndef OVERT_PROVIDER_API_PROVIDER_H_
#define OVERT_PROVIDER_API_PROVIDER_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "graph/graph.h"
#include "overt/options.h"
#include "provider_api/memory.h"
#include "provider_api/program.h"

namespace overt {

/// Why a provider does not run a node, in words: "no kernel for float64 Resize with cubic interpolation".
struct Refusal {
  std::string reason;
};

/// What a session asks of a provider.
struct ProviderRequest {
  ProviderOptions options;
  Precision precision = Precision::fp32;
  int threads = 0;
  LogCallback log;
};

/// A device as one session uses it: decides which nodes it takes and compiles partitions of them. Holds what the
/// session's plans share (packed weights, streams, thread settings).
///
/// `supports` and `compile` are called by one thread at a time; programs may run while another is compiled.
class Provider {
 public:
  virtual ~Provider() = default;

  /// "cpu", "cuda:0". Unique in a session.
  virtual std::string_view name() const = 0;
  /// For people: "AMD EPYC, 2 threads, avx512, oneDNN 3.2.0".
  virtual std::string device_description() const = 0;
  /// From types, ranks and attributes alone; shapes in the graph may be symbolic.
  virtual std::optional<Refusal> supports(const Graph& graph, const Node& node) const = 0;
  virtual std::unique_ptr<Program> compile(const PartitionView& partition) = 0;
  virtual DeviceMemory& memory() = 0;
  /// Bytes of constants that the provider holds in a form of its own (packed, uploaded), for the budget.
  virtual int64_t packed_weight_bytes() const = 0;
};

/// What a provider's shared library offers. It exports one function, `overt_provider_library`, of this type.
struct ProviderLibrary {
  std::string_view name;           ///< "cpu"
  std::string_view overt_version;  ///< must be the core's own
  /// Throws Error(provider_unavailable) with the diagnosis, or Error(invalid_argument) for a bad option.
  std::unique_ptr<Provider> (*create)(const ProviderRequest& request);
};
using ProviderLibraryFunction = const ProviderLibrary* (*)();
inline constexpr const char* kProviderLibrarySymbol = "overt_provider_library";

}  // namespace overt

#endif  // OVERT_PROVIDER_API_PROVIDER_H_
