#include <fmt/core.h>

#include <algorithm>

#include "ops/gemm.h"
#include "ops/matmul.h"
#include "providers/cpu/lower_epilogue.h"
#include "providers/cpu/lowerings.h"
#include "providers/cpu/onednn/matmul.h"

namespace overt::cpu {
namespace {

onednn::MatrixView matrix(int64_t rows, int64_t columns, bool transposed) {
  onednn::MatrixView view = onednn::dense_matrix({rows, columns});
  if (transposed) view.strides = {1, rows};
  return view;
}

std::string refuse(const LowerContext& context) {
  if (!context.device.onednn) return context.device.onednn_refusal;
  for (size_t i = 0; i < 2; ++i) {
    if (!context.is_float32(context.input(i))) {
      return fmt::format("{} is not float32", data_type_name(context.type(context.input(i))));
    }
  }
  if (context.shape(context.input(0)).elements() == 0 || context.shape(context.input(1)).elements() == 0)
    return "empty tensors";
  return {};
}

Lowered finish(const LowerContext& context, onednn::MatmulSpec& spec, const std::vector<TensorUse>& extra) {
  const ValueId b = context.input(1);
  const ValueId y = context.node.outputs[0];
  if (const Tensor* constant = context.constant(b)) spec.b_constant = *constant;
  spec.precision = context.device.precision;
  MadeKernel made = onednn::make_matmul(*context.device.onednn, *context.device.packed, spec);
  if (!made.kernel) return Lowered::refused(made.refusal);
  LoweredNode lowered;
  lowered.kernel = std::move(made.kernel);
  lowered.reads.push_back({context.input(0), plain(context.shape(context.input(0)))});
  if (spec.b_constant.empty()) lowered.reads.push_back({b, plain(context.shape(b))});
  lowered.reads.insert(lowered.reads.end(), extra.begin(), extra.end());
  lowered.writes.push_back({y, plain(context.shape(y))});
  return {std::move(lowered), {}};
}

/// Adds beta*c as a bias where it is a constant row, else as a first step that adds.
void add_gemm_bias(const LowerContext& context, const GemmAttributes& attributes, onednn::MatmulSpec& spec,
                   std::vector<TensorUse>& extra) {
  const ValueId c = context.input(2);
  if (c == ValueId::none || attributes.beta == 0.0f) return;
  const int64_t columns = spec.c.dims.back();
  const Tensor* constant = context.constant(c);
  if (constant != nullptr && constant->elements() == columns && constant->shape().rank() >= 1 &&
      constant->shape()[constant->shape().rank() - 1] == columns && attributes.alpha == 1.0f) {
    if (attributes.beta == 1.0f) {
      spec.bias = constant->reshaped(Shape{columns});
      return;
    }
    Tensor scaled = constant->reshaped(Shape{columns}).clone();
    for (float& value : scaled.mutable_values<float>()) value *= attributes.beta;
    spec.bias = std::move(scaled);
    return;
  }
  Shape padded;
  for (int64_t axis = context.shape(c).rank(); axis < 2; ++axis) padded.push_back(1);
  for (const int64_t dim : context.shape(c)) padded.push_back(dim);
  const Layout layout = plain(std::move(padded));
  spec.epilogue.operands.insert(spec.epilogue.operands.begin(), layout);
  for (EpilogueStep& step : spec.epilogue.steps) step.operand += step.operand >= 0 ? 1 : 0;
  spec.epilogue.steps.insert(spec.epilogue.steps.begin(), {EpilogueKind::add, 0.0f, 0.0f, 0});
  extra.insert(extra.begin(), {c, layout});
}

Lowered lower_gemm(const LowerContext& context) {
  const GemmAttributes attributes = parse_gemm(context.node);
  const ValueId c = context.input(2);
  const GemmGeometry geometry =
      resolve_gemm(context.node, attributes, context.shape(context.input(0)), context.shape(context.input(1)),
                   c == ValueId::none ? nullptr : &context.shape(c));
  if (c != ValueId::none && attributes.beta != 0.0f && attributes.beta != 1.0f && context.constant(c) == nullptr) {
    return Lowered::refused("beta is neither 0 nor 1, and c is not constant");
  }
  onednn::MatmulSpec spec;
  spec.a = matrix(geometry.rows, geometry.length, attributes.transpose_a);
  spec.b = matrix(geometry.length, geometry.columns, attributes.transpose_b);
  spec.c = onednn::dense_matrix({geometry.rows, geometry.columns});
  LoweredEpilogue epilogue = lower_epilogue(context, plain(Shape{geometry.rows, geometry.columns}));
  if (!epilogue.refusal.empty()) return Lowered::refused(epilogue.refusal);
  spec.epilogue = std::move(epilogue.spec);
  spec.epilogue.scale = attributes.alpha;
  if (attributes.beta != 1.0f && c != ValueId::none && attributes.alpha != 1.0f)
    return Lowered::refused("alpha and beta");
  add_gemm_bias(context, attributes, spec, epilogue.reads);
  return finish(context, spec, epilogue.reads);
}

/// [batch..., rows, columns] with leading axes of length 1 up to `rank`.
onednn::MatrixView batched(const Shape& shape, int64_t rank) {
  std::vector<int64_t> dims(static_cast<size_t>(rank - shape.rank()), 1);
  dims.insert(dims.end(), shape.begin(), shape.end());
  return onednn::dense_matrix(std::move(dims));
}

}  // namespace

Lowered lower_matmul(const LowerContext& context) {
  if (std::string refusal = refuse(context); !refusal.empty()) return Lowered::refused(std::move(refusal));
  const Shape& a = context.shape(context.input(0));
  const Shape& b = context.shape(context.input(1));
  const Shape& y = context.shape(context.node.outputs[0]);
  if (context.node.op.type == "Gemm" || context.node.has_attribute("transB")) return lower_gemm(context);
  if (a.rank() < 2 || b.rank() < 2) return Lowered::refused("a vector operand");
  onednn::MatmulSpec spec;
  Layout result = plain(y);
  if (b.rank() == 2 && a.rank() > 2) {  // one product: the batch axes are rows
    const int64_t rows = a.elements(0, a.rank() - 1);
    spec.a = onednn::dense_matrix({rows, a[a.rank() - 1]});
    spec.b = onednn::dense_matrix({b[0], b[1]});
    spec.c = onednn::dense_matrix({rows, b[1]});
    result = plain(Shape{rows, b[1]});
  } else {
    const int64_t rank = std::max(a.rank(), b.rank());
    spec.a = batched(a, rank);
    spec.b = batched(b, rank);
    spec.c = batched(y, rank);
  }
  const ValueId bias = context.input(2);
  const bool has_bias = context.node.op.domain == kPrivateDomain && bias != ValueId::none;
  if (has_bias) {
    if (context.constant(bias) == nullptr) return Lowered::refused("the bias is not constant");
    spec.bias = context.constant(bias)->reshaped(Shape{context.constant(bias)->elements()});
  }
  LoweredEpilogue epilogue = lower_epilogue(context, plain(y));
  if (!epilogue.refusal.empty()) return Lowered::refused(epilogue.refusal);
  spec.epilogue = std::move(epilogue.spec);
  if (result.shape != y) {  // operands are seen through the same flattening
    for (Layout& operand : spec.epilogue.operands) {
      if (operand.shape == y) {
        operand = result;
      } else if (operand.shape.elements() == operand.shape[operand.shape.rank() - 1]) {
        operand = plain(Shape{1, operand.shape.elements()});
      } else {
        return Lowered::refused("an operand of the epilogue is broadcast along the batch");
      }
    }
  }
  return finish(context, spec, epilogue.reads);
}

}  // namespace overt::cpu
