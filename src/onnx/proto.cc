#include "onnx/proto.h"

#include <bit>
#include <limits>

#include "base/error.h"
#include "base/escape.h"

namespace overt {
namespace {

/// Fields of AttributeProto that hold a value: f, i, s, t, g, the lists, tp, type_protos, sparse tensors.
constexpr uint32_t kSingleValues = 1u << 2 | 1u << 3 | 1u << 4 | 1u << 5 | 1u << 6 | 1u << 14 | 1u << 22;
constexpr uint32_t kListValues = 1u << 7 | 1u << 8 | 1u << 9 | 1u << 10 | 1u << 11 | 1u << 15 | 1u << 23;
constexpr uint32_t kGraphField = 6;
constexpr uint32_t kGraphsField = 11;

/// Reads the messages that nest: graphs, nodes, attributes. Recursion is as deep as subgraphs are, and bounded.
class NestedReader {
 public:
  NestedReader(FileOrigin origin, int32_t max_depth) : origin_(origin), max_depth_(max_depth) {}

  ProtoGraph graph(std::string_view bytes, int32_t depth) const;
  ProtoFunction function(std::string_view bytes) const;

 private:
  void node(std::string_view bytes, int32_t depth, ProtoNodes& into) const;
  ProtoAttribute attribute(std::string_view bytes, int32_t depth, std::vector<ProtoGraph>& subgraphs) const;
  ProtoValueInfo value_info(std::string_view bytes) const;

  FileOrigin origin_;
  int32_t max_depth_;
};

uint32_t index32(size_t size) {
  if (size > std::numeric_limits<int32_t>::max()) {
    fail(ErrorCode::unsupported, "the model has more than 2^31 - 1 names or nodes");
  }
  return static_cast<uint32_t>(size);
}

ProtoOpset read_opset(std::string_view bytes, FileOrigin origin) {
  ProtoOpset opset;
  WireReader reader(bytes, origin, "OperatorSetIdProto");
  while (reader.next()) {
    if (reader.field() == 1) opset.domain = reader.bytes();
    if (reader.field() == 2) opset.version = reader.integer();
  }
  return opset;
}

ProtoValueInfo NestedReader::value_info(std::string_view bytes) const {
  ProtoValueInfo info{bytes, {}, std::nullopt};
  WireReader reader(bytes, origin_, "ValueInfoProto");
  while (reader.next()) {
    if (reader.field() == 1) info.name = reader.bytes();
    if (reader.field() == 2) info.type = reader.bytes();
  }
  return info;
}

ProtoAttribute NestedReader::attribute(std::string_view bytes, int32_t depth,
                                       std::vector<ProtoGraph>& subgraphs) const {
  ProtoAttribute attribute;
  attribute.bytes = bytes;
  attribute.first_graph = index32(subgraphs.size());
  uint32_t fields = 0;
  WireReader reader(bytes, origin_, "AttributeProto");
  while (reader.next()) {
    const uint32_t field = reader.field();
    if (field == 1) attribute.name = reader.bytes();
    if (field == 20) attribute.type = reader.integer();
    if (field == 21) attribute.reference = reader.bytes();
    const uint32_t bit = field < 32 ? 1u << field : 0;
    if ((bit & (kSingleValues | kListValues)) == 0) continue;
    if ((fields & ~bit) != 0) {
      reader.fail_here(fmt::format("attribute '{}' has values in fields {} and {}, expected one kind of value",
                                   escape_name(attribute.name), std::countr_zero(fields), field));
    }
    if ((fields & bit & kSingleValues) != 0) {
      reader.fail_here(fmt::format("attribute '{}' has its value twice", escape_name(attribute.name)));
    }
    fields |= bit;
    if (field == kGraphField || field == kGraphsField) {
      subgraphs.push_back(graph(reader.bytes(), depth + 1));
      ++attribute.graph_count;
    }
  }
  if (attribute.name.empty()) {
    fail(ErrorCode::invalid_model, "the attribute at byte {} has no name", origin_.offset_of(bytes));
  }
  attribute.kind_field = fields == 0 ? 0 : static_cast<uint32_t>(std::countr_zero(fields));
  return attribute;
}

void NestedReader::node(std::string_view bytes, int32_t depth, ProtoNodes& into) const {
  ProtoNode node;
  node.bytes = bytes;
  node.first_attribute = index32(into.attributes.size());
  node.first_input = index32(into.names.size());
  std::vector<std::string_view> outputs;
  WireReader reader(bytes, origin_, "NodeProto");
  while (reader.next()) {
    switch (reader.field()) {
      case 1: into.names.push_back(reader.bytes()); break;
      case 2: outputs.push_back(reader.bytes()); break;
      case 3: node.name = reader.bytes(); break;
      case 4: node.op_type = reader.bytes(); break;
      case 5: into.attributes.push_back(attribute(reader.bytes(), depth, into.subgraphs)); break;
      case 7: node.domain = reader.bytes(); break;
      case 8: node.overload = reader.bytes(); break;
      default: break;
    }
  }
  if (node.op_type.empty()) {
    fail_at(ErrorCode::invalid_model, node.name, "node '{}' at byte {} has no op_type", escape_name(node.name),
            origin_.offset_of(bytes));
  }
  node.first_output = index32(into.names.size());
  node.input_count = node.first_output - node.first_input;
  node.output_count = index32(outputs.size());
  into.names.insert(into.names.end(), outputs.begin(), outputs.end());
  node.attribute_count = index32(into.attributes.size()) - node.first_attribute;
  into.nodes.push_back(node);
}

ProtoGraph NestedReader::graph(std::string_view bytes, int32_t depth) const {
  if (depth > max_depth_) {
    fail(ErrorCode::unsupported, "subgraphs are nested more than {} deep, at byte {}", max_depth_,
         origin_.offset_of(bytes));
  }
  ProtoGraph graph;
  graph.bytes = bytes;
  WireReader reader(bytes, origin_, "GraphProto");
  while (reader.next()) {
    switch (reader.field()) {
      case 1: node(reader.bytes(), depth, graph.body); break;
      case 2: graph.name = reader.bytes(); break;
      case 5: graph.initializers.push_back(reader.bytes()); break;
      case 11: graph.inputs.push_back(value_info(reader.bytes())); break;
      case 12: graph.outputs.push_back(value_info(reader.bytes())); break;
      case 13: graph.value_infos.push_back(value_info(reader.bytes())); break;
      case 15: graph.sparse_initializers.push_back(reader.bytes()); break;
      default: break;
    }
  }
  return graph;
}

ProtoFunction NestedReader::function(std::string_view bytes) const {
  ProtoFunction function;
  function.bytes = bytes;
  std::vector<ProtoGraph> default_graphs;
  WireReader reader(bytes, origin_, "FunctionProto");
  while (reader.next()) {
    switch (reader.field()) {
      case 1: function.name = reader.bytes(); break;
      case 4: function.inputs.push_back(reader.bytes()); break;
      case 5: function.outputs.push_back(reader.bytes()); break;
      case 6: function.attributes.push_back(reader.bytes()); break;
      case 7: node(reader.bytes(), 0, function.body); break;
      case 9: function.opsets.push_back(read_opset(reader.bytes(), origin_)); break;
      case 10: function.domain = reader.bytes(); break;
      case 11: function.defaults.push_back(attribute(reader.bytes(), 0, default_graphs)); break;
      case 13: function.overload = reader.bytes(); break;
      default: break;
    }
  }
  if (!default_graphs.empty()) {
    fail_at(ErrorCode::unsupported, function.name, "function '{}' has a graph as an attribute's default",
            escape_name(function.name));
  }
  if (function.name.empty()) {
    fail(ErrorCode::invalid_model, "the function at byte {} has no name", origin_.offset_of(bytes));
  }
  return function;
}

}  // namespace

ProtoNodes::ProtoNodes() = default;
ProtoNodes::ProtoNodes(ProtoNodes&&) noexcept = default;
ProtoNodes& ProtoNodes::operator=(ProtoNodes&&) noexcept = default;
ProtoNodes::~ProtoNodes() = default;

std::span<const std::string_view> ProtoNodes::inputs(const ProtoNode& node) const {
  return std::span(names).subspan(node.first_input, node.input_count);
}

std::span<const std::string_view> ProtoNodes::outputs(const ProtoNode& node) const {
  return std::span(names).subspan(node.first_output, node.output_count);
}

std::span<const ProtoAttribute> ProtoNodes::attributes_of(const ProtoNode& node) const {
  return std::span(attributes).subspan(node.first_attribute, node.attribute_count);
}

std::span<const ProtoGraph> ProtoNodes::graphs_of(const ProtoAttribute& attribute) const {
  if (attribute.graph_count == 0) return {};
  return std::span(subgraphs).subspan(attribute.first_graph, attribute.graph_count);
}

ProtoModel read_model_proto(std::string_view bytes, FileOrigin origin, int32_t subgraph_depth) {
  const NestedReader nested(origin, subgraph_depth);
  ProtoModel model;
  WireReader reader(bytes, origin, "ModelProto");
  while (reader.next()) {
    switch (reader.field()) {
      case 1: model.ir_version = reader.integer(); break;
      case 2: model.producer_name = reader.bytes(); break;
      case 3: model.producer_version = reader.bytes(); break;
      case 4: model.domain = reader.bytes(); break;
      case 5: model.model_version = reader.integer(); break;
      case 6: model.description = reader.bytes(); break;
      case 7:
        if (model.graph) reader.fail_here("the model has a second graph");
        model.graph = nested.graph(reader.bytes(), 0);
        break;
      case 8: model.opsets.push_back(read_opset(reader.bytes(), origin)); break;
      case 14: model.metadata.push_back(read_string_entry(reader.bytes(), origin)); break;
      case 20: model.has_training_info = true; break;
      case 25: model.functions.push_back(nested.function(reader.bytes())); break;
      default: break;
    }
  }
  return model;
}

std::pair<std::string_view, std::string_view> read_string_entry(std::string_view bytes, FileOrigin origin) {
  std::pair<std::string_view, std::string_view> entry;
  WireReader reader(bytes, origin, "StringStringEntryProto");
  while (reader.next()) {
    if (reader.field() == 1) entry.first = reader.bytes();
    if (reader.field() == 2) entry.second = reader.bytes();
  }
  return entry;
}

std::string describe(const ProtoNode& node, FileOrigin origin) {
  if (!node.name.empty()) return fmt::format("{} '{}'", escape_name(node.op_type), escape_name(node.name));
  return fmt::format("{} at byte {}", escape_name(node.op_type), origin.offset_of(node.bytes));
}

}  // namespace overt
