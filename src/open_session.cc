#include "onnx/load.h"
#include "overt/session.h"
#include "run/model_info.h"
#include "run/session_state.h"

namespace overt {
namespace {

LoadLimits load_limits(const ModelLimits& limits, const std::filesystem::path& directory) {
  LoadLimits load;
  load.rank = static_cast<int32_t>(limits.max_rank);
  load.subgraph_depth = static_cast<int32_t>(limits.max_subgraph_depth);
  load.expanded_nodes = limits.max_expanded_nodes;
  load.dense_bytes = limits.max_dense_sparse_bytes;
  load.allow_hard_links = limits.allow_hard_links;
  if (limits.allow_symlinks) load.symlink_root = directory.empty() ? "." : directory;
  return load;
}

}  // namespace

ModelSummary inspect_model(const std::filesystem::path& path, const ModelLimits& limits) {
  const Model model = load_onnx(path, load_limits(limits, path.parent_path()));
  return {model_info(model), input_specs(model), output_specs(model)};
}

Session Session::open(const std::filesystem::path& path, const SessionOptions& options) {
  SessionOptions named = options;
  if (named.model_name.empty()) named.model_name = path.stem().string();
  return Session(make_session(load_onnx(path, load_limits(options.limits, path.parent_path())), named));
}

Session Session::from_bytes(std::span<const std::byte> bytes, const SessionOptions& options,
                            const std::optional<std::filesystem::path>& external_data) {
  SessionOptions named = options;
  if (named.model_name.empty()) named.model_name = "model";
  const LoadLimits limits = load_limits(options.limits, external_data.value_or(std::filesystem::path()));
  return Session(make_session(load_onnx(bytes, nullptr, external_data, limits), named));
}

}  // namespace overt
