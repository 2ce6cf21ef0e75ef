#include "ops/contents.h"

#include <algorithm>

#include "ops/elements.h"

namespace overt {

std::optional<KnownContents> known_contents(const InferContext& context, size_t i) {
  if (!context.has_input(i)) return std::nullopt;
  const std::optional<Shape> shape = context.input(i).concrete_shape();
  if (!shape) return std::nullopt;
  std::optional<Dims> elements = context.integers(i);
  if (!elements || static_cast<int64_t>(elements->size()) != shape->elements()) return std::nullopt;
  return KnownContents{*std::move(elements), *shape};
}

std::optional<size_t> keepable_elements(const ValueInfo& info) {
  switch (info.type) {
    case DataType::boolean:
    case DataType::int8:
    case DataType::int16:
    case DataType::int32:
    case DataType::int64:
    case DataType::uint8:
    case DataType::uint16:
    case DataType::uint32:
    case DataType::uint64: break;
    default: return std::nullopt;
  }
  const std::optional<Shape> shape = info.concrete_shape();
  if (!shape) return std::nullopt;
  size_t count = 1;
  for (const int64_t dim : *shape) {
    if (dim == 0) return 0;
    if (dim < 0 || dim > kMaxKnownElements) count = kMaxKnownElements + 1;
    count = std::min<size_t>(count * static_cast<size_t>(std::min(dim, kMaxKnownElements)), kMaxKnownElements + 1);
  }
  return count <= kMaxKnownElements ? std::optional(count) : std::nullopt;
}

std::optional<int64_t> known_list_length(const InferContext& context, size_t i, std::string_view name) {
  const Dims* dims = context.shape(i);
  if (dims == nullptr) return std::nullopt;
  if (dims->size() != 1) context.reject("{} has rank {}, expected a list (rank 1)", name, dims->size());
  return dims->front().number_if_known();
}

IntegerList integer_list(const InferContext& context, const std::optional<std::vector<int64_t>>& attribute,
                         size_t i) {
  if (attribute) return {attribute, true};
  if (!context.has_input(i)) return {};
  std::optional<std::vector<int64_t>> values = known_numbers(context, i);
  return {values, values.has_value()};
}

}  // namespace overt
