#ifndef OVERT_OPS_PRODUCT_TYPES_H_
#define OVERT_OPS_PRODUCT_TYPES_H_

#include <string_view>
#include <type_traits>

#include "ops/compute_values.h"
#include "ops/matrix_product.h"

namespace overt {

/// Inputs and outputs of matrix products in the types of `add_matrix_product`: floating-point tensors as
/// ComputeInput and ComputeOutput have them, integer tensors through their own memory as unsigned numbers.
template <typename C>
class IntegerInput {
 public:
  /// Throws Error(invalid_model) where the tensor is no integer tensor of C's width.
  explicit IntegerInput(const TensorView& view) : data_(static_cast<const C*>(view.data)) {
    const bool fits = data_type_bits(view.type) == 8 * int{sizeof(C)} && !is_floating_point(view.type);
    if (view.present() && !fits) {
      fail(ErrorCode::invalid_model, "a factor has type {}, expected an integer of {} bits like the first factor",
           data_type_name(view.type), 8 * sizeof(C));
    }
  }
  const C* data() const { return data_; }

 private:
  const C* data_;
};

template <typename C>
class IntegerOutput {
 public:
  explicit IntegerOutput(const MutableTensorView& view)
      : values_(static_cast<C*>(view.data), static_cast<size_t>(view.elements())) {}
  std::span<C> values() const { return values_; }
  C* data() const { return values_.data(); }
  void store() const {}

 private:
  std::span<C> values_;
};

template <typename C>
using ProductInput = std::conditional_t<std::is_integral_v<C>, IntegerInput<C>, ComputeInput<C>>;
template <typename C>
using ProductOutput = std::conditional_t<std::is_integral_v<C>, IntegerOutput<C>, ComputeOutput<C>>;

/// Calls the visitor with float, double, uint32_t (for int32 and uint32) or uint64_t (for int64 and uint64).
/// Throws Error(unsupported) naming `what` and the type for every other.
template <typename Visitor>
void visit_product_type(DataType type, std::string_view what, Visitor&& visitor) {
  switch (type) {
    case DataType::int32:
    case DataType::uint32: return visitor.template operator()<uint32_t>();
    case DataType::int64:
    case DataType::uint64: return visitor.template operator()<uint64_t>();
    default: return visit_compute_type(type, what, visitor);
  }
}

}  // namespace overt

#endif  // OVERT_OPS_PRODUCT_TYPES_H_
