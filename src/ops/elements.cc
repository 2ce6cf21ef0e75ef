#include "ops/elements.h"

#include <algorithm>
#include <limits>

namespace overt {

std::optional<std::vector<int64_t>> known_numbers(const InferContext& context, size_t i) {
  const std::optional<Dims> elements = context.integers(i);
  if (!elements) return std::nullopt;
  std::vector<int64_t> numbers;
  numbers.reserve(elements->size());
  for (const Dim& element : *elements) {
    if (!element.is_number()) return std::nullopt;
    numbers.push_back(element.number());
  }
  return numbers;
}

std::optional<Dims> elements_of_type(DataType type, std::optional<Dims> elements) {
  if (!elements || static_cast<int64_t>(elements->size()) > kMaxKnownElements) return std::nullopt;
  if (type != DataType::int64 && type != DataType::int32 && type != DataType::boolean) return std::nullopt;
  const auto fits = [](const Dim& element) {
    return !element.is_number() || (element.number() >= std::numeric_limits<int32_t>::min() &&
                                    element.number() <= std::numeric_limits<int32_t>::max());
  };
  if (type == DataType::int32 && !std::ranges::all_of(*elements, fits)) return std::nullopt;
  return elements;
}

bool is_certainly_non_negative(const Dim& x) {
  return less(x, Dim(0)) == std::optional(false);
}

bool is_certainly_positive(const Dim& x) {
  return less(Dim(0), x) == std::optional(true);
}

std::optional<Dim> as_dim(std::optional<bool> truth) {
  return truth ? std::optional(Dim(*truth ? 1 : 0)) : std::nullopt;
}

std::optional<bool> equal(const Dim& a, const Dim& b) {
  if (a == b) return true;
  if (less(a, b) == std::optional(true) || less(b, a) == std::optional(true)) return false;
  return std::nullopt;
}

}  // namespace overt
