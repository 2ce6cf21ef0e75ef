#ifndef OVERT_ONNX_PROTO_H_
#define OVERT_ONNX_PROTO_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "onnx/wire.h"

/// The messages of onnx.proto as views into the file: what lies where, nothing copied, nothing judged that needs
/// more than the message itself. Tensors, types and attribute values stay undecoded. Names are any bytes.
namespace overt {

/// An AttributeProto. `kind_field` is the number of the field that holds its value.
struct ProtoAttribute {
  std::string_view bytes;
  std::string_view name;
  std::string_view reference;  ///< ref_attr_name; empty where the attribute has a value of its own
  int64_t type = 0;            ///< AttributeProto.AttributeType as in the file, 0 where it says nothing
  uint32_t kind_field = 0;     ///< 0 where there is none (an empty list)
  uint32_t first_graph = 0;    ///< in ProtoNodes::subgraphs
  uint32_t graph_count = 0;
};

/// A NodeProto. Its lists are ranges of the lists in ProtoNodes.
struct ProtoNode {
  std::string_view bytes;
  std::string_view name, op_type, domain, overload;
  uint32_t first_input = 0, input_count = 0;    ///< in ProtoNodes::names
  uint32_t first_output = 0, output_count = 0;  ///< in ProtoNodes::names
  uint32_t first_attribute = 0, attribute_count = 0;
};

struct ProtoGraph;

/// The nodes of a graph or function.
struct ProtoNodes {
  std::vector<ProtoNode> nodes;
  std::vector<std::string_view> names;
  std::vector<ProtoAttribute> attributes;
  std::vector<ProtoGraph> subgraphs;

  ProtoNodes();
  ProtoNodes(ProtoNodes&&) noexcept;
  ProtoNodes& operator=(ProtoNodes&&) noexcept;
  ~ProtoNodes();
  std::span<const std::string_view> inputs(const ProtoNode& node) const;
  std::span<const std::string_view> outputs(const ProtoNode& node) const;
  std::span<const ProtoAttribute> attributes_of(const ProtoNode& node) const;
  std::span<const ProtoGraph> graphs_of(const ProtoAttribute& attribute) const;
};

/// A ValueInfoProto; `type` is a TypeProto, or nothing.
struct ProtoValueInfo {
  std::string_view bytes;
  std::string_view name;
  std::optional<std::string_view> type;
};

struct ProtoGraph {
  std::string_view bytes;
  std::string_view name;
  ProtoNodes body;
  std::vector<std::string_view> initializers;         ///< TensorProto
  std::vector<std::string_view> sparse_initializers;  ///< SparseTensorProto
  std::vector<ProtoValueInfo> inputs, outputs, value_infos;
};

struct ProtoOpset {
  std::string_view domain;
  int64_t version = 0;
};

struct ProtoFunction {
  std::string_view bytes;
  std::string_view name, domain, overload;
  std::vector<std::string_view> inputs, outputs;
  std::vector<std::string_view> attributes;  ///< without a default
  std::vector<ProtoAttribute> defaults;      ///< with one
  std::vector<ProtoOpset> opsets;
  ProtoNodes body;
};

struct ProtoModel {
  int64_t ir_version = 0;
  int64_t model_version = 0;
  std::string_view producer_name, producer_version, domain, description;
  std::optional<ProtoGraph> graph;
  std::vector<ProtoOpset> opsets;
  std::vector<ProtoFunction> functions;
  std::vector<std::pair<std::string_view, std::string_view>> metadata;
  bool has_training_info = false;
};

/// Reads a ModelProto down to its nodes, subgraphs and functions included, in time linear in its bytes. Throws
/// Error(invalid_model) where the bytes are no such message, a node has no op_type, an attribute has no name or
/// several values; Error(unsupported) where subgraphs are nested more than `subgraph_depth` deep.
ProtoModel read_model_proto(std::string_view bytes, FileOrigin origin, int32_t subgraph_depth);

/// Reads a StringStringEntryProto.
std::pair<std::string_view, std::string_view> read_string_entry(std::string_view bytes, FileOrigin origin);

/// "Conv 'stem'" or "Conv at byte 120", escaped.
std::string describe(const ProtoNode& node, FileOrigin origin);

}  // namespace overt

#endif  // OVERT_ONNX_PROTO_H_
