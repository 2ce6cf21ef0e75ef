#ifndef OVERT_ONNX_FUNCTIONS_H_
#define OVERT_ONNX_FUNCTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "onnx/load.h"
#include "onnx/name_map.h"
#include "onnx/proto.h"

namespace overt {

/// "ai.onnx" and "" are one domain.
inline std::string_view canonical_domain(std::string_view domain) {
  return domain == "ai.onnx" ? std::string_view() : domain;
}

/// Versions by domain, as a model or function imports them.
class OpsetTable {
 public:
  /// Throws Error(invalid_model) where a domain is imported twice with different versions, or with one below 1
  /// or beyond 2^31 - 1; `what` is for messages ("the model").
  OpsetTable(std::span<const ProtoOpset> opsets, uint64_t hash_key, std::string_view what);
  /// Nothing where the domain is not imported.
  std::optional<int32_t> find(std::string_view domain) const;

 private:
  NameMap<int32_t> versions_;
};

/// A model-local function with what its expansion needs.
struct Function {
  const ProtoFunction* proto = nullptr;
  OpsetTable opsets;
};

/// The functions of a model: which node calls which, that no function reaches itself, and how large everything
/// becomes when expanded. All of it is worked out before anything is built.
class FunctionTable {
 public:
  /// `model` must outlive the table. Throws Error(invalid_model) for functions of the same domain, name and
  /// overload, for a function that calls itself (the message prints the cycle), and Error(unsupported) where the
  /// expansion is over a limit.
  FunctionTable(const ProtoModel& model, FileOrigin origin, uint64_t hash_key, const LoadLimits& limits);

  /// The function that the node calls, or null where the node is an operator. Throws Error(invalid_model) where
  /// the node names an overload that no function has.
  const Function* find(const ProtoNode& node) const;

 private:
  /// What a list of nodes becomes, functions expanded. Sums stop at the largest number.
  struct Cost {
    int64_t nodes = 0;
    int64_t bytes = 0;  ///< of names and attributes, tensors left out (they are shared)
    int32_t subgraph_depth = 0;
    int32_t function_depth = 0;
    void add(const Cost& other);
  };

  void index(const ProtoModel& model, uint64_t hash_key);
  std::optional<size_t> find_index(const ProtoNode& node) const;
  void collect_calls(const ProtoNodes& body, std::vector<size_t>& calls) const;
  Cost cost_of(const ProtoNodes& body) const;
  void order_functions();
  [[noreturn]] void fail_cycle(std::span<const size_t> path, size_t back_to) const;
  void check_limits(const ProtoModel& model, const LoadLimits& limits) const;

  FileOrigin origin_;
  std::vector<Function> functions_;
  std::unordered_map<std::string, size_t, NameHash> by_key_;  ///< see `key_of`
  std::vector<Cost> costs_;                                   ///< of each function's body
};

}  // namespace overt

#endif  // OVERT_ONNX_FUNCTIONS_H_
