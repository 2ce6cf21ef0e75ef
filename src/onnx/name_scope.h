#ifndef OVERT_ONNX_NAME_SCOPE_H_
#define OVERT_ONNX_NAME_SCOPE_H_

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "onnx/name_map.h"

namespace overt {

/// The names that nodes see while a graph is built: those of the graph, or of one expanded function in it, and
/// through `parent` those of the enclosing graph. A function sees nothing but its own names.
///
/// A name found outside the graph becomes a value of the graph: a constant, where it is one, else an input and
/// a capture.
class NameScope {
 public:
  /// `outer` is the value in the parent's graph, `inner` the one that stands for it here.
  struct OuterValue {
    ValueId outer = ValueId::none;
    ValueId inner = ValueId::none;
  };

  NameScope(Graph& graph, NameScope* parent, uint64_t hash_key) : graph_(graph), parent_(parent), ids_(hash_key) {}

  Graph& graph() { return graph_; }

  enum class Definition : uint8_t {
    immediate,  ///< an input or constant: exists from the start
    by_node,    ///< exists once its node has been added to the graph
  };
  /// False where the scope itself has the name already.
  bool define(std::string_view name, ValueId id, Definition definition) {
    return ids_.try_emplace(name, Entry{id, definition}).second;
  }
  /// The value that this scope itself gives the name to (`none` for a function's input that the call leaves out),
  /// or nothing.
  std::optional<ValueId> find_own(std::string_view name) const;
  /// The value that the name stands for here, captured from outside where needed; nothing for an unknown name.
  std::optional<ValueId> resolve(std::string_view name);
  /// Whether an enclosing graph gives the name to a value that exists before the node which is being built.
  bool is_defined_outside(std::string_view name) const;
  const std::vector<OuterValue>& outer_values() const { return outer_values_; }
  /// All names seen from here, sorted, for "did you mean"; none where they are more than `most`.
  std::vector<std::string_view> names(size_t most) const;

 private:
  struct Entry {
    ValueId id = ValueId::none;
    Definition definition = Definition::immediate;
  };

  Graph& graph_;
  NameScope* parent_;  ///< null for a main graph and a function
  NameMap<Entry> ids_;
  std::vector<OuterValue> outer_values_;
};

}  // namespace overt

#endif  // OVERT_ONNX_NAME_SCOPE_H_
