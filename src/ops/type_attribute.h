#ifndef OVERT_OPS_TYPE_ATTRIBUTE_H_
#define OVERT_OPS_TYPE_ATTRIBUTE_H_

#include <string_view>

#include "base/error.h"
#include "graph/node.h"

namespace overt {

/// The element type that an integer attribute names; `fallback` where the node does not carry it.
/// Throws Error(invalid_model) for a code that the standard does not know.
inline DataType type_attribute(const Node& node, std::string_view name, DataType fallback) {
  const int64_t code = node.integer(name, static_cast<int64_t>(fallback));
  const auto type = static_cast<DataType>(code >= 0 && code <= UINT8_MAX ? code : 0);
  if (type != fallback && data_type_bits(type) == 0) {
    fail_at(ErrorCode::invalid_model, node.name, "{}: {} is {}, which is no element type", display_name(node), name,
            code);
  }
  return type;
}

}  // namespace overt

#endif  // OVERT_OPS_TYPE_ATTRIBUTE_H_
