#ifndef OVERT_GRAPH_VALUE_H_
#define OVERT_GRAPH_VALUE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/dim.h"
#include "overt/tensor.h"

namespace overt {

enum class ValueId : int32_t { none = -1 };  ///< `none` stands for an optional input that is left out
enum class NodeId : int32_t { none = -1 };

inline size_t index_of(ValueId id) {
  return static_cast<size_t>(id);
}
inline size_t index_of(NodeId id) {
  return static_cast<size_t>(id);
}

/// What a value is. Only tensors live on devices; the others live on the host.
enum class ValueKind : uint8_t { tensor, sequence, optional, map };

/// What is known of a value before anything runs.
struct ValueInfo {
  DataType type = DataType::undefined;  ///< of the tensor, or of the tensors in the sequence or optional
  std::optional<Dims> shape;            ///< nothing: not even the rank is known
  /// Contents of a small integer or bool tensor (at most kMaxKnownElements), row-major; bools as 0 and 1.
  std::optional<Dims> elements;
  ValueKind kind = ValueKind::tensor;

  static ValueInfo tensor(DataType type, Dims shape) {
    return {type, std::move(shape), std::nullopt, ValueKind::tensor};
  }
  /// Rank, when known.
  std::optional<int64_t> rank() const {
    return shape ? std::optional(static_cast<int64_t>(shape->size())) : std::nullopt;
  }
  /// The shape as numbers, when every dim is one.
  std::optional<Shape> concrete_shape() const;
  /// "float32 [N, 3, 224, 224]".
  std::string to_string() const;
};

inline constexpr int64_t kMaxKnownElements = 1024;

/// A value of a graph: an input, a constant, or an output of one node.
struct Value {
  std::string name;  ///< as in the file, any bytes; escape it in messages
  ValueInfo info;
  Tensor constant;                 ///< empty unless the contents are known for good
  NodeId producer = NodeId::none;  ///< none: a graph input, a constant, or nothing yet
  int32_t producer_output = 0;     ///< which output of the producer
  std::vector<NodeId> consumers;   ///< one entry per use as a node input, in no order; kept by Graph
  int32_t output_uses = 0;         ///< how many of the graph's outputs it is; kept by Graph

  bool is_constant() const { return !constant.empty(); }
};

}  // namespace overt

#endif  // OVERT_GRAPH_VALUE_H_
