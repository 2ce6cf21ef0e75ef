#ifndef OVERT_OPS_TEST_NODE_H_
#define OVERT_OPS_TEST_NODE_H_

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "graph/node.h"
#include "ops/infer_context.h"
#include "ops/kernel_context.h"

// For tests of operators: single nodes with few words.

namespace overt {

/// A node of the standard's domain with `inputs` inputs and `outputs` outputs. The ids are made up, as nothing
/// that a test runs looks at them.
inline Node test_node(std::string type, int since_version, std::vector<Attribute> attributes = {}, int inputs = 1,
                      int outputs = 1) {
  Node node;
  node.op = {"", std::move(type), since_version};
  node.attributes = std::move(attributes);
  int32_t id = 0;
  for (int i = 0; i < inputs; ++i) node.inputs.push_back(static_cast<ValueId>(id++));
  for (int i = 0; i < outputs; ++i) node.outputs.push_back(static_cast<ValueId>(id++));
  node.explicit_inputs = inputs;
  return node;
}

/// A list of attributes, which cannot be copied and so cannot stand in braces.
template <typename... Attributes>
std::vector<Attribute> attribute_list(Attributes... attributes) {
  std::vector<Attribute> list;
  (list.push_back(std::move(attributes)), ...);
  return list;
}

/// Output 0 of the node's reference kernel.
inline Tensor run_node(const Node& node, const std::vector<Tensor>& inputs) {
  return std::move(evaluate_node(node, inputs).front());
}

/// An input of shape inference: what is known of a value, and its contents where they are known.
struct TestInput {
  TestInput(ValueInfo value) : info(std::move(value)) {}    // NOLINT: both forms are inputs
  TestInput(Tensor tensor) : constant(std::move(tensor)) {  // NOLINT
    Dims dims;
    for (const int64_t dim : constant.shape()) dims.emplace_back(dim);
    info = ValueInfo::tensor(constant.type(), std::move(dims));
  }
  ValueInfo info;
  Tensor constant;
};

/// All outputs' infos.
inline std::vector<ValueInfo> infer(const Node& node, const std::vector<TestInput>& inputs) {
  std::vector<InferInput> borrowed;
  for (const TestInput& input : inputs) {
    const bool absent = input.info.type == DataType::undefined && !input.info.shape;
    borrowed.push_back({absent ? nullptr : &input.info, input.constant.empty() ? nullptr : &input.constant});
  }
  return infer_node(node, borrowed);
}

/// An int64 vector whose contents are these dims.
inline ValueInfo known_vector(Dims elements) {
  ValueInfo info = ValueInfo::tensor(DataType::int64, {Dim(static_cast<int64_t>(elements.size()))});
  info.elements = std::move(elements);
  return info;
}

/// The elements as a vector, for comparisons.
template <typename T>
std::vector<T> values_of(const Tensor& tensor) {
  const std::span<const T> values = tensor.values<T>();
  return {values.begin(), values.end()};
}

/// The 16-bit floats as floats.
template <typename T>
std::vector<float> floats_of(const Tensor& tensor) {
  std::vector<float> floats;
  for (const T value : tensor.values<T>()) floats.push_back(float(value));
  return floats;
}

/// A list of int64, as a tensor and as an attribute.
inline Tensor int64_list(std::vector<int64_t> values) {
  return Tensor::of<int64_t>(Shape{static_cast<int64_t>(values.size())}, std::span<const int64_t>(values));
}
inline Attribute integers(std::string name, std::vector<int64_t> values) {
  return Attribute::of(std::move(name), std::move(values));
}

/// Floats 0, 1, 2, ...
inline Tensor counted(Shape shape) {
  Tensor tensor(DataType::float32, std::move(shape));
  float next = 0.0f;
  for (float& value : tensor.mutable_values<float>()) value = next++;
  return tensor;
}

/// "[N, 3]", or "?" where it is not known.
inline std::string shape_of(const ValueInfo& info) {
  return info.shape ? to_string(*info.shape) : "?";
}
inline std::string contents_of(const ValueInfo& info) {
  return info.elements ? to_string(*info.elements) : "?";
}

/// "invalid_argument: the message" of the error that `action` throws, or "no error".
template <typename Action>
std::string error_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return std::string(error_code_name(error.code())) + ": " + error.message();
  }
  return "no error";
}

/// The message of the error that `action` throws, or "no error".
template <typename Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.message();
  }
  return "no error";
}

}  // namespace overt

#endif  // OVERT_OPS_TEST_NODE_H_
