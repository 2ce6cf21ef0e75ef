#include "passes/pipeline.h"

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "base/escape.h"
#include "base/nearest.h"
#include "ops/infer_context.h"
#include "passes/passes.h"
#include "passes/subgraphs.h"

namespace overt {
namespace {

constexpr Pass kCleanUp[] = {
    {"remove_dead_nodes", "takes out nodes whose results nobody reads", &remove_dead_nodes},
    {"fold_constants", "computes what depends on constants alone", &fold_constants},
    {"remove_no_ops", "takes out nodes that give what they are given", &remove_no_ops},
    {"merge_common_subexpressions", "computes equal things once", &merge_common_subexpressions},
};

constexpr Pass kFuse[] = {
    {"fold_batch_norm", "moves normalisation and scaling by constants into the weights before it", &fold_batch_norm},
    {"fold_pads", "moves padding into the convolution or pool after it", &fold_pads},
    {"recognise_activations", "finds Swish, HardSwish and Gelu in their parts", &recognise_activations},
    {"recognise_normalization", "finds LayerNormalization and RMSNormalization in their parts",
     &recognise_normalization},
    {"recognise_attention", "finds scaled dot-product attention in its parts", &recognise_attention},
    {"recognise_space_to_depth", "finds strided slices that are concatenated again", &recognise_space_to_depth},
    {"fuse_convolution", "joins activations and residual sums to the convolution before them", &fuse_convolution},
    {"fuse_matmul", "joins bias, residual sums and activations to the matrix product before them", &fuse_matmul},
    {"remove_unread_nodes", "takes out nodes that fusion left without readers", &remove_dead_nodes},
};

constexpr PassStage kStages[] = {
    {"clean up", kCleanUp, 4},
    {"fuse", kFuse, 1},
};

void check_names(const PassOptions& options) {
  const std::vector<std::string_view> names = pass_names();
  for (const std::string& name : options.disabled) {
    if (std::ranges::find(names, std::string_view(name)) != names.end()) continue;
    const auto nearest = nearest_name(name, names);
    fail_at(ErrorCode::invalid_argument, name, "there is no pass named '{}'{}", escape_name(name),
            nearest ? fmt::format("; did you mean '{}'?", *nearest) : std::string());
  }
}

class PipelineRun {
 public:
  PipelineRun(Graph& graph, const PassOptions& options) : graph_(graph), options_(options) {}

  PassReport run() {
    infer_subgraphs(graph_);
    for (const PassStage& stage : pass_pipeline()) run_stage(stage);
    return std::move(report_);
  }

 private:
  void run_stage(const PassStage& stage) {
    const size_t first = report_.passes.size();
    for (const Pass& pass : stage.passes) {
      PassEntry& entry = report_.passes.emplace_back();
      entry.name = pass.name;
      entry.summary = pass.summary;
      entry.enabled = std::ranges::find(options_.disabled, pass.name) == options_.disabled.end();
    }
    for (int round = 0; round < stage.most_rounds; ++round) {
      bool changed = false;
      for (size_t i = 0; i < stage.passes.size(); ++i) {
        PassEntry& entry = report_.passes[first + i];
        if (entry.enabled) changed |= run_pass(stage.passes[i], entry);
      }
      if (!changed) return;
      if (round + 1 < stage.most_rounds) infer_again();
    }
  }

  /// What was folded may make more shapes and contents known.
  void infer_again() {
    infer_graph(graph_, nullptr);
    infer_subgraphs(graph_);
  }

  bool run_pass(const Pass& pass, PassEntry& entry) {
    const auto started = std::chrono::steady_clock::now();
    const int64_t nodes = count_nodes(graph_);
    bool changed = false;
    for_each_graph(graph_, [&](Graph& graph, bool is_subgraph) {
      PassContext context{graph, entry.notes, is_subgraph};
      changed |= pass.run(context);
    });
    if (changed) verify(graph_, fmt::format("pass {}", pass.name));
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - started;
    if (entry.rounds++ == 0) entry.nodes_before = nodes;
    entry.nodes_after = changed ? count_nodes(graph_) : nodes;
    entry.milliseconds += took.count();
    entry.changed |= changed;
    if (options_.dump_after) options_.dump_after(pass.name, dump(graph_));
    return changed;
  }

  Graph& graph_;
  const PassOptions& options_;
  PassReport report_;
};

}  // namespace

std::span<const PassStage> pass_pipeline() {
  return kStages;
}

std::vector<std::string_view> pass_names() {
  std::vector<std::string_view> names;
  for (const PassStage& stage : kStages) {
    for (const Pass& pass : stage.passes) names.push_back(pass.name);
  }
  return names;
}

const PassEntry* PassReport::find(std::string_view name) const {
  const auto found = std::ranges::find(passes, name, &PassEntry::name);
  return found != passes.end() ? &*found : nullptr;
}

std::string PassReport::to_string() const {
  std::string text;
  for (const PassEntry& entry : passes) {
    text += fmt::format("{}: {}", entry.name, entry.summary);
    if (!entry.enabled) {
      text += " (switched off)\n";
      continue;
    }
    text += fmt::format(" ({} changes, {} to {} nodes, {:.2f} ms)\n", entry.notes.count(), entry.nodes_before,
                        entry.nodes_after, entry.milliseconds);
    for (const std::string& line : entry.notes.lines()) text += "  " + line + "\n";
    const size_t left_out = entry.notes.count() - entry.notes.lines().size();
    if (left_out > 0) text += fmt::format("  and {} more\n", left_out);
  }
  return text;
}

PassReport optimize(Graph& graph, const PassOptions& options) {
  check_names(options);
  return PipelineRun(graph, options).run();
}

}  // namespace overt
