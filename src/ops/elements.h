#ifndef OVERT_OPS_ELEMENTS_H_
#define OVERT_OPS_ELEMENTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "ops/infer_context.h"

namespace overt {

/// Contents of input i as numbers; nothing where one is unknown or symbolic, or the input is absent.
std::optional<std::vector<int64_t>> known_numbers(const InferContext& context, size_t i);

/// The elements, or nothing where the tensor's type does not hold one of the numbers (shape arithmetic is
/// tracked for int64, int32 and bool only) or there are more than kMaxKnownElements.
std::optional<Dims> elements_of_type(DataType type, std::optional<Dims> elements);

/// True where the value is certainly >= 0, or > 0, whatever the symbols are.
bool is_certainly_non_negative(const Dim& x);
bool is_certainly_positive(const Dim& x);

/// 0 or 1 as a known bool, or nothing.
std::optional<Dim> as_dim(std::optional<bool> truth);
/// Whether a == b, where that can be told.
std::optional<bool> equal(const Dim& a, const Dim& b);

}  // namespace overt

#endif  // OVERT_OPS_ELEMENTS_H_
