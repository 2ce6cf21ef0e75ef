#include "ops/diagonal.h"

#include <algorithm>
#include <array>

#include "ops/families.h"
#include "ops/output_shapes.h"
#include "ops/type_attribute.h"
#include "ops/visit.h"

namespace overt {
namespace {

using NumbersAndBool = TypeList<float, double, Float16, BFloat16, int8_t, int16_t, int32_t, int64_t, uint8_t,
                                uint16_t, uint32_t, uint64_t, bool>;

void infer_trilu(InferContext& context) {
  const Dims* dims = context.shape(0);
  if (dims != nullptr && dims->size() < 2) context.reject("the input has rank {}, expected at least 2", dims->size());
  ValueInfo output;
  output.type = context.type(0);
  if (dims != nullptr) output.shape = *dims;
  context.set_output(0, std::move(output));
}

/// Columns of row `row` that are kept: [first, second).
std::pair<int64_t, int64_t> kept_columns(bool upper, int64_t row, int64_t columns, int64_t k) {
  // Diagonals beyond the matrix are clamped, so that row + k does not overflow.
  k = std::clamp<int64_t>(k, -row - 1, columns);
  if (upper) return {std::clamp<int64_t>(row + k, 0, columns), columns};
  return {0, std::clamp<int64_t>(row + k + 1, 0, columns)};
}

ReferenceKernel make_trilu(const Node& node) {
  return [attributes = parse_trilu(node)](KernelContext& context) {
    const Shape shape = output_shapes(context)[0];
    const TensorView& input = context.input(0);
    const int64_t k = context.has_input(1) ? single_integer(context, 1, "k") : 0;
    const MutableTensorView output = context.output(0, input.type, shape);
    if (shape.elements() == 0) return;
    const int64_t rows = shape[shape.rank() - 2];
    const int64_t columns = shape[shape.rank() - 1];
    const int64_t all_rows = shape.elements() / columns;
    visit_element_size(input.type, "Trilu", [&]<typename T>() {
      const T* source = static_cast<const T*>(input.data);
      T* target = static_cast<T*>(output.data);
      std::fill_n(target, shape.elements(), T{});
      for (int64_t i = 0; i < all_rows; ++i) {
        const auto [first, last] = kept_columns(attributes.upper, i % rows, columns, k);
        std::copy(source + i * columns + first, source + i * columns + std::max(first, last),
                  target + i * columns + first);
      }
    });
  };
}

void infer_eye_like(InferContext& context) {
  const EyeLikeAttributes attributes = parse_eye_like(context.node());
  const Dims* dims = context.shape(0);
  if (dims != nullptr && dims->size() != 2) context.reject("the input has rank {}, expected 2", dims->size());
  ValueInfo output;
  output.type = attributes.type == DataType::undefined ? context.type(0) : attributes.type;
  if (dims != nullptr) output.shape = *dims;
  context.set_output(0, std::move(output));
}

ReferenceKernel make_eye_like(const Node& node) {
  return [attributes = parse_eye_like(node)](KernelContext& context) {
    const Shape shape = output_shapes(context)[0];
    const DataType type = attributes.type == DataType::undefined ? context.input(0).type : attributes.type;
    const MutableTensorView output = context.output(0, type, shape);
    visit_types(NumbersAndBool{}, type, "EyeLike", [&]<typename T>() {
      const std::span<T> target = output.values<T>();
      std::ranges::fill(target, T{});
      const int64_t k = std::clamp<int64_t>(attributes.diagonal, -shape[0], shape[1]);
      for (int64_t row = std::max<int64_t>(0, -k); row < shape[0] && row + k < shape[1]; ++row) {
        target[static_cast<size_t>(row * shape[1] + row + k)] = T(1);
      }
    });
  };
}

constexpr std::array kOps = {
    OpEntry{"", "Trilu", &infer_trilu, &make_trilu},
    OpEntry{"", "EyeLike", &infer_eye_like, &make_eye_like},
};

}  // namespace

TriluAttributes parse_trilu(const Node& node) {
  return {node.integer("upper", 1) != 0};
}

EyeLikeAttributes parse_eye_like(const Node& node) {
  return {type_attribute(node, "dtype", DataType::undefined), node.integer("k", 0)};
}

std::span<const OpEntry> diagonal_ops() {
  return kOps;
}

}  // namespace overt
