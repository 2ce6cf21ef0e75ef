#ifndef OVERT_ONNX_ATTRIBUTE_READER_H_
#define OVERT_ONNX_ATTRIBUTE_READER_H_

#include <string_view>

#include "graph/attribute.h"
#include "onnx/proto.h"
#include "onnx/tensor_reader.h"

namespace overt {

/// Whether a tensor is read once, or may be met again in another expansion of the same function.
enum class TensorUse : uint8_t { once, shared };

/// The type of an attribute's value: what the file says, or what it holds where it says nothing (IR 1). Throws
/// Error(invalid_model) for an unknown type, a value of another type, or no value where the type needs one;
/// `owner` is for messages.
AttributeType attribute_type(const ProtoAttribute& attribute, FileOrigin origin, const ProtoNode& owner);

/// The attribute with its value. Graphs are the caller's; for them the value stays empty. Throws
/// Error(invalid_model), and Error(unsupported) for lists of types.
Attribute read_attribute(const ProtoAttribute& attribute, FileOrigin origin, const ProtoNode& owner,
                         TensorReader& tensors, TensorUse use);

}  // namespace overt

#endif  // OVERT_ONNX_ATTRIBUTE_READER_H_
