#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ops/fused.h"
#include "passes/fuse.h"
#include "passes/match.h"
#include "passes/numbers.h"
#include "passes/passes.h"
#include "passes/rewriter.h"

namespace overt {
namespace {

/// One of q, k, v: what it is read from, once scalings and transposes in front of the products are taken in.
struct Operand {
  ValueId value = ValueId::none;
  std::string axes;  ///< letters of its axes, outermost first
  double scale = 1.0;
  std::vector<NodeId> nodes;
};

std::optional<AttentionLayout> layout_named(std::string_view axes) {
  for (const AttentionLayout layout : {AttentionLayout::bhsd, AttentionLayout::bshd, AttentionLayout::bhds,
                                       AttentionLayout::bsd, AttentionLayout::bds}) {
    if (attention_layout_name(layout) == axes) return layout;
  }
  return std::nullopt;
}

bool is_key_layout(std::string_view axes) {
  return axes == "bhds" || axes == "bds";
}

/// The letters of a transpose's input, given those of its output.
std::optional<std::string> axes_before(const Node& transpose, std::string_view after) {
  const std::span<const int64_t> perm = transpose.integers("perm");
  if (perm.size() != after.size()) return std::nullopt;
  std::string before(after.size(), '?');
  for (size_t i = 0; i < perm.size(); ++i) {
    if (perm[i] < 0 || perm[i] >= static_cast<int64_t>(perm.size())) return std::nullopt;
    before[static_cast<size_t>(perm[i])] = after[i];
  }
  return before;
}

struct Attention {
  FusedAttentionAttributes attributes;
  std::vector<ValueId> inputs;  ///< q, k, v, [mask]
  std::vector<NodeId> nodes;
  NodeId root = NodeId::none;
};

class AttentionMatch {
 public:
  explicit AttentionMatch(const Graph& graph) : graph_(graph) {}

  std::optional<Attention> find(const Node& softmax) {
    if (!is_over_last_axis(softmax)) return std::nullopt;
    const Node* root = graph_.only_consumer(softmax.outputs[0]);
    if (root == nullptr || !root->op.is("MatMul") || root->inputs[0] != softmax.outputs[0]) return std::nullopt;
    rank_ = graph_.value(softmax.outputs[0]).info.rank().value_or(0);
    if (rank_ != 3 && rank_ != 4) return std::nullopt;
    found_.nodes = {softmax.id, root->id};
    const auto product = read_scores(softmax.inputs[0]);
    if (!product) return std::nullopt;

    const Operand q = read_operand(product->first, axes("bhsd"), /*scales=*/true, /*is_key=*/false);
    const Operand k = read_operand(product->second, axes("bhds"), /*scales=*/true, /*is_key=*/true);
    const Operand v = read_operand(root->inputs[1], axes("bhsd"), /*scales=*/false, /*is_key=*/false);
    if (!fits(q, k, v)) return std::nullopt;
    for (const Operand* operand : {&q, &k, &v}) {
      scale_ *= operand->scale;
      found_.nodes.insert(found_.nodes.end(), operand->nodes.begin(), operand->nodes.end());
    }
    finish(q, k, v, *root);
    if (!is_closed(graph_, found_.nodes, found_.root)) return std::nullopt;
    return std::move(found_);
  }

 private:
  /// The letters without the head axis where the tensors have three axes.
  std::string axes(std::string letters) const {
    if (rank_ == 3) std::erase(letters, 'h');
    return letters;
  }

  bool is_over_last_axis(const Node& softmax) const {
    const auto rank = graph_.value(softmax.inputs[0]).info.rank();
    if (!rank) return false;
    const int64_t axis = softmax.integer("axis", softmax.op.since_version < 13 ? 1 : -1);
    return axis == -1 || axis == *rank - 1;
  }

  /// Follows the scores up through mask and scale to the product of q and the transposed k.
  std::optional<std::pair<ValueId, ValueId>> read_scores(ValueId scores) {
    if (const Node* sum = made_by(graph_, scores, "Add"); sum != nullptr && sum->inputs.size() == 2) {
      for (size_t i = 0; i < 2; ++i) {
        const ValueId mask = sum->inputs[1 - i];
        if (!is_mask(mask, scores)) continue;
        if (const auto product = read_scaled(sum->inputs[i], {sum->id})) {
          mask_ = mask;
          return product;
        }
      }
      return std::nullopt;
    }
    return read_scaled(scores, {});
  }

  std::optional<std::pair<ValueId, ValueId>> read_scaled(ValueId scores, std::vector<NodeId> nodes) {
    const Product product = factorise(graph_, scores);
    if (product.factors.size() != 1) return std::nullopt;
    const Node* matmul = made_by(graph_, product.factors[0], "MatMul");
    if (matmul == nullptr || graph_.only_consumer(product.factors[0]) == nullptr) return std::nullopt;
    scale_ = product.coefficient;
    found_.nodes.insert(found_.nodes.end(), nodes.begin(), nodes.end());
    found_.nodes.insert(found_.nodes.end(), product.nodes.begin(), product.nodes.end());
    found_.nodes.push_back(matmul->id);
    return std::pair(matmul->inputs[0], matmul->inputs[1]);
  }

  /// Whether the value broadcasts to the scores without growing them.
  bool is_mask(ValueId mask, ValueId scores) const {
    const auto& from = graph_.value(mask).info.shape;
    const auto& to = graph_.value(scores).info.shape;
    if (!from || !to || from->size() > to->size()) return false;
    const size_t offset = to->size() - from->size();
    for (size_t i = 0; i < from->size(); ++i) {
      const Dim& length = (*from)[i];
      if (!(length == (*to)[offset + i]) && !(length == Dim(1))) return false;
    }
    return true;
  }

  /// Takes in the scalings and transposes before a product that nothing else reads.
  Operand read_operand(ValueId value, std::string letters, bool scales, bool is_key) const {
    Operand operand{value, std::move(letters), 1.0, {}};
    Operand best = operand;  // a transpose may lead to a layout that kernels know only together with another
    while (graph_.only_consumer(operand.value) != nullptr) {
      const Node* node = graph_.producer(operand.value);
      if (node == nullptr) break;
      if (node->op.is("Transpose")) {
        auto before = axes_before(*node, operand.axes);
        if (!before) break;
        operand.axes = std::move(*before);
        operand.value = node->inputs[0];
      } else if (scales && (node->op.is("Mul") || node->op.is("Div"))) {
        const auto scaled = with_scalar(graph_, *node, /*either_order=*/node->op.is("Mul"));
        if (!scaled || scaled->scalar == 0.0) break;
        operand.scale = node->op.is("Mul") ? operand.scale * scaled->scalar : operand.scale / scaled->scalar;
        operand.value = scaled->value;
      } else {
        break;
      }
      operand.nodes.push_back(node->id);
      if (layout_named(operand.axes) && (is_key || !is_key_layout(operand.axes))) best = operand;
      if (operand.nodes.size() == 4) break;
    }
    return best;
  }

  const Dim* length(const Operand& operand, char axis) const {
    const auto& shape = graph_.value(operand.value).info.shape;
    const size_t at = operand.axes.find(axis);
    if (!shape || shape->size() != operand.axes.size() || at == std::string::npos) return nullptr;
    return &(*shape)[at];
  }

  bool same_length(const Operand& a, const Operand& b, char axis) const {
    const Dim* first = length(a, axis);
    const Dim* second = length(b, axis);
    return first != nullptr && second != nullptr && *first == *second;
  }

  bool fits(const Operand& q, const Operand& k, const Operand& v) const {
    const DataType type = type_of(graph_, q.value);
    if (!is_fusable_float(type) || type_of(graph_, k.value) != type || type_of(graph_, v.value) != type) return false;
    const bool heads = rank_ == 3 || (same_length(q, k, 'h') && same_length(q, v, 'h'));
    return heads && same_length(q, k, 'b') && same_length(q, v, 'b') && same_length(q, k, 'd') &&
           same_length(k, v, 's');
  }

  void finish(const Operand& q, const Operand& k, const Operand& v, const Node& root) {
    found_.attributes.scale = static_cast<float>(scale_);
    found_.attributes.q = *layout_named(q.axes);
    found_.attributes.k = *layout_named(k.axes);
    found_.attributes.v = *layout_named(v.axes);
    found_.attributes.y = *layout_named(axes("bhsd"));
    found_.inputs = {q.value, k.value, v.value};
    if (mask_ != ValueId::none) found_.inputs.push_back(mask_);
    found_.root = root.id;
    const Node* after = graph_.only_consumer(root.outputs[0]);
    if (rank_ != 4 || after == nullptr || !after->op.is("Transpose")) return;
    const std::span<const int64_t> perm = after->integers("perm");
    if (!std::ranges::equal(perm, std::vector<int64_t>{0, 2, 1, 3})) return;
    found_.attributes.y = AttentionLayout::bshd;
    found_.nodes.push_back(after->id);
    found_.root = after->id;
  }

  const Graph& graph_;
  int64_t rank_ = 0;
  double scale_ = 1.0;
  ValueId mask_ = ValueId::none;
  Attention found_;
};

}  // namespace

bool recognise_attention(PassContext& context) {
  Rewriter rewriter(context.graph);
  const Graph& graph = rewriter.graph();
  for (const NodeId id : rewriter.order()) {
    if (rewriter.gone(id)) continue;
    const Node& softmax = graph.node(id);
    if (!softmax.op.is("Softmax") || !softmax.has_input(0) || !softmax.has_output(0)) continue;
    auto found = AttentionMatch(graph).find(softmax);
    if (!found) continue;
    context.notes.add("{} is the middle of {} nodes that are attention", display_name(softmax), found->nodes.size());
    Node fused;
    fused.op = {std::string(kPrivateDomain), std::string(kFusedAttention), 1};
    fused.name = softmax.name;
    fused.inputs = found->inputs;
    set_fused_attention(fused, found->attributes);
    fuse(rewriter, found->nodes, found->root, std::move(fused));
  }
  return rewriter.finish();
}

}  // namespace overt
