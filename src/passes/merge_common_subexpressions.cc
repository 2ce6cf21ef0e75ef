#include <algorithm>
#include <cstring>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "ops/op.h"
#include "passes/passes.h"
#include "passes/rewriter.h"
#include "passes/subgraphs.h"

namespace overt {
namespace {

/// Larger constants are equal only where they are the same memory.
constexpr size_t kMostComparedBytes = 4096;
/// Candidates with one hash that are compared before giving up, so that equal hashes cannot cost quadratic time.
constexpr size_t kMostCompared = 16;

void mix(size_t& hash, size_t value) {
  hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
}

std::string_view bytes_of(const Tensor& tensor) {
  return {static_cast<const char*>(tensor.data()), tensor.bytes()};
}

bool comparable_by_bytes(const Tensor& tensor) {
  return tensor.type() != DataType::string && tensor.bytes() <= kMostComparedBytes;
}

bool equal(const Tensor& a, const Tensor& b) {
  if (a.type() != b.type() || !(a.shape() == b.shape())) return false;
  if (a.data() == b.data()) return true;
  return comparable_by_bytes(a) && bytes_of(a) == bytes_of(b);
}

size_t hash_of(const Tensor& tensor) {
  size_t hash = static_cast<size_t>(tensor.type());
  for (const int64_t dim : tensor.shape()) mix(hash, static_cast<size_t>(dim));
  mix(hash, comparable_by_bytes(tensor) ? std::hash<std::string_view>()(bytes_of(tensor))
                                        : std::hash<const void*>()(tensor.data()));
  return hash;
}

bool equal_floats(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;  // bits: NaN equals itself
}

/// Deep equality; attributes with subgraphs are never equal.
bool equal(const Attribute& a, const Attribute& b) {
  if (a.name != b.name || a.type != b.type || a.payload.index() != b.payload.index()) return false;
  return std::visit(
      [&](const auto& held) {
        using T = std::decay_t<decltype(held)>;
        const T& other = std::get<T>(b.payload);
        if constexpr (std::is_same_v<T, float>) {
          return equal_floats({&held, 1}, {&other, 1});
        } else if constexpr (std::is_same_v<T, std::vector<float>>) {
          return equal_floats(held, other);
        } else if constexpr (std::is_same_v<T, Tensor>) {
          return equal(held, other);
        } else if constexpr (std::is_same_v<T, std::vector<Tensor>>) {
          return std::ranges::equal(held, other, [](const Tensor& x, const Tensor& y) { return equal(x, y); });
        } else if constexpr (std::is_same_v<T, TypeAttribute>) {
          return held.kind == other.kind && held.element == other.element;
        } else if constexpr (std::is_same_v<T, std::unique_ptr<Graph>> ||
                             std::is_same_v<T, std::vector<std::unique_ptr<Graph>>>) {
          return false;
        } else {
          return held == other;
        }
      },
      a.payload);
}

bool equal(const Node& a, const Node& b) {
  if (!(a.op == b.op) || a.inputs != b.inputs || a.outputs.size() != b.outputs.size()) return false;
  for (size_t i = 0; i < a.outputs.size(); ++i) {
    if (a.has_output(i) != b.has_output(i)) return false;
  }
  if (a.attributes.size() != b.attributes.size() || a.epilogue != b.epilogue) return false;
  return std::ranges::all_of(a.attributes, [&](const Attribute& attribute) {
    const Attribute* other = b.find_attribute(attribute.name);
    return other != nullptr && equal(attribute, *other);
  });
}

size_t hash_of(const Node& node) {
  size_t hash = std::hash<std::string>()(node.op.type);
  mix(hash, std::hash<std::string>()(node.op.domain));
  for (const ValueId input : node.inputs) mix(hash, static_cast<size_t>(input));
  for (const Attribute& attribute : node.attributes) {  // not the order: added, not mixed
    size_t one = std::hash<std::string>()(attribute.name);
    if (const auto* integer = std::get_if<int64_t>(&attribute.payload)) mix(one, std::hash<int64_t>()(*integer));
    if (const auto* integers = std::get_if<std::vector<int64_t>>(&attribute.payload)) {
      for (const int64_t value : *integers) mix(one, std::hash<int64_t>()(value));
    }
    if (const auto* tensor = std::get_if<Tensor>(&attribute.payload)) mix(one, hash_of(*tensor));
    hash += one;
  }
  return hash;
}

class Merger {
 public:
  explicit Merger(PassContext& context) : context_(context), rewriter_(context.graph) {}

  bool run() {
    merge_constants();
    std::unordered_map<size_t, std::vector<NodeId>> seen;
    for (const NodeId id : rewriter_.order()) {
      const Node& node = rewriter_.graph().node(id);
      if (!may_merge(node)) continue;
      std::vector<NodeId>& candidates = seen[hash_of(node)];
      const auto twin = std::ranges::find_if(candidates, [&](NodeId other) {
        return equal(rewriter_.graph().node(other), node) && can_stand_for(other, id);
      });
      if (twin != candidates.end()) {
        merge(*twin, node);
      } else if (candidates.size() < kMostCompared) {
        candidates.push_back(id);
      }
    }
    return rewriter_.finish();
  }

 private:
  /// Equal constants become one value, so that their readers compare equal.
  void merge_constants() {
    std::unordered_map<size_t, std::vector<ValueId>> seen;
    const size_t count = rewriter_.graph().value_count();
    for (size_t i = 0; i < count; ++i) {
      const auto id = static_cast<ValueId>(i);
      const Value& value = rewriter_.graph().value(id);
      if (!value.is_constant() || value.consumers.empty() || value.output_uses > 0) continue;
      std::vector<ValueId>& candidates = seen[hash_of(value.constant)];
      const auto twin = std::ranges::find_if(
          candidates, [&](ValueId other) { return equal(rewriter_.graph().value(other).constant, value.constant); });
      if (twin != candidates.end()) {
        rewriter_.edit().replace_uses(id, *twin);
      } else if (candidates.size() < kMostCompared) {
        candidates.push_back(id);
      }
    }
  }

  static bool may_merge(const Node& node) {
    if (node.parts || has_subgraphs(node)) return false;
    const OpEntry* op = find_op(node);
    return op != nullptr && op->purity == Purity::pure;
  }

  /// Two graph outputs stay two values.
  bool can_stand_for(NodeId kept, NodeId merged) const {
    const Graph& graph = rewriter_.graph();
    for (size_t i = 0; i < graph.node(merged).outputs.size(); ++i) {
      if (!graph.node(merged).has_output(i)) continue;
      if (graph.is_output(graph.node(merged).outputs[i]) && graph.is_output(graph.node(kept).outputs[i]))
        return false;
    }
    return true;
  }

  void merge(NodeId kept, const Node& node) {
    context_.notes.add("{} is the same as {}", display_name(node), display_name(rewriter_.graph().node(kept)));
    merge_sources(rewriter_.edit().edit_node(kept).sources, node.sources);
    const std::vector<ValueId> outputs = node.outputs;
    rewriter_.remove_merged(node.id);
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i] == ValueId::none) continue;
      rewriter_.edit().replace_uses(outputs[i], rewriter_.graph().node(kept).outputs[i]);
    }
  }

  PassContext& context_;
  Rewriter rewriter_;
};

}  // namespace

bool merge_common_subexpressions(PassContext& context) {
  return Merger(context).run();
}

}  // namespace overt
