#ifndef OVERT_TENSOR_H_
#define OVERT_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace overt {

/// Element types, with the codes of ONNX's TensorProto.DataType.
enum class DataType : uint8_t {
  undefined = 0,
  float32 = 1,
  uint8 = 2,
  int8 = 3,
  uint16 = 4,
  int16 = 5,
  int32 = 6,
  int64 = 7,
  string = 8,
  boolean = 9,
  float16 = 10,
  float64 = 11,
  uint32 = 12,
  uint64 = 13,
  complex64 = 14,
  complex128 = 15,
  bfloat16 = 16,
  float8e4m3fn = 17,
  float8e4m3fnuz = 18,
  float8e5m2 = 19,
  float8e5m2fnuz = 20,
  uint4 = 21,
  int4 = 22,
  float4e2m1 = 23,
  float8e8m0 = 24,
  uint2 = 25,
  int2 = 26,
};

/// "float32", "int64", ...; "undefined" for a code that the standard does not know.
std::string_view data_type_name(DataType type);

/// Bits of one element: 32 for float32, 4 for int4; 0 for undefined. A string's element is a std::string.
int data_type_bits(DataType type);

/// True for float16, bfloat16, float32, float64 and the 8- and 4-bit floats.
bool is_floating_point(DataType type);

/// A concrete shape: one length per axis, each >= 0. Rank 0 is a scalar with one element.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<int64_t> dims) : dims_(dims) {}
  explicit Shape(std::vector<int64_t> dims) : dims_(std::move(dims)) {}
  explicit Shape(std::span<const int64_t> dims) : dims_(dims.begin(), dims.end()) {}

  int64_t rank() const { return static_cast<int64_t>(dims_.size()); }
  int64_t operator[](int64_t axis) const { return dims_[static_cast<size_t>(axis)]; }
  int64_t& operator[](int64_t axis) { return dims_[static_cast<size_t>(axis)]; }
  std::span<const int64_t> dims() const { return dims_; }
  void push_back(int64_t dim) { dims_.push_back(dim); }
  auto begin() const { return dims_.begin(); }
  auto end() const { return dims_.end(); }

  /// Product of the dims. Throws `Error(invalid_argument)` where it does not fit 63 bits or a dim is negative.
  int64_t elements() const;
  /// Product of dims [first, last), axis numbers already in range.
  int64_t elements(int64_t first, int64_t last) const;
  /// "[1, 3, 224, 224]".
  std::string to_string() const;

  friend bool operator==(const Shape&, const Shape&) = default;

 private:
  std::vector<int64_t> dims_;
};

/// Bytes of a tensor, packed: sub-byte elements share bytes, low bits first, and the last byte is padded.
/// Throws `Error(out_of_memory)` where the size does not fit 63 bits.
int64_t tensor_bytes(DataType type, const Shape& shape);

/// A tensor in host memory: type, shape and contiguous row-major elements.
///
/// Copies of a Tensor share the memory; `clone` makes new memory. The memory is kept alive by whoever
/// holds the tensor: an allocation, a mapped file, or the caller's own buffer (`borrow`).
/// Not synchronised: do not write from one thread while another reads.
class Tensor {
 public:
  Tensor() = default;
  /// New, zeroed, 64-byte aligned memory (empty strings for DataType::string).
  /// Throws `Error(out_of_memory)`.
  Tensor(DataType type, Shape shape);
  /// The same without zeroes, for memory that is written whole.
  static Tensor uninitialised(DataType type, Shape shape);
  /// The caller's memory, which must outlive every copy of this tensor. `bytes` must be what `tensor_bytes`
  /// says, else `Error(invalid_argument)`.
  static Tensor borrow(DataType type, Shape shape, void* data, size_t bytes);
  /// Memory kept alive by `owner` (the tensor and the owner's other holders share it), read-only by agreement.
  static Tensor share(DataType type, Shape shape, const void* data, size_t bytes, std::shared_ptr<const void> owner);
  /// The same for a view into a mapped file.
  static Tensor share_file(DataType type, Shape shape, const void* data, size_t bytes,
                           std::shared_ptr<const void> owner);

  /// A new tensor with these elements; T decides the type.
  template <typename T>
  static Tensor of(Shape shape, std::span<const T> values);
  template <typename T>
  static Tensor of(Shape shape, std::initializer_list<T> values) {
    return of<T>(std::move(shape), std::span<const T>(values.begin(), values.size()));
  }

  bool empty() const { return type_ == DataType::undefined; }  ///< no tensor at all (not: no elements)
  DataType type() const { return type_; }
  const Shape& shape() const { return shape_; }
  int64_t elements() const { return shape_.elements(); }
  size_t bytes() const { return bytes_; }

  /// False only for large weights that are views into a model's bytes at an odd place: `values` refuses them, and who
  /// reads them by type takes `aligned()` first.
  bool is_aligned() const;
  /// This tensor where it is aligned, else a copy.
  Tensor aligned() const { return is_aligned() ? *this : clone(); }
  /// True for a view into a mapped file, whose pages the system can read again when they are dropped.
  bool is_file_view() const { return file_view_; }

  const void* data() const { return data_; }
  void* mutable_data() { return data_; }

  /// The elements as T. Throws `Error(invalid_argument)` where T is not the tensor's type.
  template <typename T>
  std::span<const T> values() const;
  template <typename T>
  std::span<T> mutable_values();

  Tensor clone() const;
  /// The same memory with another shape of as many elements.
  Tensor reshaped(Shape shape) const;

 private:
  DataType type_ = DataType::undefined;
  Shape shape_;
  void* data_ = nullptr;
  size_t bytes_ = 0;
  bool file_view_ = false;
  std::shared_ptr<const void> owner_;  ///< shared by all copies of the tensor, and by the mapped file's other views
};

/// 16-bit floats, stored as their bits; convert with `float(x)`.
struct Float16 {
  uint16_t bits = 0;
  Float16() = default;
  explicit Float16(float value);
  explicit operator float() const;
};
struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  explicit BFloat16(float value);
  explicit operator float() const;
};

/// The DataType of a C++ element type.
template <typename T>
inline constexpr DataType data_type_of = DataType::undefined;
template <>
inline constexpr DataType data_type_of<float> = DataType::float32;
template <>
inline constexpr DataType data_type_of<double> = DataType::float64;
template <>
inline constexpr DataType data_type_of<Float16> = DataType::float16;
template <>
inline constexpr DataType data_type_of<BFloat16> = DataType::bfloat16;
template <>
inline constexpr DataType data_type_of<int8_t> = DataType::int8;
template <>
inline constexpr DataType data_type_of<int16_t> = DataType::int16;
template <>
inline constexpr DataType data_type_of<int32_t> = DataType::int32;
template <>
inline constexpr DataType data_type_of<int64_t> = DataType::int64;
template <>
inline constexpr DataType data_type_of<uint8_t> = DataType::uint8;
template <>
inline constexpr DataType data_type_of<uint16_t> = DataType::uint16;
template <>
inline constexpr DataType data_type_of<uint32_t> = DataType::uint32;
template <>
inline constexpr DataType data_type_of<uint64_t> = DataType::uint64;
template <>
inline constexpr DataType data_type_of<bool> = DataType::boolean;
template <>
inline constexpr DataType data_type_of<std::string> = DataType::string;

namespace detail {
/// Throws `Error(invalid_argument)` unless `found` is `expected`.
void require_type(DataType found, DataType expected);
void require_count(size_t found, int64_t expected);
/// Throws `Error(internal)` unless the tensor is aligned.
void require_aligned(bool is_aligned);
}  // namespace detail

template <typename T>
std::span<const T> Tensor::values() const {
  detail::require_type(type_, data_type_of<T>);
  detail::require_aligned(is_aligned());
  return {static_cast<const T*>(data_), static_cast<size_t>(elements())};
}

template <typename T>
std::span<T> Tensor::mutable_values() {
  detail::require_type(type_, data_type_of<T>);
  return {static_cast<T*>(data_), static_cast<size_t>(elements())};
}

template <typename T>
Tensor Tensor::of(Shape shape, std::span<const T> values) {
  Tensor tensor(data_type_of<T>, std::move(shape));
  std::span<T> out = tensor.mutable_values<T>();
  detail::require_count(values.size(), static_cast<int64_t>(out.size()));
  for (size_t i = 0; i < out.size(); ++i) out[i] = values[i];
  return tensor;
}

}  // namespace overt

#endif  // OVERT_TENSOR_H_
