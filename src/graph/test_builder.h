#ifndef OVERT_GRAPH_TEST_BUILDER_H_
#define OVERT_GRAPH_TEST_BUILDER_H_

#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph.h"

namespace overt {

// Attributes with the literals that tests have.
inline Attribute attr(std::string name, int value) {
  return Attribute::of(std::move(name), int64_t{value});
}
inline Attribute attr(std::string name, double value) {
  return Attribute::of(std::move(name), static_cast<float>(value));
}
inline Attribute attr(std::string name, const char* value) {
  return Attribute::of(std::move(name), std::string(value));
}
inline Attribute attr(std::string name, std::initializer_list<int64_t> values) {
  return Attribute::of(std::move(name), std::vector<int64_t>(values));
}
inline Attribute attr(std::string name, Graph subgraph) {
  return Attribute::of(std::move(name), std::make_unique<Graph>(std::move(subgraph)));
}

/// Builds small graphs for tests: `b.op("Clip-13", {x, low, high})` adds a node, named like its output
/// ("Clip_3"), with the number in the name as its source, and gives the output.
class GraphBuilder {
 public:
  ValueId input(std::string name, DataType type, Dims dims) {
    const ValueId id = graph_.add_value(std::move(name), ValueInfo::tensor(type, std::move(dims)));
    graph_.add_input(id);
    return id;
  }
  ValueId input(std::string name, Dims dims) { return input(std::move(name), DataType::float32, std::move(dims)); }

  ValueId constant(Tensor tensor) {
    return graph_.add_constant("c" + std::to_string(constants_++), std::move(tensor));
  }
  ValueId scalar(float value) { return constant(Tensor::of<float>({}, {value})); }
  ValueId floats(Shape shape, std::initializer_list<float> values) {
    return constant(Tensor::of<float>(std::move(shape), values));
  }
  /// `shape` filled with values that differ: (i*7 mod 13 - 6) / 10 * scale.
  ValueId weights(Shape shape, float scale = 1.0f) {
    Tensor tensor(DataType::float32, std::move(shape));
    int64_t i = 0;
    for (float& value : tensor.mutable_values<float>()) value = static_cast<float>(i++ * 7 % 13 - 6) * scale / 10.0f;
    return constant(std::move(tensor));
  }
  ValueId ints(std::initializer_list<int64_t> values) {
    return constant(Tensor::of<int64_t>({static_cast<int64_t>(values.size())}, values));
  }

  /// `name`: "Relu-14" or "domain::Type-1".
  template <typename... Attributes>
  ValueId op(std::string_view name, std::vector<ValueId> inputs, Attributes... attributes) {
    return ops(name, std::move(inputs), 1, std::move(attributes)...)[0];
  }
  template <typename... Attributes>
  std::vector<ValueId> ops(std::string_view name, std::vector<ValueId> inputs, size_t outputs,
                           Attributes... attributes) {
    Node node;
    (node.attributes.push_back(std::move(attributes)), ...);
    return add(name, std::move(inputs), outputs, std::move(node));
  }

  void output(ValueId id) { graph_.add_output(id); }
  Graph& graph() { return graph_; }
  Graph take() { return std::move(graph_); }

 private:
  std::vector<ValueId> add(std::string_view name, std::vector<ValueId> inputs, size_t outputs, Node node) {
    if (const size_t colons = name.find("::"); colons != std::string_view::npos) {
      node.op.domain = name.substr(0, colons);
      name.remove_prefix(colons + 2);
    }
    const size_t dash = name.rfind('-');
    node.op.type = name.substr(0, dash);
    if (dash != std::string_view::npos) {
      std::from_chars(name.data() + dash + 1, name.data() + name.size(), node.op.since_version);
    }
    node.name = node.op.type + "_" + std::to_string(nodes_);
    node.sources = {nodes_++};
    node.inputs = std::move(inputs);
    for (size_t i = 0; i < outputs; ++i) {
      node.outputs.push_back(graph_.add_value(i == 0 ? node.name : node.name + "." + std::to_string(i)));
    }
    std::vector<ValueId> made = node.outputs;
    graph_.add_node(std::move(node));
    return made;
  }

  Graph graph_;
  int32_t nodes_ = 0;
  int32_t constants_ = 0;
};

}  // namespace overt

#endif  // OVERT_GRAPH_TEST_BUILDER_H_
