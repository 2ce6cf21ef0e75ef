#include "graph/value.h"

namespace overt {

std::optional<Shape> ValueInfo::concrete_shape() const {
  if (!shape) return std::nullopt;
  Shape numbers;
  for (const Dim& dim : *shape) {
    if (!dim.is_number()) return std::nullopt;
    numbers.push_back(dim.number());
  }
  return numbers;
}

std::string ValueInfo::to_string() const {
  std::string text(data_type_name(type));
  switch (kind) {
    case ValueKind::tensor: break;
    case ValueKind::sequence: text = "sequence of " + text; break;
    case ValueKind::optional: text = "optional " + text; break;
    case ValueKind::map: text = "map to " + text; break;
  }
  return text + (shape ? " " + overt::to_string(*shape) : " of unknown rank");
}

}  // namespace overt
