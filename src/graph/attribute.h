#ifndef OVERT_GRAPH_ATTRIBUTE_H_
#define OVERT_GRAPH_ATTRIBUTE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "overt/tensor.h"

namespace overt {

class Graph;

/// Kinds of attribute, with the codes of ONNX's AttributeProto.AttributeType.
enum class AttributeType : uint8_t {
  undefined = 0,
  real = 1,
  integer = 2,
  string = 3,
  tensor = 4,
  graph = 5,
  reals = 6,
  integers = 7,
  strings = 8,
  tensors = 9,
  graphs = 10,
  sparse_tensor = 11,  ///< made dense by the reader: holds a Tensor
  sparse_tensors = 12,
  type_proto = 13,  ///< held as the element type's code and kind, see TypeAttribute
  type_protos = 14,
};

std::string_view attribute_type_name(AttributeType type);

/// The part of a TypeProto that operators look at.
struct TypeAttribute {
  uint8_t kind = 0;  ///< of ValueKind
  DataType element = DataType::undefined;
};

/// A named attribute of a node. Subgraphs are owned by it.
struct Attribute {
  using Payload = std::variant<std::monostate, float, int64_t, std::string, Tensor, std::unique_ptr<Graph>,
                               std::vector<float>, std::vector<int64_t>, std::vector<std::string>,
                               std::vector<Tensor>, std::vector<std::unique_ptr<Graph>>, TypeAttribute>;
  std::string name;
  AttributeType type = AttributeType::undefined;
  Payload payload;

  Attribute();
  Attribute(std::string name, AttributeType type, Payload payload);
  Attribute(Attribute&&) noexcept;
  Attribute& operator=(Attribute&&) noexcept;
  ~Attribute();
  Attribute clone() const;  ///< deep: subgraphs are cloned, tensors share their memory

  static Attribute of(std::string name, float value);
  static Attribute of(std::string name, int64_t value);
  static Attribute of(std::string name, std::string value);
  static Attribute of(std::string name, Tensor value);
  static Attribute of(std::string name, std::vector<float> value);
  static Attribute of(std::string name, std::vector<int64_t> value);
  static Attribute of(std::string name, std::vector<std::string> value);
  static Attribute of(std::string name, std::unique_ptr<Graph> value);
};

}  // namespace overt

#endif  // OVERT_GRAPH_ATTRIBUTE_H_
