#ifndef OVERT_SESSION_H_
#define OVERT_SESSION_H_

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "overt/error.h"
#include "overt/options.h"
#include "overt/report.h"
#include "overt/tensor.h"

namespace overt {

/// An input or output of a model. A dim is a number, or -1 with its symbol's name in `symbols`.
struct TensorSpec {
  std::string name;
  DataType type = DataType::undefined;
  bool rank_known = true;
  std::vector<int64_t> dims;         ///< -1 where the length may vary
  std::vector<std::string> symbols;  ///< "" where `dims` has a number
  bool optional = false;             ///< has a default in the file, may be left out
  std::string other_kind;            ///< "sequence of float32" and the like for what is no tensor; else empty
  std::string to_string() const;     ///< "images float32 [batch, 3, 416, 416]"
};

/// What the file says about itself.
struct ModelInfo {
  std::string producer_name, producer_version, domain, description, graph_name;
  int64_t ir_version = 0;
  int64_t model_version = 0;
  int64_t file_bytes = 0;
  int64_t parameters = 0;                                  ///< elements of all constants of floating-point type
  std::vector<std::pair<std::string, int64_t>> opsets;     ///< domain ("ai.onnx" for the default one), version
  std::vector<std::pair<std::string, int64_t>> operators;  ///< operator of the file, count; most frequent first
  std::vector<std::pair<std::string, std::string>> metadata;
  std::vector<std::string> external_files;
  std::vector<std::string> warnings;
};

/// A model file as it stands, whether or not anything here runs it.
struct ModelSummary {
  ModelInfo info;
  std::vector<TensorSpec> inputs;
  std::vector<TensorSpec> outputs;
};

/// Reads a model file without opening a provider and without checking its operators. Throws Error: invalid_argument
/// (no such file), invalid_model, unsupported (over a limit), out_of_memory.
ModelSummary inspect_model(const std::filesystem::path& path, const ModelLimits& limits = {});

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

class SessionState;
class BindingState;

/// Inputs and outputs bound once and used by many runs: no copy, no allocation where shapes stay the same.
/// Belongs to one session, which must outlive it. Not synchronised: one binding per thread.
class Binding {
 public:
  Binding(Binding&&) noexcept;
  Binding& operator=(Binding&&) noexcept;
  ~Binding();

  /// The run reads the tensor's memory in place. Throws Error(invalid_argument) for an unknown name (with the
  /// nearest valid one), another type, or a shape that contradicts the model.
  void bind_input(std::string_view name, Tensor tensor);
  /// The run writes into the tensor's memory; its shape must be what the run gives (Error invalid_argument).
  void bind_output(std::string_view name, Tensor tensor);
  /// The result of the last run; for an unbound output, memory that the binding keeps and the next run reuses.
  const Tensor& output(std::string_view name) const;

 private:
  friend class Session;
  explicit Binding(std::unique_ptr<BindingState> state);
  std::unique_ptr<BindingState> state_;
};

/// A model made ready to run on the providers that were asked for.
///
/// `run` is const and safe to call from any number of threads at once; each running call has an execution
/// context of its own, weights are shared. Closing (destroying) gives back all memory.
class Session {
 public:
  /// Opens a model file. Throws Error: invalid_argument (no such file, bad option), invalid_model,
  /// unsupported, provider_unavailable, out_of_memory.
  static Session open(const std::filesystem::path& path, const SessionOptions& options = {});
  /// Opens a model from bytes, which are copied. `external_data` is the directory of external data files;
  /// without it a model that has any is refused.
  static Session from_bytes(std::span<const std::byte> bytes, const SessionOptions& options = {},
                            const std::optional<std::filesystem::path>& external_data = std::nullopt);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  std::span<const TensorSpec> inputs() const;
  std::span<const TensorSpec> outputs() const;
  const ModelInfo& model_info() const;

  /// Runs on host tensors and gives the outputs in the model's order. Throws Error(invalid_argument) for a
  /// missing, unknown or doubled input, another type, or a shape that contradicts the model or itself.
  std::vector<Tensor> run(std::span<const NamedTensor> inputs, const RunOptions& options = {}) const;
  /// The same with inputs by position (TensorSpec order).
  std::vector<Tensor> run(std::span<const Tensor> inputs, const RunOptions& options = {}) const;

  Binding bind() const;
  void run(Binding& binding, const RunOptions& options = {}) const;

  /// Where each node runs. Kernel names are there once a plan was made (`prepare` or a run).
  Placement placement() const;
  /// Makes the plan for these input shapes (by position) without running.
  void prepare(std::span<const Shape> input_shapes) const;
  /// Memory of the most recently made plan; weights alone where there is none.
  MemoryReport memory() const;
  std::vector<PassReportEntry> passes() const;
  /// Kernel times of the last finished run of a session with `profile`; empty otherwise.
  std::vector<KernelTime> profile() const;
  /// Text of a stage: "optimized", "placed" or "plan" (the most recent one).
  std::string dump(std::string_view stage) const;

 private:
  explicit Session(std::unique_ptr<SessionState> state);
  std::unique_ptr<SessionState> state_;
};

/// Names of the providers that this build knows, in order of preference ("cpu").
std::vector<std::string> provider_names();

/// "0.1.0".
std::string_view version();

}  // namespace overt

#endif  // OVERT_SESSION_H_
