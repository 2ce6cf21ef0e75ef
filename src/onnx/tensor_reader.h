#ifndef OVERT_ONNX_TENSOR_READER_H_
#define OVERT_ONNX_TENSOR_READER_H_

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "onnx/external_data.h"
#include "onnx/wire.h"
#include "overt/tensor.h"

namespace overt {

/// What keeps the model's bytes alive, and whether they are a mapped file (else ordinary memory).
struct BytesOwner {
  std::shared_ptr<const void> memory;  ///< shared by the file's holder and the tensors that are views
  bool is_mapped_file = false;
};

/// A tensor and the name that the file gives it (which may be empty).
struct NamedTensor {
  std::string_view name;
  Tensor tensor;
};

/// The element type with this code. Throws Error(invalid_model) for 0 and codes that the standard does not know,
/// Error(unsupported) for the 6-bit floats; `what` is for the message ("tensor 'w'").
DataType data_type_from_code(int64_t code, std::string_view what);

/// Turns every TensorProto and SparseTensorProto of a model into a Tensor: the one place where data is located,
/// measured and checked. A tensor needs exactly the data that its type and shape say, in one place only.
class TensorReader {
 public:
  /// `owner` keeps the file's bytes alive; the tensors that are views share it. `external` must outlive the
  /// reader.
  TensorReader(FileOrigin origin, int64_t file_bytes, BytesOwner owner, ExternalFiles& external,
               const LoadLimits& limits);

  /// Reads a TensorProto. Throws Error(invalid_model) with the tensor's name as the subject.
  NamedTensor read(std::string_view tensor_proto);
  /// Reads a SparseTensorProto into a dense tensor; its name is that of its values.
  NamedTensor read_sparse(std::string_view sparse_tensor_proto);

  /// The same, remembered: what is read many times (a function's body) is decoded once and shared.
  NamedTensor read_shared(std::string_view tensor_proto);
  NamedTensor read_sparse_shared(std::string_view sparse_tensor_proto);

 private:
  FileOrigin origin_;
  BytesOwner owner_;
  ExternalFiles& external_;
  int32_t max_rank_;
  int64_t dense_bytes_left_;
  std::unordered_map<const char*, NamedTensor> shared_;  ///< by the message's place
};

}  // namespace overt

#endif  // OVERT_ONNX_TENSOR_READER_H_
