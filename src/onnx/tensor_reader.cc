#include "onnx/tensor_reader.h"

#include <algorithm>
#include <cstring>

#include "base/checked.h"
#include "base/error.h"
#include "base/escape.h"
#include "onnx/tensor_proto.h"

namespace overt {
namespace {

constexpr int64_t kDensePerFileByte = 100;

/// The shape, with each dim >= 0 and a size in bytes that fits 63 bits; throws otherwise.
Shape checked_shape(std::span<const int64_t> dims, DataType type, std::string_view what, std::string_view name) {
  int64_t bits = data_type_bits(type);
  for (const int64_t dim : dims) {
    if (dim < 0) {
      fail_at(ErrorCode::invalid_model, name, "{} has the dim {}, expected 0 or more", what, dim);
    }
    const auto product = checked_mul(bits, dim);
    if (!product || *product > INT64_MAX - 7) {
      fail_at(ErrorCode::invalid_model, name, "{} of type {} and shape {} is larger than any memory", what,
              data_type_name(type), Shape(dims).to_string());
    }
    bits = *product;
  }
  return Shape(dims);
}

/// A misaligned tensor up to this size is copied, so that only large weights are views at odd places.
constexpr size_t kMostCopiedBytes = size_t{64} << 10;

/// A bool may hold 0 and 1 only: C++ reads others as it likes.
void check_bools(std::string_view bytes, std::string_view what, std::string_view name) {
  const auto odd = std::ranges::find_if(bytes, [](char byte) { return byte != 0 && byte != 1; });
  if (odd == bytes.end()) return;
  fail_at(ErrorCode::invalid_model, name, "{} of type bool has the byte {} at element {}, expected 0 or 1", what,
          static_cast<unsigned char>(*odd), odd - bytes.begin());
}

/// A view of the bytes, or a copy where they are few and not aligned for the type.
Tensor view_or_copy(DataType type, const Shape& shape, std::string_view bytes, const BytesOwner& owner) {
  if (bytes.empty()) return Tensor(type, shape);
  Tensor view = owner.is_mapped_file ? Tensor::share_file(type, shape, bytes.data(), bytes.size(), owner.memory)
                                     : Tensor::share(type, shape, bytes.data(), bytes.size(), owner.memory);
  return bytes.size() > kMostCopiedBytes ? view : view.aligned();
}

/// Linear element index of each value of a sparse tensor, checked to be ascending and in range.
std::vector<int64_t> linear_indices(const Tensor& indices, int64_t count, const Shape& dense, std::string_view what,
                                    std::string_view name) {
  if (indices.type() != DataType::int64) {
    fail_at(ErrorCode::invalid_model, name, "{} has indices of type {}, expected int64", what,
            data_type_name(indices.type()));
  }
  const bool by_axis = indices.shape() == Shape{count, dense.rank()};
  if (!by_axis && indices.shape() != Shape{count}) {
    fail_at(ErrorCode::invalid_model, name, "{} has indices of shape {}, expected [{}] or [{}, {}]", what,
            indices.shape().to_string(), count, count, dense.rank());
  }
  const auto numbers = indices.values<int64_t>();
  const int64_t elements = dense.elements();
  std::vector<int64_t> linear(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    int64_t index = by_axis ? 0 : numbers[static_cast<size_t>(i)];
    bool in_range = index >= 0 && index < elements;
    for (int64_t axis = 0; by_axis && axis < dense.rank(); ++axis) {
      const int64_t position = numbers[static_cast<size_t>(i * dense.rank() + axis)];
      in_range = in_range && position >= 0 && position < dense[axis];
      if (in_range) index = index * dense[axis] + position;
    }
    if (!in_range) {
      fail_at(ErrorCode::invalid_model, name, "{} has an index out of range at value {}, for shape {}", what, i,
              dense.to_string());
    }
    if (i > 0 && index <= linear[static_cast<size_t>(i - 1)]) {
      fail_at(ErrorCode::invalid_model, name, "{} has indices that do not ascend at value {}: {} after {}", what, i,
              index, linear[static_cast<size_t>(i - 1)]);
    }
    linear[static_cast<size_t>(i)] = index;
  }
  return linear;
}

void scatter(const Tensor& values, std::span<const int64_t> linear, Tensor& dense) {
  if (values.type() == DataType::string) {
    const auto from = values.values<std::string>();
    const auto to = dense.mutable_values<std::string>();
    for (size_t i = 0; i < linear.size(); ++i) to[static_cast<size_t>(linear[i])] = from[i];
    return;
  }
  const auto element_bytes = static_cast<size_t>(data_type_bits(values.type())) / 8;
  const auto* from = static_cast<const char*>(values.data());
  auto* to = static_cast<char*>(dense.mutable_data());
  for (size_t i = 0; i < linear.size(); ++i) {
    std::memcpy(to + static_cast<size_t>(linear[i]) * element_bytes, from + i * element_bytes, element_bytes);
  }
}

}  // namespace

DataType data_type_from_code(int64_t code, std::string_view what) {
  constexpr int64_t kLast = static_cast<int64_t>(DataType::int2);
  if (code == 27 || code == 28) fail(ErrorCode::unsupported, "{} has 6-bit floats (data type {})", what, code);
  if (code < 1 || code > kLast) {
    fail(ErrorCode::invalid_model, "{} has data type {}, expected a code from 1 to {}", what, code, kLast);
  }
  return static_cast<DataType>(code);
}

TensorReader::TensorReader(FileOrigin origin, int64_t file_bytes, BytesOwner owner, ExternalFiles& external,
                           const LoadLimits& limits)
    : origin_(origin),
      owner_(std::move(owner)),
      external_(external),
      max_rank_(limits.rank),
      dense_bytes_left_(
          checked_add(limits.dense_bytes, checked_mul(file_bytes, kDensePerFileByte).value_or(INT64_MAX))
              .value_or(INT64_MAX)) {}

NamedTensor TensorReader::read(std::string_view tensor_proto) {
  const ProtoTensor proto = read_proto_tensor(tensor_proto, origin_, max_rank_);
  const std::string what = proto.describe(origin_);
  const DataType type = data_type_from_code(proto.type_code, what);
  const Shape shape = checked_shape(proto.dims, type, what, proto.name);
  const auto size = static_cast<size_t>(tensor_bytes(type, shape));

  if (proto.data_field != 0) {
    std::string_view view;
    Tensor tensor = decode_typed_data(proto, type, shape, origin_, view);
    if (tensor.empty()) tensor = view_or_copy(type, shape, view, owner_);
    return {proto.name, std::move(tensor)};
  }
  if (type == DataType::string) {
    if (size == 0 && !proto.is_external && proto.raw.value_or("").empty()) return {proto.name, Tensor(type, shape)};
    fail_at(ErrorCode::invalid_model, proto.name, "{} of type string and shape {} has no string_data", what,
            shape.to_string());
  }
  std::string_view bytes = proto.raw.value_or("");
  BytesOwner owner = owner_;
  if (proto.is_external) {
    ExternalFiles::Piece piece = external_.find(proto.external, size, proto.name);
    bytes = {reinterpret_cast<const char*>(piece.bytes.data()), piece.bytes.size()};
    owner = {std::move(piece.file), /*is_mapped_file=*/true};
  } else if (bytes.size() != size) {
    fail_at(ErrorCode::invalid_model, proto.name, "{} has {} bytes of raw_data at byte {}, expected {} for {} {}",
            what, bytes.size(), origin_.offset_of(tensor_proto), size, data_type_name(type), shape.to_string());
  }
  if (type == DataType::boolean) check_bools(bytes, what, proto.name);
  return {proto.name, view_or_copy(type, shape, bytes, owner)};
}

NamedTensor TensorReader::read_sparse(std::string_view sparse_tensor_proto) {
  std::string_view values_proto, indices_proto;
  std::vector<int64_t> dims;
  WireReader reader(sparse_tensor_proto, origin_, "SparseTensorProto");
  while (reader.next()) {
    if (reader.field() == 1) values_proto = reader.bytes();
    if (reader.field() == 2) indices_proto = reader.bytes();
    if (reader.field() != 3) continue;
    if (dims.size() + count_varints(reader.varint_run()) > static_cast<size_t>(max_rank_)) {
      reader.fail_here(fmt::format("a sparse tensor has more than {} dims", max_rank_));
    }
    reader.append_integers(dims);
  }
  if (values_proto.data() == nullptr || indices_proto.data() == nullptr) {
    fail(ErrorCode::invalid_model, "the sparse tensor at byte {} lacks its values or indices",
         origin_.offset_of(sparse_tensor_proto));
  }
  const auto [name, values] = read(values_proto);
  const std::string what = fmt::format("sparse tensor '{}'", escape_name(name));
  const DataType type = values.type();
  if (values.shape().rank() != 1) {
    fail_at(ErrorCode::invalid_model, name, "{} has values of shape {}, expected one axis", what,
            values.shape().to_string());
  }
  if (data_type_bits(type) < 8) {
    fail_at(ErrorCode::unsupported, name, "{} has values of type {}, expected one of whole bytes", what,
            data_type_name(type));
  }
  const Shape shape = checked_shape(dims, type, what, name);
  const Tensor indices = read(indices_proto).tensor.aligned();
  const std::vector<int64_t> linear = linear_indices(indices, values.elements(), shape, what, name);
  const int64_t size = tensor_bytes(type, shape);
  if (size > dense_bytes_left_) {
    fail_at(ErrorCode::out_of_memory, name,
            "{} of shape {} takes {} bytes when made dense, and {} are left of what this file may take", what,
            shape.to_string(), size, dense_bytes_left_);
  }
  dense_bytes_left_ -= size;
  Tensor dense(type, shape);
  scatter(values, linear, dense);
  return {name, std::move(dense)};
}

NamedTensor TensorReader::read_shared(std::string_view tensor_proto) {
  const auto [place, added] = shared_.try_emplace(tensor_proto.data());
  if (added) place->second = read(tensor_proto);
  return place->second;
}

NamedTensor TensorReader::read_sparse_shared(std::string_view sparse_tensor_proto) {
  const auto [place, added] = shared_.try_emplace(sparse_tensor_proto.data());
  if (added) place->second = read_sparse(sparse_tensor_proto);
  return place->second;
}

}  // namespace overt
