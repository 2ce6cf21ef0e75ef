#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "passes/channel_affine.h"
#include "passes/match.h"
#include "passes/numbers.h"
#include "passes/passes.h"
#include "passes/rewriter.h"

namespace overt {
namespace {

/// Bytes of new weights for those that other nodes read too: these are kept beside the old ones.
constexpr int64_t kMostGrowth = int64_t{16} << 20;

/// An operator with constant weights that is linear in each output channel.
struct LinearNode {
  int64_t channels = 0;
  int64_t rank = 0;          ///< of its result
  int64_t channel_axis = 1;  ///< of its result
  bool takes_bias = true;
  Tensor weight;
  std::vector<double> bias;  ///< one per channel; empty: none
};

int64_t axis_length(const Tensor& tensor, int64_t axis) {
  return tensor.shape()[axis];
}

/// The bias as one number per channel: zeros where it is absent; nothing where it is not such a constant.
std::optional<std::vector<double>> channel_bias(const Graph& graph, const Node& node, int64_t channels, double beta) {
  if (!node.has_input(2)) return std::vector<double>(static_cast<size_t>(channels), 0.0);
  const Tensor& constant = graph.value(node.inputs[2]).constant;
  if (constant.empty() || constant.elements() != channels) return std::nullopt;
  if (constant.shape().rank() == 0 || axis_length(constant, constant.shape().rank() - 1) != channels)
    return std::nullopt;
  std::vector<double> bias = to_doubles(constant);
  for (double& value : bias) value *= beta;
  return bias;
}

std::optional<LinearNode> read_linear(const Graph& graph, const Node& node) {
  if (!node.has_input(1) || node.parts) return std::nullopt;
  const Tensor& weight = graph.value(node.inputs[1]).constant;
  if (weight.empty() || !is_arithmetic_float(weight.type())) return std::nullopt;
  LinearNode linear;
  linear.weight = weight;
  linear.rank = weight.shape().rank();
  double beta = 1.0;
  if (node.op.is("Conv") && linear.rank >= 3) {
    linear.channels = axis_length(weight, 0);
  } else if (node.op.is("ConvTranspose") && linear.rank >= 3) {
    const int64_t groups = node.integer("group", 1);
    if (groups <= 0 || axis_length(weight, 0) % groups != 0) return std::nullopt;
    linear.channels = axis_length(weight, 1) * groups;
  } else if (node.op.is("Gemm") && linear.rank == 2 && node.op.since_version >= 7) {
    linear.channels = axis_length(weight, node.integer("transB", 0) != 0 ? 0 : 1);
    beta = node.real("beta", 1.0f);
  } else if (node.op.is("MatMul") && linear.rank == 2) {
    const auto rank = graph.value(node.inputs[0]).info.rank();
    if (!rank || *rank < 2) return std::nullopt;
    linear.rank = *rank;
    linear.channel_axis = *rank - 1;
    linear.channels = axis_length(weight, 1);
    linear.takes_bias = false;
    return linear;
  } else {
    return std::nullopt;
  }
  auto bias = channel_bias(graph, node, linear.channels, beta);
  if (!bias) return std::nullopt;
  linear.bias = std::move(*bias);
  return linear;
}

/// The output channel that element `i` of the weights belongs to.
size_t channel_of(const Node& node, const Shape& shape, int64_t i) {
  if (node.op.is("Conv")) return static_cast<size_t>(i / shape.elements(1, shape.rank()));
  if (node.op.is("ConvTranspose")) {
    const int64_t window = shape.elements(2, shape.rank());
    const int64_t group = i / (window * shape[1]) / (shape[0] / node.integer("group", 1));
    return static_cast<size_t>(group * shape[1] + i / window % shape[1]);
  }
  const bool rows = node.op.is("Gemm") && node.integer("transB", 0) != 0;
  return static_cast<size_t>(rows ? i / shape[1] : i % shape[1]);
}

/// Whether the type holds the weights as well as it held the old ones: nothing overflows, and no 16-bit channel
/// sinks to where numbers lose digits.
bool holds(DataType type, const std::vector<double>& scaled, const Tensor& rounded) {
  const std::vector<double> stored = to_doubles(rounded);
  for (size_t i = 0; i < stored.size(); ++i) {
    if (!std::isfinite(stored[i])) return false;
    constexpr double kSmallestNormalHalf = 6.1035e-5;
    const double size = std::abs(scaled[i]);
    if (type == DataType::float16 && size != 0.0 && size < kSmallestNormalHalf / 16 && stored[i] == 0.0) return false;
  }
  return true;
}

class BatchNormFolder {
 public:
  explicit BatchNormFolder(PassContext& context) : context_(context), rewriter_(context.graph) {}

  bool run() {
    for (const NodeId id : rewriter_.order()) {
      if (!rewriter_.gone(id)) fold_into(id);
    }
    return rewriter_.finish();
  }

 private:
  void fold_into(NodeId id) {
    const Graph& graph = rewriter_.graph();
    const auto linear = read_linear(graph, graph.node(id));
    if (!linear) return;
    ChannelAffine affine(linear->channels);
    std::vector<NodeId> followers;
    ValueId end = graph.node(id).outputs[0];
    while (const Node* next = graph.only_consumer(end)) {
      auto step = read_channel_affine(graph, *next, end, {linear->channels, linear->rank, linear->channel_axis});
      if (!step || (!linear->takes_bias && step->shifts())) break;
      affine.then(*step);
      followers.push_back(next->id);
      end = next->outputs[0];
    }
    if (!followers.empty()) apply(id, *linear, affine, followers, end);
  }

  void apply(NodeId id, const LinearNode& linear, const ChannelAffine& affine, const std::vector<NodeId>& followers,
             ValueId end) {
    const Graph& graph = rewriter_.graph();
    const Node& node = graph.node(id);
    const DataType type = linear.weight.type();
    std::vector<double> weights = to_doubles(linear.weight);
    for (size_t i = 0; i < weights.size(); ++i) {
      weights[i] *= affine.scale[channel_of(node, linear.weight.shape(), static_cast<int64_t>(i))];
    }
    Tensor weight = from_doubles(type, linear.weight.shape(), weights);
    std::vector<double> biases = linear.takes_bias ? affine.applied(linear.bias) : std::vector<double>();
    Tensor bias = from_doubles(type, Shape{static_cast<int64_t>(biases.size())}, biases);
    if (!holds(type, weights, weight) || !holds(type, biases, bias) || !affordable(node, weight)) return;

    const std::string names = fold_names(followers);
    context_.notes.add("{} takes {} into its weights", display_name(node), names);
    Node folded = node.clone();
    for (const NodeId follower : followers) merge_sources(folded.sources, graph.node(follower).sources);
    const std::string weight_name = graph.value(node.inputs[1]).name + ".scaled";
    folded.inputs[1] = rewriter_.edit().add_constant(weight_name, std::move(weight));
    if (linear.takes_bias) {
      folded.inputs.resize(3, ValueId::none);
      folded.inputs[2] = rewriter_.edit().add_constant(weight_name + ".bias", std::move(bias));
      folded.explicit_inputs = 3;
      std::erase_if(folded.attributes, [](const Attribute& attribute) { return attribute.name == "beta"; });
    }
    folded.outputs = {end};
    for (const NodeId follower : followers) rewriter_.remove_merged(follower);
    rewriter_.replace(id, std::move(folded));
  }

  bool affordable(const Node& node, const Tensor& weight) {
    if (rewriter_.graph().only_consumer(node.inputs[1]) != nullptr) return true;
    if (growth_ + static_cast<int64_t>(weight.bytes()) > kMostGrowth) return false;
    growth_ += static_cast<int64_t>(weight.bytes());
    return true;
  }

  std::string fold_names(const std::vector<NodeId>& followers) const {
    std::string names;
    for (const NodeId follower : followers) {
      if (!names.empty()) names += ", ";
      names += display_name(rewriter_.graph().node(follower));
    }
    return names;
  }

  PassContext& context_;
  Rewriter rewriter_;
  int64_t growth_ = 0;
};

}  // namespace

bool fold_batch_norm(PassContext& context) {
  return BatchNormFolder(context).run();
}

}  // namespace overt
