#include <cmath>
#include <numbers>
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

/// An activation found: the nodes that compute it (the root first) and the operator that stands for them.
struct Found {
  ValueId input = ValueId::none;
  std::vector<NodeId> nodes;
  OpName op;
  std::vector<Attribute> attributes;

  void add(const Node* node) { nodes.push_back(node->id); }
  void add(const Product& product) { nodes.insert(nodes.end(), product.nodes.begin(), product.nodes.end()); }
};

/// Tests the products that end at one multiplication. `x` is a factor of the product, `rest` the other one.
class ActivationMatch {
 public:
  ActivationMatch(const Graph& graph, const Product& product, ValueId x)
      : graph_(graph), product_(product), x_(x), rest_(product.other_than(x)), type_(type_of(graph, x)) {}

  std::optional<Found> find() const {
    if (rest_ == ValueId::none) return std::nullopt;
    if (auto found = silu()) return found;
    if (auto found = hard_swish()) return found;
    return gelu();
  }

 private:
  Found start(std::string type, int since_version) const {
    Found found;
    found.input = x_;
    found.op = {"", std::move(type), since_version};
    found.add(product_);
    return found;
  }
  bool about(double value, double wanted) const { return is_about(value, wanted, type_); }

  /// x * sigmoid(alpha*x)
  std::optional<Found> silu() const {
    const Node* sigmoid = made_by(graph_, rest_, "Sigmoid");
    if (sigmoid == nullptr || product_.coefficient != 1.0 || type_ == DataType::float64) return std::nullopt;
    Found found = start("Swish", 24);
    found.add(sigmoid);
    float alpha = 1.0f;
    if (sigmoid->inputs[0] != x_) {
      const Product inside = factorise(graph_, sigmoid->inputs[0]);
      if (!inside.is_power(x_, 1)) return std::nullopt;
      alpha = static_cast<float>(inside.coefficient);
      found.add(inside);
    }
    found.attributes.push_back(Attribute::of("alpha", alpha));
    return found;
  }

  /// x * HardSigmoid(x) with 1/6 and 1/2, or x * clip(x + 3, 0, 6) / 6
  std::optional<Found> hard_swish() const {
    if (type_ == DataType::bfloat16) return std::nullopt;
    Found found = start("HardSwish", 14);
    if (const Node* hard = made_by(graph_, rest_, "HardSigmoid")) {
      found.add(hard);
      const bool usual = about(hard->real("alpha", 0.2f), 1.0 / 6.0) && about(hard->real("beta", 0.5f), 0.5);
      if (!usual || hard->inputs[0] != x_ || !about(product_.coefficient, 1.0)) return std::nullopt;
      return found;
    }
    const Node* clip = made_by(graph_, rest_, "Clip");
    if (clip == nullptr || !about(product_.coefficient, 1.0 / 6.0) || !clips_to_six(*clip)) return std::nullopt;
    const Node* sum = made_by(graph_, clip->inputs[0], "Add");
    const auto three = sum != nullptr ? with_scalar(graph_, *sum, /*either_order=*/true) : std::nullopt;
    if (!three || three->value != x_ || three->scalar != 3.0) return std::nullopt;
    found.add(clip);
    found.add(sum);
    return found;
  }

  bool clips_to_six(const Node& clip) const {
    if (clip.op.since_version < 11) return clip.real("min", -1.0f) == 0.0f && clip.real("max", 0.0f) == 6.0f;
    if (!clip.has_input(1) || !clip.has_input(2)) return false;
    return scalar_value(graph_, clip.inputs[1]) == 0.0 && scalar_value(graph_, clip.inputs[2]) == 6.0;
  }

  /// x/2 * (1 + erf(x/sqrt(2))), or x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715*x^3)))
  std::optional<Found> gelu() const {
    const Node* sum = made_by(graph_, rest_, "Add");
    const auto one = sum != nullptr ? with_scalar(graph_, *sum, /*either_order=*/true) : std::nullopt;
    if (!one || one->scalar != 1.0 || !about(product_.coefficient, 0.5)) return std::nullopt;
    Found found = start("Gelu", 20);
    found.add(sum);
    if (const Node* erf = made_by(graph_, one->value, "Erf")) {
      const Product inside = factorise(graph_, erf->inputs[0]);
      if (!inside.is_power(x_, 1) || !about(inside.coefficient, std::numbers::sqrt2 / 2)) return std::nullopt;
      found.add(erf);
      found.add(inside);
      found.attributes.push_back(Attribute::of("approximate", std::string("none")));
      return found;
    }
    const Node* tanh = made_by(graph_, one->value, "Tanh");
    if (tanh == nullptr || !is_tanh_argument(tanh->inputs[0], found)) return std::nullopt;
    found.add(tanh);
    found.attributes.push_back(Attribute::of("approximate", std::string("tanh")));
    return found;
  }

  /// sqrt(2/pi) * (x + c*x^3), or sqrt(2/pi) * x * (1 + c*x^2), with c = 0.044715
  bool is_tanh_argument(ValueId id, Found& found) const {
    const Product outside = factorise(graph_, id);
    if (!about(outside.coefficient, std::sqrt(2.0 / std::numbers::pi))) return false;
    found.add(outside);
    const bool factored = outside.factors.size() == 2;
    const ValueId sum_id = factored ? outside.other_than(x_) : outside.factors[0];
    const Node* sum = made_by(graph_, sum_id, "Add");
    if (sum == nullptr || sum->inputs.size() != 2 || outside.factors.size() > 2) return false;
    ValueId power = ValueId::none;
    if (factored) {
      const auto one = with_scalar(graph_, *sum, /*either_order=*/true);
      if (!one || one->scalar != 1.0) return false;
      power = one->value;
    } else {
      if (sum->inputs[0] != x_ && sum->inputs[1] != x_) return false;
      power = sum->inputs[0] == x_ ? sum->inputs[1] : sum->inputs[0];
    }
    const Product cube = factorise(graph_, power);
    if (!cube.is_power(x_, factored ? 2 : 3) || !about(cube.coefficient, 0.044715)) return false;
    found.add(sum);
    found.add(cube);
    return true;
  }

  const Graph& graph_;
  const Product& product_;
  ValueId x_;
  ValueId rest_;
  DataType type_;
};

std::optional<Found> find_activation(const Graph& graph, const Node& root) {
  const Product product = factorise(graph, root.outputs[0]);
  if (product.factors.size() != 2) return std::nullopt;
  for (const ValueId x : product.factors) {
    if (!is_arithmetic_float(type_of(graph, x))) continue;
    auto found = ActivationMatch(graph, product, x).find();
    if (found && is_closed(graph, found->nodes, root.id)) return found;
  }
  return std::nullopt;
}

}  // namespace

bool recognise_activations(PassContext& context) {
  Rewriter rewriter(context.graph);
  for (const NodeId id : rewriter.order()) {
    if (rewriter.gone(id)) continue;
    const Node& root = rewriter.graph().node(id);
    if ((!root.op.is("Mul") && !root.op.is("Div")) || !root.has_output(0)) continue;
    auto found = find_activation(rewriter.graph(), root);
    if (!found) continue;
    context.notes.add(
        "{} and the {} before it are {}", display_name(root),
        found->nodes.size() == 2 ? std::string("node") : fmt::format("{} nodes", found->nodes.size() - 1),
        found->op.to_string());
    Node fused;
    fused.op = std::move(found->op);
    fused.name = root.name;
    fused.inputs = {found->input};
    fused.attributes = std::move(found->attributes);
    fuse(rewriter, found->nodes, id, std::move(fused));
  }
  return rewriter.finish();
}

}  // namespace overt
