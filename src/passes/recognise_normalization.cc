#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "passes/fuse.h"
#include "passes/match.h"
#include "passes/numbers.h"
#include "passes/passes.h"
#include "passes/rewriter.h"

namespace overt {
namespace {

/// (x - mean(x)) / sqrt(mean((x - mean(x))^2) + epsilon), or without the means where `centred` is false.
struct Normalization {
  ValueId x = ValueId::none;
  int64_t axis = 0;  ///< non-negative; the axes from here to the last are normalised
  double epsilon = 0.0;
  bool centred = false;
  NodeId root = NodeId::none;
  std::vector<NodeId> nodes;
};

/// The first of the axes over which a ReduceMean that keeps them works, where these are the last ones.
std::optional<int64_t> trailing_axis(const Graph& graph, const Node& mean) {
  const auto rank = graph.value(mean.inputs[0]).info.rank();
  if (!rank || mean.integer("keepdims", 1) != 1) return std::nullopt;
  std::vector<int64_t> axes(mean.integers("axes").begin(), mean.integers("axes").end());
  if (mean.has_input(1)) {
    const Tensor& constant = graph.value(mean.inputs[1]).constant;
    if (constant.type() != DataType::int64) return std::nullopt;
    axes.assign(constant.values<int64_t>().begin(), constant.values<int64_t>().end());
  }
  for (int64_t& axis : axes) axis += axis < 0 ? *rank : 0;
  std::ranges::sort(axes);
  if (axes.empty() || axes.front() < 0) return std::nullopt;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] != *rank - static_cast<int64_t>(axes.size() - i)) return std::nullopt;
  }
  return axes.front();
}

class NormalizationMatch {
 public:
  explicit NormalizationMatch(const Graph& graph) : graph_(graph) {}

  /// `root` is the division by the deviation, or the multiplication by its reciprocal.
  std::optional<Normalization> find(const Node& root) {
    if (root.inputs.size() != 2) return std::nullopt;
    if (root.op.is("Div")) return find(root, root.inputs[0], root.inputs[1], /*inverse=*/false);
    if (auto found = find(root, root.inputs[0], root.inputs[1], /*inverse=*/true)) return found;
    return find(root, root.inputs[1], root.inputs[0], /*inverse=*/true);
  }

 private:
  std::optional<Normalization> find(const Node& root, ValueId numerator, ValueId deviation, bool inverse) {
    Normalization found;
    found.root = root.id;
    found.nodes = {root.id};
    const auto variance = variance_under_root(deviation, inverse, found);
    if (!variance) return std::nullopt;
    const Node* sum = made_by(graph_, *variance, "Add");
    const auto parts = sum != nullptr ? with_scalar(graph_, *sum, /*either_order=*/true) : std::nullopt;
    if (!parts || !(parts->scalar >= 0.0) || !std::isfinite(parts->scalar)) return std::nullopt;
    found.epsilon = parts->scalar;
    const Node* mean = made_by(graph_, parts->value, "ReduceMean");
    if (mean == nullptr) return std::nullopt;
    const auto axis = trailing_axis(graph_, *mean);
    if (!axis) return std::nullopt;
    found.axis = *axis;
    found.nodes.push_back(sum->id);
    found.nodes.push_back(mean->id);
    const Product square = factorise(graph_, mean->inputs[0]);
    if (square.factors.size() != 2 || square.factors[0] != square.factors[1] || square.coefficient != 1.0) {
      return std::nullopt;
    }
    found.nodes.insert(found.nodes.end(), square.nodes.begin(), square.nodes.end());
    if (!match_centre(numerator, square.factors[0], found)) return std::nullopt;
    return found;
  }

  /// The value under the square root: through Sqrt, 1/Sqrt, or Pow with 1/2 or -1/2.
  std::optional<ValueId> variance_under_root(ValueId deviation, bool inverse, Normalization& found) const {
    const Node* node = graph_.producer(deviation);
    if (node == nullptr) return std::nullopt;
    if (node->op.is("Pow")) {
      const auto power = with_scalar(graph_, *node, /*either_order=*/false);
      if (!power || power->scalar != (inverse ? -0.5 : 0.5)) return std::nullopt;
      found.nodes.push_back(node->id);
      return power->value;
    }
    if (inverse) {
      ValueId inner = ValueId::none;
      if (node->op.is("Reciprocal")) inner = node->inputs[0];
      if (node->op.is("Div") && node->inputs.size() == 2 &&
          scalar_beside(graph_, node->inputs[0], node->inputs[1]) == 1.0) {
        inner = node->inputs[1];
      }
      if (inner == ValueId::none) return std::nullopt;
      found.nodes.push_back(node->id);
      node = graph_.producer(inner);
    }
    if (node == nullptr || !node->op.is("Sqrt")) return std::nullopt;
    found.nodes.push_back(node->id);
    return node->inputs[0];
  }

  /// Finds x: the numerator itself, or what the mean is taken from in the numerator and below the square.
  bool match_centre(ValueId numerator, ValueId squared, Normalization& found) const {
    const Node* centre = made_by(graph_, numerator, "Sub");
    if (centre != nullptr && match_mean(*centre, found)) {
      found.centred = true;
      found.x = centre->inputs[0];
      found.nodes.push_back(centre->id);
      if (squared == numerator) return true;
      const Node* twin = made_by(graph_, squared, "Sub");
      if (twin == nullptr || twin->inputs != centre->inputs) return false;
      found.nodes.push_back(twin->id);
      return true;
    }
    found.x = numerator;
    return squared == numerator;
  }

  /// Whether the node takes away the mean over the axes that are normalised.
  bool match_mean(const Node& centre, Normalization& found) const {
    if (centre.inputs.size() != 2) return false;
    const Node* mean = made_by(graph_, centre.inputs[1], "ReduceMean");
    if (mean == nullptr || mean->inputs[0] != centre.inputs[0]) return false;
    if (trailing_axis(graph_, *mean) != found.axis) return false;
    found.nodes.push_back(mean->id);
    return true;
  }

  const Graph& graph_;
};

/// The other operand of a Mul or Add that alone reads `value`, where it has the shape of the normalised axes.
struct Parameter {  // node null: there is none
  const Node* node = nullptr;
  ValueId value = ValueId::none;
};
Parameter find_parameter(const Graph& graph, ValueId value, std::string_view op, const Dims& wanted) {
  const Node* node = graph.only_consumer(value);
  if (node == nullptr || !node->op.is(op) || node->inputs.size() != 2) return {};
  const ValueId other = node->inputs[0] == value ? node->inputs[1] : node->inputs[0];
  if (other == ValueId::none || other == value) return {};
  const ValueInfo& info = graph.value(other).info;
  if (!info.shape || *info.shape != wanted) return {};
  return {node, other};
}

class NormalizationRecogniser {
 public:
  explicit NormalizationRecogniser(PassContext& context) : context_(context), rewriter_(context.graph) {}

  bool run() {
    for (const NodeId id : rewriter_.order()) {
      if (rewriter_.gone(id)) continue;
      const Node& root = rewriter_.graph().node(id);
      if ((!root.op.is("Div") && !root.op.is("Mul")) || !root.has_output(0)) continue;
      auto found = NormalizationMatch(rewriter_.graph()).find(root);
      if (found) replace(std::move(*found));
    }
    return rewriter_.finish();
  }

 private:
  void replace(Normalization found) {
    const Graph& graph = rewriter_.graph();
    const ValueInfo& info = graph.value(found.x).info;
    const DataType type = info.type;
    if (!info.shape || static_cast<int64_t>(info.shape->size()) <= found.axis) return;
    if (type != DataType::float32 && type != DataType::float16 && type != DataType::bfloat16) return;
    const Dims normalised(info.shape->begin() + found.axis, info.shape->end());
    ValueId end = graph.node(found.root).outputs[0];
    const Parameter scale = find_parameter(graph, end, "Mul", normalised);
    if (scale.node != nullptr) {
      found.nodes.push_back(scale.node->id);
      found.root = scale.node->id;
      end = scale.node->outputs[0];
    }
    const Parameter shift = found.centred ? find_parameter(graph, end, "Add", normalised) : Parameter();
    if (shift.node != nullptr) {
      found.nodes.push_back(shift.node->id);
      found.root = shift.node->id;
    }
    if (!is_closed(graph, found.nodes, found.root)) return;
    const ValueId ones = scale.node != nullptr ? scale.value : make_ones(type, normalised);
    if (ones == ValueId::none) return;

    Node fused;
    fused.op = {"", found.centred ? "LayerNormalization" : "RMSNormalization", found.centred ? 17 : 23};
    fused.name = graph.node(found.root).name;
    fused.inputs = {found.x, ones};
    if (shift.node != nullptr) fused.inputs.push_back(shift.value);
    fused.attributes.push_back(Attribute::of("axis", found.axis));
    fused.attributes.push_back(Attribute::of("epsilon", static_cast<float>(found.epsilon)));
    context_.notes.add("{} ends {} nodes that are {}", display_name(graph.node(found.root)), found.nodes.size(),
                       fused.op.to_string());
    fuse(rewriter_, found.nodes, found.root, std::move(fused));
  }

  /// None where a length is not known, or there are too many.
  ValueId make_ones(DataType type, const Dims& dims) {
    constexpr int64_t kMostElements = int64_t{1} << 20;
    Shape shape;
    for (const Dim& dim : dims) {
      if (!dim.is_number()) return ValueId::none;
      shape.push_back(dim.number());
    }
    const int64_t count = shape.elements();
    if (count > kMostElements) return ValueId::none;
    const std::vector<double> values(static_cast<size_t>(count), 1.0);
    return rewriter_.edit().add_constant("ones", from_doubles(type, shape, values));
  }

  PassContext& context_;
  Rewriter rewriter_;
};

}  // namespace

bool recognise_normalization(PassContext& context) {
  return NormalizationRecogniser(context).run();
}

}  // namespace overt
