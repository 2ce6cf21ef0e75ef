#include "overt/tensor.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "base/checked.h"
#include "base/error.h"

namespace overt {
namespace {

constexpr std::align_val_t kAlignment{64};

struct AlignedDelete {
  void operator()(void* data) const { ::operator delete(data, kAlignment); }
};

std::shared_ptr<void> allocate_bytes(size_t bytes, const Shape& shape, DataType type) {
  void* data = ::operator new(std::max<size_t>(bytes, 1), kAlignment, std::nothrow);
  if (data == nullptr) {
    fail(ErrorCode::out_of_memory, "the system has no {} bytes for a tensor {} {}", bytes, data_type_name(type),
         shape.to_string());
  }
  return {data, AlignedDelete{}};
}

}  // namespace

int64_t Shape::elements() const {
  return elements(0, rank());
}

int64_t Shape::elements(int64_t first, int64_t last) const {
  int64_t product = 1;
  for (int64_t axis = first; axis < last; ++axis) {
    const int64_t dim = (*this)[axis];
    const auto next = checked_mul(product, dim);
    if (dim < 0 || !next) {
      fail(ErrorCode::invalid_argument, "shape {} has a negative dim or more than 2^63 - 1 elements", to_string());
    }
    product = *next;
  }
  return product;
}

std::string Shape::to_string() const {
  std::string text = "[";
  for (size_t i = 0; i < dims_.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(dims_[i]);
  }
  return text + "]";
}

int64_t tensor_bytes(DataType type, const Shape& shape) {
  const auto bits = checked_mul(shape.elements(), data_type_bits(type));
  if (!bits || *bits > INT64_MAX - 7) {
    fail(ErrorCode::out_of_memory, "a tensor {} {} does not fit any memory", data_type_name(type), shape.to_string());
  }
  return (*bits + 7) / 8;
}

Tensor Tensor::uninitialised(DataType type, Shape shape) {
  Tensor tensor;
  tensor.type_ = type;
  tensor.shape_ = std::move(shape);
  tensor.bytes_ = static_cast<size_t>(tensor_bytes(type, tensor.shape_));
  if (type == DataType::string) {
    auto strings = std::make_shared<std::vector<std::string>>(static_cast<size_t>(tensor.elements()));
    tensor.data_ = strings->data();
    tensor.owner_ = std::move(strings);
    return tensor;
  }
  std::shared_ptr<void> memory = allocate_bytes(tensor.bytes_, tensor.shape_, type);
  tensor.data_ = memory.get();
  tensor.owner_ = std::move(memory);
  return tensor;
}

Tensor::Tensor(DataType type, Shape shape) : Tensor(uninitialised(type, std::move(shape))) {
  if (type_ != DataType::string) std::memset(data_, 0, bytes_);
}

Tensor Tensor::borrow(DataType type, Shape shape, void* data, size_t bytes) {
  const int64_t expected = tensor_bytes(type, shape);
  if (bytes != static_cast<size_t>(expected)) {
    fail(ErrorCode::invalid_argument, "a buffer of {} bytes was given for a tensor {} {}, which takes {}", bytes,
         data_type_name(type), shape.to_string(), expected);
  }
  if (data == nullptr && expected > 0) {
    fail(ErrorCode::invalid_argument, "a null pointer was given for a tensor {} {}", data_type_name(type),
         shape.to_string());
  }
  Tensor tensor;
  tensor.type_ = type;
  tensor.shape_ = std::move(shape);
  tensor.data_ = data;
  tensor.bytes_ = bytes;
  return tensor;
}

Tensor Tensor::share(DataType type, Shape shape, const void* data, size_t bytes, std::shared_ptr<const void> owner) {
  // The const_cast is the price of one tensor class for constants and results; nothing in the library writes
  // through a tensor that shares a constant.
  Tensor tensor = borrow(type, std::move(shape), const_cast<void*>(data), bytes);
  tensor.owner_ = std::move(owner);
  return tensor;
}

Tensor Tensor::share_file(DataType type, Shape shape, const void* data, size_t bytes,
                          std::shared_ptr<const void> owner) {
  Tensor tensor = share(type, std::move(shape), data, bytes, std::move(owner));
  tensor.file_view_ = true;
  return tensor;
}

bool Tensor::is_aligned() const {
  const auto element = static_cast<uintptr_t>(std::clamp(data_type_bits(type_) / 8, 1, 8));
  return reinterpret_cast<uintptr_t>(data_) % element == 0;
}

Tensor Tensor::clone() const {
  if (empty()) return {};
  Tensor copy(type_, shape_);
  if (type_ == DataType::string) {
    std::ranges::copy(values<std::string>(), copy.mutable_values<std::string>().begin());
  } else if (bytes_ > 0) {
    std::memcpy(copy.data_, data_, bytes_);
  }
  return copy;
}

Tensor Tensor::reshaped(Shape shape) const {
  detail::require_count(static_cast<size_t>(elements()), shape.elements());
  Tensor tensor = *this;
  tensor.shape_ = std::move(shape);
  return tensor;
}

namespace detail {

void require_type(DataType found, DataType expected) {
  if (found == expected) return;
  fail(ErrorCode::invalid_argument, "the tensor holds {} and was read as {}", data_type_name(found),
       data_type_name(expected));
}

void require_aligned(bool is_aligned) {
  if (is_aligned) return;
  fail(ErrorCode::internal, "a weight at an odd place of its file is read by type; take aligned() first");
}

void require_count(size_t found, int64_t expected) {
  if (static_cast<int64_t>(found) == expected) return;
  fail(ErrorCode::invalid_argument, "{} elements were given where the shape has {}", found, expected);
}

}  // namespace detail
}  // namespace overt
