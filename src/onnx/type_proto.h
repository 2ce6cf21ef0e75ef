#ifndef OVERT_ONNX_TYPE_PROTO_H_
#define OVERT_ONNX_TYPE_PROTO_H_

#include <string_view>

#include "graph/attribute.h"
#include "graph/value.h"
#include "onnx/proto.h"

namespace overt {

/// Where a value's name is unique: in a subgraph, unknown lengths need more than the name to differ.
enum class NameReach : uint8_t { main_graph, subgraph };

/// What a ValueInfoProto says of its value. A length that is neither a number nor named becomes the symbol
/// "?value.axis" ("?value@offset.axis" in a subgraph); so does -1, which some exporters write. Without a type,
/// everything is unknown. Throws Error(invalid_model) for unknown type codes and other negative lengths;
/// Error(unsupported) for sparse and opaque values and more than `max_rank` dims.
ValueInfo read_value_info(const ProtoValueInfo& proto, FileOrigin origin, int32_t max_rank, NameReach reach);

/// A TypeProto that is an attribute. Throws as above; `what` is for messages.
TypeAttribute read_type_attribute(std::string_view type_proto, FileOrigin origin, std::string_view what);

}  // namespace overt

#endif  // OVERT_ONNX_TYPE_PROTO_H_
