#ifndef OVERT_OPS_CHECKS_H_
#define OVERT_OPS_CHECKS_H_

#include <fmt/core.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "graph/node.h"
#include "ops/infer_context.h"

namespace overt {

/// Throws Error(invalid_model) that names the node: "Conv 'stem': stride 0 ...". For checks that shape inference,
/// reference kernels and providers share; inside one of them its context's `reject` does the same.
template <typename... Args>
[[noreturn]] void reject_node(const Node& node, fmt::format_string<Args...> format, Args&&... args) {
  fail_at(ErrorCode::invalid_model, node.name, "{}: {}", display_name(node),
          fmt::format(format, std::forward<Args>(args)...));
}

/// `axis` in [-rank, rank) made non-negative; rejects the node otherwise.
int64_t normalise_axis(const Node& node, int64_t axis, int64_t rank);

/// True where both are numbers and not the same number.
inline bool differ(const Dim& a, const Dim& b) {
  return a.is_number() && b.is_number() && a.number() != b.number();
}

/// Numbers as dims, so that one rule serves symbolic and concrete shapes.
Dims to_dims(std::span<const int64_t> numbers);
/// Dims as numbers; rejects the node where one is not a number, which then comes from overflow.
Shape to_shape(const Node& node, std::span<const Dim> dims);

/// Output `output` has the type and shape of input `input`; its contents are not known.
void set_output_like(InferContext& context, size_t output, size_t input);

}  // namespace overt

#endif  // OVERT_OPS_CHECKS_H_
