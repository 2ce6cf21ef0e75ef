#include <algorithm>
#include <optional>
#include <string_view>

#include "base/checked.h"
#include "ops/infer_context.h"
#include "ops/kernel_context.h"
#include "ops/op.h"
#include "passes/inline_branch.h"
#include "passes/passes.h"
#include "passes/rewriter.h"
#include "passes/subgraphs.h"

namespace overt {
namespace {

// A small file must not be able to ask for much memory or time at load: what is over a limit runs as any node.
constexpr int64_t kMostGrowth = int64_t{16} << 20;     ///< bytes that folding may add to one graph
constexpr int64_t kMostGain = 8;                       ///< an output may have as many times its inputs' bytes
constexpr int64_t kAlwaysAllowed = int64_t{64} << 10;  ///< bytes that are fine whatever the inputs
constexpr int64_t kMostProducts = int64_t{1} << 26;    ///< outputs times inputs, for operators that are not linear

/// Operators whose work is more than their inputs and outputs, at most the product of the two.
constexpr std::string_view kNotLinear[] = {
    "Attention",
    "AveragePool",
    "CausalConvWithState",
    "Col2Im",
    "Conv",
    "ConvInteger",
    "ConvTranspose",
    "DFT",
    "DeformConv",
    "Det",
    "Einsum",
    "GRU",
    "Gemm",
    "LRN",
    "LSTM",
    "LinearAttention",
    "LpPool",
    "MatMul",
    "MatMulInteger",
    "MaxPool",
    "MaxRoiPool",
    "MaxUnpool",
    "MelWeightMatrix",
    "NonMaxSuppression",
    "QLinearConv",
    "QLinearMatMul",
    "RNN",
    "RegexFullMatch",
    "Resize",
    "RoiAlign",
    "STFT",
    "StringSplit",
    "TfIdfVectorizer",
    "Upsample",
};

int64_t bytes_of(const Tensor& tensor) {
  return static_cast<int64_t>(tensor.bytes());
}

/// A small integer or bool tensor from contents that are all numbers; nothing otherwise.
std::optional<Tensor> from_known_elements(const ValueInfo& info) {
  const auto shape = info.concrete_shape();
  if (info.kind != ValueKind::tensor || !info.elements || !shape) return std::nullopt;
  if (shape->elements() != static_cast<int64_t>(info.elements->size())) return std::nullopt;
  if (!std::ranges::all_of(*info.elements, [](const Dim& dim) { return dim.is_number(); })) return std::nullopt;
  const auto filled = [&]<typename T>(T) {
    Tensor tensor(info.type, *shape);
    size_t i = 0;
    for (T& value : tensor.mutable_values<T>()) value = static_cast<T>((*info.elements)[i++].number());
    return tensor;
  };
  switch (info.type) {
    case DataType::int64: return filled(int64_t{});
    case DataType::int32: return filled(int32_t{});
    case DataType::boolean: return filled(bool{});
    default: return std::nullopt;
  }
}

class ConstantFolder {
 public:
  explicit ConstantFolder(PassContext& context) : context_(context), rewriter_(context.graph) {}

  bool run() {
    for (const NodeId id : rewriter_.order()) {
      if (rewriter_.gone(id)) continue;
      const Node& node = rewriter_.graph().node(id);
      if (node.op.is("If")) {
        fold_if(node);
      } else if (!node.parts && !has_subgraphs(node)) {
        fold_node(node);
      }
    }
    return rewriter_.finish();
  }

 private:
  const Value& value(ValueId id) const { return rewriter_.graph().value(id); }

  void fold_if(const Node& node) {
    if (!node.has_input(0)) return;
    const Tensor& condition = value(node.inputs[0]).constant;
    if (condition.empty() || condition.type() != DataType::boolean || condition.elements() != 1) return;
    const std::string_view branch = condition.values<bool>()[0] ? "then_branch" : "else_branch";
    if (node.subgraph(branch) == nullptr) return;
    context_.notes.add("{} always takes its {}, which takes its place", display_name(node), branch);
    inline_branch(rewriter_, node.id, branch);
  }

  void fold_node(const Node& node) {
    const OpEntry* op = find_op(node);
    if (op == nullptr || op->purity == Purity::impure) return;
    if (fold_known_elements(node)) return;
    if (op->reference == nullptr || !has_constant_inputs(node)) return;
    std::optional<std::vector<Tensor>> outputs = evaluate(node);
    if (outputs) replace_by(node, std::move(*outputs));
  }

  /// Shape arithmetic whose result is a number though its inputs are not constant.
  bool fold_known_elements(const Node& node) {
    std::vector<Tensor> outputs(node.outputs.size());
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (!node.has_output(i)) continue;
      auto known = from_known_elements(value(node.outputs[i]).info);
      if (!known) return false;
      outputs[i] = std::move(*known);
    }
    replace_by(node, std::move(outputs));
    return true;
  }

  bool has_constant_inputs(const Node& node) const {
    return std::ranges::all_of(node.inputs,
                               [&](ValueId input) { return input == ValueId::none || value(input).is_constant(); });
  }

  /// The node's outputs, or nothing where they are over a limit or no kernel here computes them.
  std::optional<std::vector<Tensor>> evaluate(const Node& node) {
    try {
      const auto bytes = affordable_bytes(node);
      if (!bytes) return std::nullopt;
      std::vector<Tensor> inputs;
      for (const ValueId input : node.inputs)
        inputs.push_back(input == ValueId::none ? Tensor() : value(input).constant);
      std::vector<Tensor> outputs = evaluate_node(node, inputs, *bytes);
      for (size_t i = 0; i < outputs.size(); ++i) {
        if (node.has_output(i) && outputs[i].empty()) return std::nullopt;  // not a tensor
      }
      return outputs;
    } catch (const Error& error) {
      if (error.code() == ErrorCode::unsupported || error.code() == ErrorCode::out_of_memory) return std::nullopt;
      if (error.code() == ErrorCode::internal) throw;
      if (context_.is_subgraph) return std::nullopt;  // the branch may never be taken
      throw Error(ErrorCode::invalid_model, error.message(), error.subject());
    }
  }

  /// The most that the outputs may take, where inference says that they stay within it; else nothing.
  std::optional<int64_t> affordable_bytes(const Node& node) {
    int64_t input_bytes = 0, input_elements = 0, freed = 0;
    std::vector<InferInput> inputs;
    for (const ValueId input : node.inputs) {
      if (input == ValueId::none) {
        inputs.push_back({});
        continue;
      }
      const Value& read = value(input);
      inputs.push_back({&read.info, &read.constant});
      input_bytes += bytes_of(read.constant);
      input_elements += read.constant.elements();
      if (rewriter_.graph().only_consumer(input) != nullptr) freed += bytes_of(read.constant);
    }
    for (const Attribute& attribute : node.attributes) {
      if (const auto* held = std::get_if<Tensor>(&attribute.payload)) input_bytes += bytes_of(*held);
    }
    const int64_t most = std::max(kAlwaysAllowed, input_bytes * kMostGain);

    int64_t output_bytes = 0, output_elements = 0;
    const std::vector<ValueInfo> outputs = infer_node(node, inputs);
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!node.has_output(i)) continue;
      if (outputs[i].kind != ValueKind::tensor) return std::nullopt;
      const auto shape = outputs[i].concrete_shape();
      if (!shape || outputs[i].type == DataType::undefined)
        continue;  // depends on data: the kernel is held to `most`
      const int64_t bytes = tensor_bytes(outputs[i].type, *shape);
      if (bytes > most) return std::nullopt;
      output_bytes += bytes;
      output_elements += shape->elements();
    }
    const auto products = checked_mul(output_elements, input_elements);
    const bool linear = std::ranges::find(kNotLinear, std::string_view(node.op.type)) == std::end(kNotLinear);
    if (!linear && (!products || *products > kMostProducts)) return std::nullopt;
    const int64_t left = kMostGrowth - growth_ + freed;
    if (output_bytes > left) return std::nullopt;
    return std::min(left, std::max(most, output_bytes));
  }

  void replace_by(const Node& node, std::vector<Tensor> outputs) {
    int64_t bytes = 0;
    for (const Tensor& output : outputs) bytes += bytes_of(output);
    for (const ValueId input : node.inputs) {
      if (input != ValueId::none && rewriter_.graph().only_consumer(input) != nullptr) {
        bytes -= bytes_of(value(input).constant);
      }
    }
    growth_ += std::max<int64_t>(0, bytes);
    context_.notes.add("{} is a constant", display_name(node));
    const std::vector<ValueId> ids = node.outputs;
    rewriter_.remove(node.id, "folded into a constant");
    for (size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] != ValueId::none) rewriter_.edit().set_constant(ids[i], std::move(outputs[i]));
    }
  }

  PassContext& context_;
  Rewriter rewriter_;
  int64_t growth_ = 0;
};

}  // namespace

bool fold_constants(PassContext& context) {
  return ConstantFolder(context).run();
}

}  // namespace overt
