#ifndef OVERT_OPS_COMPUTE_VALUES_H_
#define OVERT_OPS_COMPUTE_VALUES_H_

#include <span>
#include <string_view>
#include <vector>

#include "ops/kernel_context.h"
#include "ops/visit.h"

namespace overt {

/// Copies floating-point elements of any of FloatTypes into C, which is float or double.
/// Throws Error(unsupported) for other element types.
template <typename C>
void load_values(const TensorView& view, std::span<C> values);
/// The way back, rounding to the tensor's type.
template <typename C>
void store_values(std::span<const C> values, const MutableTensorView& view);

/// A floating-point input as numbers of type C: its own memory where it holds C, else a converted copy. An
/// absent input gives no values. The input must outlive this.
template <typename C>
class ComputeInput {
 public:
  explicit ComputeInput(const TensorView& view) : present_(view.present()) {
    if (!present_) return;
    if (view.type == data_type_of<C>) {
      values_ = view.values<C>();
      return;
    }
    converted_.resize(static_cast<size_t>(view.elements()));
    load_values<C>(view, converted_);
    values_ = converted_;
  }
  ComputeInput(const ComputeInput&) = delete;
  ComputeInput& operator=(const ComputeInput&) = delete;

  std::span<const C> values() const { return values_; }
  const C* data() const { return values_.data(); }
  C operator[](int64_t i) const { return values_[static_cast<size_t>(i)]; }
  bool present() const { return present_; }

 private:
  bool present_;
  std::vector<C> converted_;
  std::span<const C> values_;
};

/// A floating-point output to be filled with numbers of type C; `store` must be called when it is full.
template <typename C>
class ComputeOutput {
 public:
  explicit ComputeOutput(const MutableTensorView& view) : view_(view) {
    if (view.type == data_type_of<C>) {
      values_ = view.values<C>();
      return;
    }
    converted_.resize(static_cast<size_t>(view.elements()));
    values_ = converted_;
  }
  ComputeOutput(const ComputeOutput&) = delete;
  ComputeOutput& operator=(const ComputeOutput&) = delete;

  std::span<C> values() const { return values_; }
  C* data() const { return values_.data(); }
  C& operator[](int64_t i) const { return values_[static_cast<size_t>(i)]; }
  void store() const {
    if (!converted_.empty()) store_values<C>(values_, view_);
  }

 private:
  MutableTensorView view_;
  std::vector<C> converted_;
  std::span<C> values_;
};

/// Calls the visitor with the type that a kernel computes in: double for float64, float for the smaller floats.
/// Throws Error(unsupported) naming `what` and the type for every other.
template <typename Visitor>
void visit_compute_type(DataType type, std::string_view what, Visitor&& visitor) {
  switch (type) {
    case DataType::float64: return visitor.template operator()<double>();
    case DataType::float32:
    case DataType::float16:
    case DataType::bfloat16: return visitor.template operator()<float>();
    default: fail(ErrorCode::unsupported, "{} has no kernel for {} elements", what, data_type_name(type));
  }
}

}  // namespace overt

#endif  // OVERT_OPS_COMPUTE_VALUES_H_
