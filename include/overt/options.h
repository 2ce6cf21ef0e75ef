#ifndef OVERT_OPTIONS_H_
#define OVERT_OPTIONS_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overt {

/// Type of the arithmetic in convolutions and matrix products. fp32 is exact fp32: no TF32, no bf16.
enum class Precision : uint8_t { fp32, tf32, fp16, bf16 };
std::string_view precision_name(Precision precision);

/// What happens to nodes that the first provider of the list refuses.
enum class Fallback : uint8_t {
  allow,  ///< the next provider of the list may take them; the placement says so
  error,  ///< the session is not made, and the error lists every such node
};

enum class LogLevel : uint8_t { debug, info, warning, error };

/// Called for each line of the log, from any thread that uses the session. Must not throw.
using LogCallback = std::function<void(LogLevel level, std::string_view message)>;

/// One provider that the session shall use. The first of the list is a requirement, the others may take what it
/// refuses.
struct ProviderOptions {
  std::string name = "cpu";                      ///< "cpu"; an unknown name is an error that lists the known ones
  int device = 0;                                ///< number of the device, for providers with several
  std::optional<std::filesystem::path> library;  ///< provider library to open instead of the one beside libovert
  std::optional<std::filesystem::path> onednn;   ///< cpu: libdnnl to open instead of the one found
  bool use_onednn = true;                        ///< cpu: false runs everything on Overt's own kernels
};

/// Bounds on what a model file may ask for while it is read.
struct ModelLimits {
  int64_t max_rank = 64;
  int64_t max_subgraph_depth = 32;
  int64_t max_expanded_nodes = 4'000'000;             ///< after model-local functions are inlined
  int64_t max_dense_sparse_bytes = int64_t{1} << 30;  ///< sum of sparse initializers made dense
  bool allow_hard_links = false;                      ///< external data files with several names
  bool allow_symlinks = false;                        ///< external data behind links (content stores)
};

struct SessionOptions {
  std::vector<ProviderOptions> providers = {ProviderOptions{}};
  Fallback fallback = Fallback::allow;
  Precision precision = Precision::fp32;
  int threads = 0;           ///< 0: the CPUs that this process may use (affinity and cgroup quota)
  int64_t memory_limit = 0;  ///< bytes on the first provider's device, all that is allocated; 0: no limit
  int plan_cache_size = 16;  ///< plans kept, one for each combination of input shapes
  bool optimize = true;      ///< false: no graph pass runs
  std::vector<std::string> disabled_passes;  ///< names as `overt explain` lists them
  bool profile = false;                      ///< record the time of each kernel of each run
  /// Every value that is left after the passes becomes an output, after the model's own: for comparing providers,
  /// precisions and passes. Values inside fused nodes are not there.
  bool expose_values = false;
  std::string model_name;                    ///< for the log; empty: the file's stem
  ModelLimits limits;
  LogCallback log;  ///< empty: nothing is logged
};

/// Stops runs from another thread. Copies share the flag.
class CancelToken {
 public:
  CancelToken() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
  void cancel() { flag_->store(true, std::memory_order_relaxed); }
  bool cancelled() const { return flag_->load(std::memory_order_relaxed); }

 private:
  std::shared_ptr<std::atomic<bool>> flag_;  ///< shared by the caller's thread and the running one
};

struct RunOptions {
  /// The run ends with Error(cancelled) at the next step after this.
  std::optional<std::chrono::steady_clock::time_point> deadline;
  std::optional<CancelToken> cancel;
};

}  // namespace overt

#endif  // OVERT_OPTIONS_H_
