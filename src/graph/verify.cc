#include <algorithm>

#include "base/error.h"
#include "base/escape.h"
#include "graph/graph.h"

namespace overt {
namespace {

class Verifier {
 public:
  Verifier(const Graph& graph, std::string_view stage) : graph_(graph), stage_(stage) {}

  void run() {
    std::vector<bool> defined(graph_.value_count(), false);
    for (const ValueId input : graph_.inputs()) define(defined, input, "graph input");
    for (size_t i = 0; i < graph_.value_count(); ++i) {
      const Value& value = graph_.value(static_cast<ValueId>(i));
      if (value.is_constant() && !defined[i]) defined[i] = true;
    }
    std::vector<int64_t> uses(graph_.value_count(), 0);
    for (const NodeId id : graph_.order()) check_node(defined, uses, id);
    std::vector<int32_t> output_uses(graph_.value_count(), 0);
    for (const ValueId output : graph_.outputs()) {
      require(in_range(output) && defined[index_of(output)], "a graph output is made by nobody");
      ++output_uses[index_of(output)];
    }
    for (size_t i = 0; i < graph_.value_count(); ++i) {
      const Value& value = graph_.value(static_cast<ValueId>(i));
      require(static_cast<int64_t>(value.consumers.size()) == uses[i],
              fmt::format("consumers of '{}' are out of step", escape_name(value.name)));
      require(value.output_uses == output_uses[i],
              fmt::format("output uses of '{}' are out of step", escape_name(value.name)));
    }
  }

 private:
  void require(bool fact, std::string_view broken) const {
    if (!fact) fail(ErrorCode::internal, "after {}: {}", stage_, broken);
  }
  bool in_range(ValueId id) const { return id != ValueId::none && index_of(id) < graph_.value_count(); }

  void define(std::vector<bool>& defined, ValueId id, std::string_view what) const {
    require(in_range(id), fmt::format("{} is out of range", what));
    require(!defined[index_of(id)], fmt::format("'{}' is defined twice", escape_name(graph_.value(id).name)));
    defined[index_of(id)] = true;
  }

  void check_node(std::vector<bool>& defined, std::vector<int64_t>& uses, NodeId id) const {
    require(graph_.is_alive(id), "a dead node is in the order");
    const Node& node = graph_.node(id);
    require(node.id == id, "a node has another's id");
    for (const ValueId input : node.inputs) {
      if (input == ValueId::none) continue;
      require(in_range(input), fmt::format("{} reads a value out of range", display_name(node)));
      require(defined[index_of(input)], fmt::format("{} reads '{}' before it is made", display_name(node),
                                                    escape_name(graph_.value(input).name)));
      ++uses[index_of(input)];
    }
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] == ValueId::none) continue;
      define(defined, node.outputs[i], display_name(node));
      const Value& made = graph_.value(node.outputs[i]);
      require(made.producer == id && made.producer_output == static_cast<int32_t>(i),
              fmt::format("the producer of '{}' is out of step", escape_name(made.name)));
    }
    if (node.parts) check_parts(node);
    for (const Attribute& attribute : node.attributes) {
      if (const auto* held = std::get_if<std::unique_ptr<Graph>>(&attribute.payload)) check_subgraph(node, **held);
    }
    for (const EpilogueStep& step : node.epilogue) {
      require(step.operand < 0 || node.has_input(static_cast<size_t>(step.operand)),
              fmt::format("{}: an epilogue operand is missing", display_name(node)));
    }
  }

  void check_parts(const Node& node) const {
    require(node.parts->inputs().size() == node.inputs.size() && node.parts->outputs().size() == node.outputs.size(),
            fmt::format("{}: its parts have another arity", display_name(node)));
    verify(*node.parts, stage_);
  }

  void check_subgraph(const Node& node, const Graph& subgraph) const {
    for (const Capture& capture : subgraph.captures) {
      require(node.has_input(static_cast<size_t>(capture.node_input)),
              fmt::format("{}: a captured value is missing", display_name(node)));
      require(std::ranges::find(subgraph.inputs(), capture.inner) != subgraph.inputs().end(),
              fmt::format("{}: a capture is no input of its subgraph", display_name(node)));
    }
    verify(subgraph, stage_);
  }

  const Graph& graph_;
  std::string_view stage_;
};

}  // namespace

void verify(const Graph& graph, std::string_view stage) {
  Verifier(graph, stage).run();
}

}  // namespace overt
