#ifndef OVERT_OPS_CONTENTS_H_
#define OVERT_OPS_CONTENTS_H_

#include <optional>
#include <vector>

#include "ops/infer_context.h"

namespace overt {

/// Known contents of an integer tensor whose shape is known in numbers, row-major.
struct KnownContents {
  Dims elements;
  Shape shape;
};

/// Contents of input i, when both they and the shape are known.
std::optional<KnownContents> known_contents(const InferContext& context, size_t i);

/// How many elements a result has, when its contents may be kept: an integer or bool tensor of known shape with
/// at most kMaxKnownElements.
std::optional<size_t> keepable_elements(const ValueInfo& info);

/// Length of the one-dimensional input i, when known. Rejects another rank.
std::optional<int64_t> known_list_length(const InferContext& context, size_t i, std::string_view name);

/// The attribute where the node carries it, else the contents of input i where it has that; nothing when neither
/// is there. `known` is false where the input is there and its contents are not known.
struct IntegerList {
  std::optional<std::vector<int64_t>> values;
  bool known = true;
};
IntegerList integer_list(const InferContext& context, const std::optional<std::vector<int64_t>>& attribute, size_t i);

}  // namespace overt

#endif  // OVERT_OPS_CONTENTS_H_
