#ifndef OVERT_PASSES_PASS_H_
#define OVERT_PASSES_PASS_H_

#include <fmt/core.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph.h"

namespace overt {

/// What a pass did, one line per change: "Mul 'a' multiplied by one and is gone".
class PassNotes {
 public:
  static constexpr size_t kMostLines = 50;

  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    ++count_;
    if (lines_.size() < kMostLines) lines_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }
  const std::vector<std::string>& lines() const { return lines_; }
  size_t count() const { return count_; }  ///< of all changes; lines beyond kMostLines are not kept

 private:
  std::vector<std::string> lines_;
  size_t count_ = 0;
};

/// One call of a pass: the graph to change (the main one, or a subgraph of a control flow node) and where to say
/// what was changed.
struct PassContext {
  Graph& graph;
  PassNotes& notes;
  /// Nodes of a subgraph may never run: what would fail in them is no defect of the model.
  bool is_subgraph = false;
};

/// A named rewrite of graphs. `run` says whether it changed anything; it takes time linear in the graph, leaves a
/// graph that `verify` accepts, and throws Error(invalid_model) where it meets what breaks the standard. It does
/// not go into subgraphs: it is called for each.
struct Pass {
  std::string_view name;     ///< "fold_constants"
  std::string_view summary;  ///< "computes what depends on constants alone"
  bool (*run)(PassContext& context) = nullptr;
};

}  // namespace overt

#endif  // OVERT_PASSES_PASS_H_
