#ifndef OVERT_TENSOR_VIEW_H_
#define OVERT_TENSOR_VIEW_H_

#include <span>

#include "overt/tensor.h"

namespace overt {

/// A tensor to read: contiguous, row-major. Borrowed.
struct TensorView {
  DataType type = DataType::undefined;  ///< undefined: the optional input is left out
  std::span<const int64_t> dims;
  const void* data = nullptr;

  bool present() const { return type != DataType::undefined; }
  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  int64_t dim(int64_t axis) const { return dims[static_cast<size_t>(axis)]; }
  int64_t elements() const;
  Shape shape() const { return Shape(dims); }
  /// The elements as T. Throws Error(internal) where the type is another.
  template <typename T>
  std::span<const T> values() const {
    detail::require_type(type, data_type_of<T>);
    return {static_cast<const T*>(data), static_cast<size_t>(elements())};
  }
};

TensorView view_of(const Tensor& tensor);

/// A tensor to write. Its memory overlaps no input's.
struct MutableTensorView {
  DataType type = DataType::undefined;
  std::span<const int64_t> dims;
  void* data = nullptr;

  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  int64_t dim(int64_t axis) const { return dims[static_cast<size_t>(axis)]; }
  int64_t elements() const;
  template <typename T>
  std::span<T> values() const {
    detail::require_type(type, data_type_of<T>);
    return {static_cast<T*>(data), static_cast<size_t>(elements())};
  }
};

/// Gives memory for outputs: a planned place, or new memory where the shape was not known before.
class OutputAllocator {
 public:
  virtual ~OutputAllocator() = default;
  /// Throws Error(internal) where a plan expected another shape, Error(out_of_memory) over the limit.
  virtual MutableTensorView allocate(size_t output, DataType type, const Shape& shape) = 0;
};

}  // namespace overt

#endif  // OVERT_TENSOR_VIEW_H_
