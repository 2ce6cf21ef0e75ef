#ifndef OVERT_PASSES_PIPELINE_H_
#define OVERT_PASSES_PIPELINE_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "passes/pass.h"

namespace overt {

/// Passes that run one after the other, again while anything changes, at most `most_rounds` times.
struct PassStage {
  std::string_view name;
  std::span<const Pass> passes;
  int most_rounds = 1;
};

/// All passes in the order in which they run.
std::span<const PassStage> pass_pipeline();
/// Their names, in order.
std::vector<std::string_view> pass_names();

struct PassOptions {
  std::vector<std::string> disabled;  ///< names of passes that do not run
  /// Called after each call of a pass with the graph as text. Null: the text is not made.
  std::function<void(std::string_view pass, const std::string& text)> dump_after;
};

/// What one pass did, over all its rounds and over the main graph and its subgraphs.
struct PassEntry {
  std::string_view name;
  std::string_view summary;
  bool enabled = true;
  bool changed = false;
  int rounds = 0;
  double milliseconds = 0.0;
  int64_t nodes_before = 0;  ///< of the first round, subgraphs' nodes included
  int64_t nodes_after = 0;   ///< of the last round
  PassNotes notes;
};

struct PassReport {
  std::vector<PassEntry> passes;  ///< in the order of the pipeline

  const PassEntry* find(std::string_view name) const;
  /// One line per pass, with its time and nodes, and below it what it changed.
  std::string to_string() const;
};

/// Runs the pipeline over a graph whose infos are inferred (infer_graph), and over the bodies of its control flow
/// nodes. Every pass is followed by `verify`.
/// Throws Error(invalid_argument) where `disabled` names no pass, Error(invalid_model) where a constant
/// expression of the main graph breaks the standard.
PassReport optimize(Graph& graph, const PassOptions& options = {});

}  // namespace overt

#endif  // OVERT_PASSES_PIPELINE_H_
