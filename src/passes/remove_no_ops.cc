#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "passes/match.h"
#include "passes/numbers.h"
#include "passes/passes.h"
#include "passes/rewriter.h"

namespace overt {
namespace {

/// A value that equals the node's first output in shape and contents, and why.
struct Same {
  ValueId value = ValueId::none;
  std::string_view reason;
};

bool same_shape_in_and_out(const Graph& graph, const Node& node) {
  return node.has_input(0) && node.has_output(0) && same_shape(graph, node.inputs[0], node.outputs[0]);
}

/// The contents of an int64 or int32 input, where they are constant.
std::optional<std::vector<double>> constant_integers(const Graph& graph, const Node& node, size_t i) {
  if (!node.has_input(i) || !graph.value(node.inputs[i]).is_constant()) return std::nullopt;
  return to_doubles(graph.value(node.inputs[i]).constant);
}

bool all_equal(std::span<const double> values, double wanted) {
  return std::ranges::all_of(values, [&](double value) { return value == wanted; });
}

std::optional<Same> cast_to_same_type(const Graph& graph, const Node& node) {
  const DataType type = type_of(graph, node.inputs[0]);
  if (type == DataType::undefined) return std::nullopt;
  const bool same = node.op.is("Cast") ? node.integer("to", 0) == static_cast<int64_t>(type)
                                       : node.has_input(1) && type_of(graph, node.inputs[1]) == type;
  if (!same) return std::nullopt;
  return Same{node.inputs[0], "cast to the type that it has"};
}

std::optional<Same> identity_transpose(const Graph& graph, const Node& node) {
  const std::span<const int64_t> perm = node.integers("perm");
  const auto rank = graph.value(node.inputs[0]).info.rank();
  if (perm.empty() && !(rank && *rank <= 1)) return std::nullopt;
  for (size_t i = 0; i < perm.size(); ++i) {
    if (perm[i] != static_cast<int64_t>(i)) return std::nullopt;
  }
  return Same{node.inputs[0], "transposes nothing"};
}

std::optional<Same> whole_slice(const Graph& graph, const Node& node) {
  if (!same_shape_in_and_out(graph, node)) return std::nullopt;
  if (node.has_input(4)) {  // a negative step turns the order round
    const auto steps = constant_integers(graph, node, 4);
    if (!steps || !std::ranges::all_of(*steps, [](double step) { return step > 0; })) return std::nullopt;
  }
  return Same{node.inputs[0], "a slice of everything"};
}

std::optional<Same> empty_pad(const Graph& graph, const Node& node) {
  if (node.has_input(1)) {
    const auto pads = constant_integers(graph, node, 1);
    if (!pads || !all_equal(*pads, 0.0)) return std::nullopt;
    return Same{node.inputs[0], "pads with nothing"};
  }
  const auto pads = node.integers(node.op.since_version == 1 ? "paddings" : "pads");
  if (pads.empty() || std::ranges::any_of(pads, [](int64_t pad) { return pad != 0; })) return std::nullopt;
  return Same{node.inputs[0], "pads with nothing"};
}

/// Whether every element of the constant is `wanted`, the sign of a zero included, and the result has the shape of
/// `other`.
bool is_neutral(const Graph& graph, ValueId constant, ValueId other, ValueId output, double wanted) {
  constexpr int64_t kMostElements = 65536;
  const Tensor& tensor = graph.value(constant).constant;
  if (tensor.empty() || tensor.elements() > kMostElements || !is_numeric(tensor.type())) return false;
  if (!scalar_beside(graph, constant, other) && !same_shape(graph, other, output)) return false;
  const bool is_float = is_arithmetic_float(tensor.type());
  return std::ranges::all_of(to_doubles(tensor), [&](double value) {
    return value == wanted && (!is_float || std::signbit(value) == std::signbit(wanted));
  });
}

/// x*1, x/1, x + -0.0 and x - 0.0 give x bit for bit (x + 0.0 does not: it makes a positive zero of a negative one).
std::optional<Same> neutral_arithmetic(const Graph& graph, const Node& node) {
  if (node.inputs.size() != 2 || !node.has_input(0) || !node.has_input(1) || !node.has_output(0)) return std::nullopt;
  const bool commutes = node.op.is("Mul") || node.op.is("Add");
  const double neutral = node.op.is("Mul") || node.op.is("Div") ? 1.0 : node.op.is("Add") ? -0.0 : 0.0;
  for (size_t constant = commutes ? 0 : 1; constant < 2; ++constant) {
    const ValueId other = node.inputs[1 - constant];
    if (is_neutral(graph, node.inputs[constant], other, node.outputs[0], neutral)) {
      return Same{other, "arithmetic that changes nothing"};
    }
  }
  return std::nullopt;
}

bool is_reshape(const Node& node) {
  return node.op.is("Reshape") || node.op.is("Flatten") || node.op.is("Squeeze") || node.op.is("Unsqueeze");
}

std::optional<Same> same_as(const Graph& graph, const Node& node) {
  if (!node.has_input(0) || !node.op.domain.empty()) return std::nullopt;
  const auto& type = node.op.type;
  if (type == "Identity") return Same{node.inputs[0], "identity"};
  if (type == "Cast" || type == "CastLike") return cast_to_same_type(graph, node);
  if (type == "Transpose") return identity_transpose(graph, node);
  if (type == "Slice") return whole_slice(graph, node);
  if (type == "Pad") return empty_pad(graph, node);
  if (type == "Mul" || type == "Div" || type == "Add" || type == "Sub") return neutral_arithmetic(graph, node);
  if (type == "Dropout") {
    if (node.has_input(2)) {
      const Tensor& training = graph.value(node.inputs[2]).constant;
      if (training.empty() || training.type() != DataType::boolean || training.values<bool>()[0]) return std::nullopt;
    }
    return Same{node.inputs[0], "dropout does nothing in inference"};
  }
  if (type == "Concat" || type == "Sum" || type == "Max" || type == "Min" || type == "Mean") {
    if (node.inputs.size() == 1) return Same{node.inputs[0], "has one input"};
    return std::nullopt;
  }
  if (is_reshape(node) || type == "Expand" || type == "Tile") {
    if (same_shape_in_and_out(graph, node)) return Same{node.inputs[0], "gives the shape that it is given"};
  }
  return std::nullopt;
}

class NoOpRemover {
 public:
  explicit NoOpRemover(PassContext& context)
      : context_(context), rewriter_(context.graph), unshaped_(context.graph.value_count(), ValueId::none) {}

  bool run() {
    for (const NodeId id : rewriter_.order()) {
      const Node& node = rewriter_.graph().node(id);
      if (!only_first_output_is_read(node)) continue;
      if (const auto same = same_as(rewriter_.graph(), node)) {
        take_out(node, *same);
      } else if (is_reshape(node)) {
        shorten_reshapes(node);
      } else if (node.op.is("Transpose")) {
        shorten_transposes(node);
      }
    }
    return rewriter_.finish();
  }

 private:
  bool only_first_output_is_read(const Node& node) const {
    if (!node.has_output(0)) return false;
    return std::all_of(node.outputs.begin() + 1, node.outputs.end(), [&](ValueId output) {
      if (output == ValueId::none) return true;
      const Value& value = rewriter_.graph().value(output);
      return value.consumers.empty() && value.output_uses == 0;
    });
  }

  /// A graph output stays a value of its own: it becomes neither an input, nor a constant, nor another output.
  bool may_stand_for(ValueId value, ValueId output) const {
    const Graph& graph = rewriter_.graph();
    return !graph.is_output(output) || (graph.producer(value) != nullptr && !graph.is_output(value));
  }

  bool take_out(const Node& node, const Same& same) {
    const ValueId output = node.outputs[0];
    if (!may_stand_for(same.value, output)) return false;
    context_.notes.add("{} is gone: {}", display_name(node), same.reason);
    rewriter_.remove(node.id, same.reason);
    rewriter_.edit().replace_uses(output, same.value);
    return true;
  }

  /// A reshape of a reshape reads the first one's input.
  void shorten_reshapes(const Node& node) {
    const Graph& graph = rewriter_.graph();
    const ValueId input = node.inputs[0];
    const ValueId start = unshaped_[index_of(input)] != ValueId::none ? unshaped_[index_of(input)] : input;
    unshaped_[index_of(node.outputs[0])] = start;
    if (start == input) return;
    if (same_shape(graph, start, node.outputs[0])) {
      take_out(node, {start, "gives the shape that an earlier reshape was given"});
      return;
    }
    if (!node.op.is("Reshape") || !is_absolute(node)) return;
    context_.notes.add("{} reshapes what an earlier reshape was given", display_name(node));
    bypass(node, start);
  }

  /// Whether the target shape means the same for every input of as many elements: no length is copied from it.
  bool is_absolute(const Node& node) const {
    const auto target = constant_integers(rewriter_.graph(), node, 1);
    return target && std::ranges::find(*target, 0.0) == target->end();
  }

  /// A transpose of a transpose becomes one, or none.
  void shorten_transposes(const Node& node) {
    const Graph& graph = rewriter_.graph();
    const Node* before = made_by(graph, node.inputs[0], "Transpose");
    if (before == nullptr) return;
    const std::span<const int64_t> first = before->integers("perm");
    const std::span<const int64_t> second = node.integers("perm");
    if (first.empty() || first.size() != second.size()) return;
    std::vector<int64_t> both;
    bool nothing = true;
    for (const int64_t axis : second) {
      if (axis < 0 || axis >= static_cast<int64_t>(first.size())) return;
      nothing &= first[static_cast<size_t>(axis)] == static_cast<int64_t>(both.size());
      both.push_back(first[static_cast<size_t>(axis)]);
    }
    const ValueId start = before->inputs[0];
    if (nothing) {
      take_out(node, {start, "undoes the transpose before it"});
      return;
    }
    context_.notes.add("{} does the work of the transpose before it too", display_name(node));
    Node& changed = rewriter_.edit().edit_node(node.id);
    for (Attribute& attribute : changed.attributes) {
      if (attribute.name == "perm") attribute = Attribute::of("perm", both);
    }
    bypass(node, start);
  }

  /// Makes the node read `start` instead of what its input's producer makes of it.
  void bypass(const Node& node, ValueId start) {
    const Node& between = *rewriter_.graph().producer(node.inputs[0]);
    const bool had_one_reader = rewriter_.graph().only_consumer(node.inputs[0]) != nullptr;
    rewriter_.edit().set_node_input(node.id, 0, start);
    if (!had_one_reader) return;
    merge_sources(rewriter_.edit().edit_node(node.id).sources, between.sources);
    rewriter_.remove_merged(between.id);
  }

  PassContext& context_;
  Rewriter rewriter_;
  std::vector<ValueId> unshaped_;  ///< by value: what the chain of reshapes that made it started from
};

}  // namespace

bool remove_no_ops(PassContext& context) {
  return NoOpRemover(context).run();
}

}  // namespace overt
