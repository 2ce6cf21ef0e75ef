#ifndef OVERT_ONNX_TENSOR_PROTO_H_
#define OVERT_ONNX_TENSOR_PROTO_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnx/wire.h"
#include "overt/tensor.h"

namespace overt {

/// A TensorProto as it lies in the file.
struct ProtoTensor {
  std::string_view bytes;
  std::string_view name;
  std::vector<int64_t> dims;  ///< as in the file; at most one more than the rank limit is kept
  int64_t type_code = 0;
  std::optional<std::string_view> raw;
  uint32_t data_field = 0;             ///< number of the typed field in use (float_data is 4), 0 for none
  std::vector<std::string_view> data;  ///< its parts: packed runs, or the strings
  bool is_external = false;
  std::vector<std::pair<std::string_view, std::string_view>> external;

  /// "tensor 'w'", or "the tensor at byte 17" without a name; escaped.
  std::string describe(FileOrigin origin) const;
};

/// Throws Error(invalid_model) where the bytes are no TensorProto, where data lies in several fields, and for
/// an unknown data_location; Error(unsupported) for segments and for more than `max_rank` dims.
ProtoTensor read_proto_tensor(std::string_view bytes, FileOrigin origin, int32_t max_rank);

/// The numbers or strings of the typed data field as a tensor with memory of its own, or, where float_data or
/// double_data lies in one aligned piece, nothing copied: then `view` gets the piece and an empty tensor comes
/// back. Throws Error(invalid_model) for a field that is not the type's, a wrong count, or a value out of range.
Tensor decode_typed_data(const ProtoTensor& proto, DataType type, const Shape& shape, FileOrigin origin,
                         std::string_view& view);

}  // namespace overt

#endif  // OVERT_ONNX_TENSOR_PROTO_H_
