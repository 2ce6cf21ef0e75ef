#ifndef OVERT_OPS_SCHEMA_H_
#define OVERT_OPS_SCHEMA_H_

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <variant>

#include "graph/attribute.h"
#include "overt/tensor.h"

/// The operators of the standard as its package describes them: a constant table, safe to read from any thread.
namespace overt {

/// Which types an input or output may have. Bit n of a mask stands for the element type with code n of ONNX's
/// TensorProto.DataType (27 and 28, the 6-bit floats, are among them).
struct TypeSet {
  uint64_t tensors = 0;
  uint64_t sequences = 0;  ///< of tensors
  uint64_t optional_tensors = 0;
  uint64_t optional_sequences = 0;  ///< of tensors
  uint8_t maps = 0;                 ///< bit `map_bit(key, value)`
  uint8_t map_sequences = 0;        ///< the same for sequences of maps

  static constexpr uint64_t bit(DataType type) { return uint64_t{1} << static_cast<unsigned>(type); }
  constexpr bool has_tensor(DataType type) const { return (tensors & bit(type)) != 0; }
  constexpr bool has_sequence(DataType type) const { return (sequences & bit(type)) != 0; }
  constexpr bool has_optional_tensor(DataType type) const { return (optional_tensors & bit(type)) != 0; }
  constexpr bool has_optional_sequence(DataType type) const { return (optional_sequences & bit(type)) != 0; }

  /// Keys are int64 or string, values string, int64, float32 or float64; 0 for any other pair.
  static constexpr uint8_t map_bit(DataType key, DataType value) {
    constexpr DataType kValues[] = {DataType::string, DataType::int64, DataType::float32, DataType::float64};
    if (key != DataType::int64 && key != DataType::string) return 0;
    for (int slot = 0; slot < 4; ++slot) {
      if (kValues[slot] == value) return static_cast<uint8_t>(1 << (slot + (key == DataType::string ? 4 : 0)));
    }
    return 0;
  }
};

enum class ParameterOption : uint8_t {
  single,    ///< has to be there
  optional,  ///< may be left out
  variadic,  ///< the last one: `min_count` or more
};

/// An input or output of an operator.
struct ParameterSchema {
  std::string_view name;
  std::string_view type;  ///< the type's letter ("T": equal letters, equal types) or the one type, "tensor(int64)"
  const TypeSet* types;   ///< never null
  ParameterOption option;
  bool homogeneous;   ///< of a variadic one: all have the same type
  uint8_t min_count;  ///< of a variadic one
};

using AttributeDefault = std::variant<std::monostate, float, int64_t, std::string_view, std::span<const float>,
                                      std::span<const int64_t>, std::span<const std::string_view>>;

struct AttributeSchema {
  std::string_view name;
  AttributeType type;
  bool required;
  AttributeDefault default_value;  ///< monostate where the standard gives none
};

/// One version of one operator.
struct OpSchema {
  static constexpr int32_t kUnlimited = std::numeric_limits<int32_t>::max();

  std::string_view domain;  ///< "" is ai.onnx
  std::string_view name;
  int32_t since_version;
  bool deprecated;
  int32_t min_inputs, max_inputs;    ///< `kUnlimited` with a variadic input
  int32_t min_outputs, max_outputs;  ///< likewise
  std::span<const ParameterSchema> inputs, outputs;
  std::span<const AttributeSchema> attributes;  ///< by name

  /// Null where the operator has no such attribute.
  const AttributeSchema* find_attribute(std::string_view attribute) const;
};

/// The version of an operator that a model sees which imports `opset_version` of `domain`: the newest one that is
/// not newer. Null where there is none; a deprecated one is returned as it is. "ai.onnx" means "".
const OpSchema* find_schema(std::string_view domain, std::string_view name, int opset_version);

/// All versions of all operators, by domain, name and version.
std::span<const OpSchema> all_schemas();

/// The newest opset of a domain that the table knows; 0 for a domain that it does not know.
int latest_opset(std::string_view domain);

}  // namespace overt

#endif  // OVERT_OPS_SCHEMA_H_
