#ifndef OVERT_ONNX_TEST_WRITER_H_
#define OVERT_ONNX_TEST_WRITER_H_

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <bit>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnx/load.h"
#include "overt/error.h"

/// Writes ONNX messages field by field, right or wrong, for tests of the reader.
namespace overt::test {

/// A protobuf message under construction; fields may come in any order and number.
class Message {
 public:
  Message& number(uint32_t field, int64_t value) {
    varint(field << 3);
    varint(static_cast<uint64_t>(value));
    return *this;
  }
  Message& text(uint32_t field, std::string_view value) {
    varint(field << 3 | 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  Message& add(uint32_t field, const Message& value) { return text(field, value.bytes_); }
  Message& real(uint32_t field, float value) {
    varint(field << 3 | 5);
    const auto bits = std::bit_cast<uint32_t>(value);
    for (int shift = 0; shift < 32; shift += 8) bytes_ += static_cast<char>(bits >> shift);
    return *this;
  }
  Message& packed(uint32_t field, const std::vector<int64_t>& values) {
    Message run;
    for (const int64_t value : values) run.varint(static_cast<uint64_t>(value));
    return text(field, run.bytes_);
  }
  Message& varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

using Names = std::vector<std::string>;

/// The bytes of numbers, for raw_data.
template <typename T>
std::string raw(std::initializer_list<T> values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (values.size() > 0) std::memcpy(bytes.data(), values.begin(), bytes.size());
  return bytes;
}

/// TensorProto without data.
inline Message tensor_header(std::string_view name, int64_t type, const std::vector<int64_t>& dims) {
  Message tensor;
  for (const int64_t dim : dims) tensor.number(1, dim);
  tensor.number(2, type);
  if (!name.empty()) tensor.text(8, name);
  return tensor;
}

inline Message raw_tensor(std::string_view name, int64_t type, const std::vector<int64_t>& dims,
                          std::string_view data) {
  return tensor_header(name, type, dims).text(9, data);
}

/// A float32 tensor of one element.
inline Message scalar(std::string_view name, float value = 1.0f) {
  return raw_tensor(name, 1, {1}, raw<float>({value}));
}

inline Message entry(std::string_view key, std::string_view value) {
  return Message().text(1, key).text(2, value);
}

/// TensorProto whose data is in a file: pairs of key and value.
inline Message external_tensor(std::string_view name, int64_t type, const std::vector<int64_t>& dims,
                               const std::vector<std::pair<std::string, std::string>>& entries) {
  Message tensor = tensor_header(name, type, dims);
  tensor.number(14, 1);
  for (const auto& [key, value] : entries) tensor.add(13, entry(key, value));
  return tensor;
}

inline Message sparse_tensor(const Message& values, const Message& indices, const std::vector<int64_t>& dims) {
  Message sparse;
  sparse.add(1, values).add(2, indices);
  for (const int64_t dim : dims) sparse.number(3, dim);
  return sparse;
}

/// ValueInfoProto of a tensor; a dim is a number, or a name.
struct TestDim {
  int64_t number = -2;
  std::string name;
  TestDim(int64_t value) : number(value) {}      // NOLINT
  TestDim(int value) : number(value) {}          // NOLINT
  TestDim(const char* symbol) : name(symbol) {}  // NOLINT
};
inline Message value(std::string_view name, std::vector<TestDim> dims = {1}, int64_t type = 1) {
  Message shape;
  for (const TestDim& dim : dims) {
    Message written;
    if (dim.number != -2) written.number(1, dim.number);
    if (!dim.name.empty()) written.text(2, dim.name);
    shape.add(1, written);
  }
  return Message().text(1, name).add(2, Message().add(1, Message().number(1, type).add(2, shape)));
}

inline Message attribute(std::string_view name, int64_t type) {
  return Message().text(1, name).number(20, type);
}
inline Message int_attribute(std::string_view name, int64_t number) {
  return attribute(name, 2).number(3, number);
}
inline Message graph_attribute(std::string_view name, const Message& graph) {
  return attribute(name, 5).add(6, graph);
}
inline Message tensor_attribute(std::string_view name, const Message& tensor) {
  return attribute(name, 4).add(5, tensor);
}
inline Message reference(std::string_view name, int64_t type, std::string_view of) {
  return attribute(name, type).text(21, of);
}

/// NodeProto; its name is that of its first output.
inline Message node(std::string_view type, const Names& inputs, const Names& outputs,
                    const std::vector<Message>& attributes = {}, std::string_view domain = "") {
  Message message;
  for (const std::string& input : inputs) message.text(1, input);
  for (const std::string& output : outputs) message.text(2, output);
  if (!outputs.empty()) message.text(3, outputs[0]);
  message.text(4, type);
  for (const Message& attribute : attributes) message.add(5, attribute);
  if (!domain.empty()) message.text(7, domain);
  return message;
}

/// GraphProto from its parts.
struct TestGraph {
  std::vector<Message> inputs = {};
  std::vector<Message> outputs = {};
  std::vector<Message> nodes = {};
  std::vector<Message> initializers = {};
  std::vector<Message> sparse_initializers = {};
  std::vector<Message> value_infos = {};

  operator Message() const {  // NOLINT
    Message graph;
    for (const Message& part : nodes) graph.add(1, part);
    graph.text(2, "g");
    for (const Message& part : initializers) graph.add(5, part);
    for (const Message& part : sparse_initializers) graph.add(15, part);
    for (const Message& part : value_infos) graph.add(13, part);
    for (const Message& part : inputs) graph.add(11, part);
    for (const Message& part : outputs) graph.add(12, part);
    return graph;
  }
};

inline Message opset(std::string_view domain, int64_t version) {
  return Message().text(1, domain).number(2, version);
}

/// FunctionProto of domain "local" with opset 17.
inline Message function(std::string_view name, const Names& inputs, const Names& outputs,
                        const std::vector<Message>& nodes, const Names& attributes = {},
                        const std::vector<Message>& defaults = {}) {
  Message message;
  message.text(1, name);
  for (const std::string& input : inputs) message.text(4, input);
  for (const std::string& output : outputs) message.text(5, output);
  for (const std::string& attribute : attributes) message.text(6, attribute);
  for (const Message& node : nodes) message.add(7, node);
  message.add(9, opset("", 17)).add(9, opset("local", 1)).text(10, "local");
  for (const Message& attribute : defaults) message.add(11, attribute);
  return message;
}

/// ModelProto of IR 8 with opset 17 and, for functions, domain "local".
inline Message model(const Message& graph, const std::vector<Message>& functions = {}) {
  Message message;
  message.number(1, 8).add(7, graph);
  for (const Message& function : functions) message.add(25, function);
  message.add(8, opset("", 17)).add(8, opset("local", 1));
  return message;
}

/// A model that copies input "x" to output "y" through the nodes.
inline Message x_to_y(const std::vector<Message>& nodes, const std::vector<Message>& functions = {}) {
  return model(TestGraph{.inputs = {value("x")}, .outputs = {value("y")}, .nodes = nodes}, functions);
}

inline Model load(const Message& message, const LoadLimits& limits = {}) {
  const std::string& bytes = message.bytes();
  return load_onnx(std::as_bytes(std::span(bytes.data(), bytes.size())), nullptr, std::nullopt, limits);
}

/// "code: message" of the error, or "loaded".
template <typename Act>
std::string outcome(Act act) {
  try {
    act();
    return "loaded";
  } catch (const Error& error) {
    return std::string(error_code_name(error.code())) + ": " + error.message();
  }
}
inline std::string load_outcome(const Message& message, const LoadLimits& limits = {}) {
  return outcome([&] { load(message, limits); });
}

/// The most memory that the process has had so far, in bytes.
inline int64_t peak_memory() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} * 1024;
}

}  // namespace overt::test

#endif  // OVERT_ONNX_TEST_WRITER_H_
