#include <fmt/core.h>

#include <algorithm>

#include "providers/cpu/lower_epilogue.h"
#include "providers/cpu/lowerings.h"
#include "providers/cpu/onednn/matmul.h"

namespace overt::cpu {
namespace {

std::string refuse(const LowerContext& context) {
  if (!context.device.onednn) return context.device.onednn_refusal;
  for (size_t i = 0; i < 2; ++i) {
    const ValueId operand = context.input(i);
    if (!context.is_float32(operand)) return fmt::format("{} is not float32", data_type_name(context.type(operand)));
    if (context.shape(operand).elements() == 0) return "empty tensors";
    if (context.shape(operand).rank() < 2) return "a vector operand";
  }
  return {};
}

/// [batch..., rows, columns] with leading axes of length 1 up to `rank`; `transposed`: the last two axes are read
/// the other way round.
onednn::MatrixView matrix(const Shape& shape, int64_t rank, bool transposed) {
  std::vector<int64_t> dims(static_cast<size_t>(rank - shape.rank()), 1);
  dims.insert(dims.end(), shape.begin(), shape.end());
  onednn::MatrixView view = onednn::dense_matrix(std::move(dims));
  if (transposed) {
    const size_t last = view.dims.size() - 1;
    std::swap(view.dims[last], view.dims[last - 1]);
    std::swap(view.strides[last], view.strides[last - 1]);
  }
  return view;
}

/// The product as one matrix [rows, K] times one matrix where the batch belongs to `a` alone.
Shape flattened(const Shape& shape) {
  return Shape{shape.elements(0, shape.rank() - 1), shape[shape.rank() - 1]};
}

/// A row-major operand of the epilogue, seen through the same flattening; nothing where it is broadcast otherwise.
std::optional<Layout> flattened_operand(const Shape& operand, const Shape& y) {
  if (operand == y) return plain(flattened(y));
  if (operand.elements() == 1) return plain(Shape{1, 1});
  if (operand.elements() == operand[operand.rank() - 1]) return plain(Shape{1, operand.elements()});
  return std::nullopt;
}

/// beta*c: a bias of oneDNN's where it is a constant row, else a first step of the epilogue.
/// Gives a refusal, or an empty text.
std::string add_bias(const LowerContext& context, onednn::MatmulSpec& spec, std::vector<TensorUse>& reads) {
  const ValueId c = context.input(2);
  const float beta = context.node.real("beta", 1.0f);
  if (c == ValueId::none || beta == 0.0f) return {};
  const int64_t columns = spec.c.dims.back();
  const Shape& shape = context.shape(c);
  const Tensor* constant = context.constant(c);
  const bool row = shape.rank() >= 1 && shape.elements() == columns && shape[shape.rank() - 1] == columns;
  if (constant != nullptr && row && spec.epilogue.scale == 1.0f) {
    if (beta == 1.0f) {
      spec.bias = constant->reshaped(Shape{columns});
      return {};
    }
    Tensor scaled = constant->reshaped(Shape{columns}).clone();
    for (float& value : scaled.mutable_values<float>()) value *= beta;
    spec.bias = std::move(scaled);
    return {};
  }
  if (beta != 1.0f) return "beta is neither 0 nor 1, and c is no constant row";
  Shape padded;
  for (size_t axis = static_cast<size_t>(shape.rank()); axis < spec.c.dims.size(); ++axis) padded.push_back(1);
  for (const int64_t dim : shape) padded.push_back(dim);
  const Layout layout = plain(std::move(padded));
  for (EpilogueStep& step : spec.epilogue.steps) step.operand += step.operand >= 0 ? 1 : 0;
  spec.epilogue.steps.insert(spec.epilogue.steps.begin(), {EpilogueKind::add, 0.0f, 0.0f, 0});
  spec.epilogue.operands.insert(spec.epilogue.operands.begin(), layout);
  reads.insert(reads.begin(), {c, layout});
  return {};
}

}  // namespace

Lowered lower_matmul(const LowerContext& context) {
  if (std::string refusal = refuse(context); !refusal.empty()) return Lowered::refused(std::move(refusal));
  const Node& node = context.node;
  const ValueId b_value = context.input(1);
  const Shape& a = context.shape(context.input(0));
  const Shape& b = context.shape(b_value);
  const Shape& y = context.shape(node.outputs[0]);
  const bool transpose_a = node.integer("transA", 0) != 0;
  const bool transpose_b = node.integer("transB", 0) != 0;

  onednn::MatmulSpec spec;
  spec.precision = context.device.precision;
  LoweredEpilogue epilogue = lower_epilogue(context, plain(y));
  if (!epilogue.refusal.empty()) return Lowered::refused(epilogue.refusal);
  spec.epilogue = std::move(epilogue.spec);
  spec.epilogue.scale = node.real("alpha", 1.0f);

  const bool one_product = b.rank() == 2 && a.rank() > 2 && !transpose_a;
  if (one_product) {
    spec.a = matrix(flattened(a), 2, false);
    spec.b = matrix(b, 2, transpose_b);
    spec.c = matrix(flattened(y), 2, false);
    for (Layout& operand : spec.epilogue.operands) {
      const auto layout = flattened_operand(operand.shape, y);
      if (!layout) return Lowered::refused("an operand of the epilogue is broadcast along the batch");
      operand = *layout;
    }
  } else {
    const int64_t rank = std::max(a.rank(), b.rank());
    spec.a = matrix(a, rank, transpose_a);
    spec.b = matrix(b, rank, transpose_b);
    spec.c = matrix(y, rank, false);
  }
  if (std::string refusal = add_bias(context, spec, epilogue.reads); !refusal.empty())
    return Lowered::refused(std::move(refusal));
  if (const Tensor* constant = context.constant(b_value)) spec.b_constant = *constant;

  MadeKernel made = onednn::make_matmul(*context.device.onednn, *context.device.packed, spec);
  if (!made.kernel) return Lowered::refused(made.refusal);
  LoweredNode lowered;
  lowered.kernel = std::move(made.kernel);
  lowered.reads.push_back({context.input(0), plain(a)});
  if (spec.b_constant.empty()) lowered.reads.push_back({b_value, plain(b)});
  lowered.reads.insert(lowered.reads.end(), epilogue.reads.begin(), epilogue.reads.end());
  lowered.writes.push_back({node.outputs[0], plain(y)});
  return {std::move(lowered), {}};
}

}  // namespace overt::cpu
