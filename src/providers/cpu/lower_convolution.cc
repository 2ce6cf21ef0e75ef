#include <fmt/core.h>

#include <algorithm>

#include "ops/conv.h"
#include "ops/conv_transpose.h"
#include "providers/cpu/kernels/pointwise.h"
#include "providers/cpu/kernels/winograd.h"
#include "providers/cpu/lower_epilogue.h"
#include "providers/cpu/lowerings.h"
#include "providers/cpu/onednn/convolution.h"

namespace overt::cpu {
namespace {

/// What keeps oneDNN's convolutions from a node, or an empty text.
std::string refuse(const LowerContext& context) {
  if (!context.device.onednn) return context.device.onednn_refusal;
  const ValueId x = context.input(0);
  const ValueId w = context.input(1);
  if (!context.is_float32(x)) return fmt::format("{} is not float32", data_type_name(context.type(x)));
  const int64_t rank = context.shape(x).rank();
  if (rank < 3 || rank > 5) return fmt::format("{} spatial axes, oneDNN has 1 to 3", rank - 2);
  if (context.shape(context.node.outputs[0]).elements() == 0 || context.shape(x).elements() == 0)
    return "empty tensors";
  if (context.shape(w).elements() == 0) return "empty weights";
  const ValueId bias = context.input(2);
  if (bias != ValueId::none && context.constant(bias) == nullptr) return "the bias is not constant";
  return {};
}

void add_window(const Window& window, ConvolutionSpec& spec) {
  for (const WindowAxis& axis : window) {
    spec.strides.push_back(axis.stride);
    spec.dilations.push_back(axis.dilation);
    spec.pads_begin.push_back(axis.pad_begin);
    spec.pads_end.push_back(axis.pad_end);
  }
}

/// Makes a kernel of a complete spec.
using Make = MadeKernel (*)(const LowerContext& context, const ConvolutionSpec& spec);

Lowered finish(const LowerContext& context, ConvolutionSpec& spec, Make make) {
  const ValueId w = context.input(1);
  const ValueId y = context.node.outputs[0];
  if (const Tensor* weights = context.constant(w)) spec.weights = *weights;
  spec.weights_shape = context.shape(w);
  if (const Tensor* bias = context.constant(context.input(2))) spec.bias = *bias;
  spec.precision = context.device.precision;
  LoweredEpilogue epilogue = lower_epilogue(context, spec.destination);
  if (!epilogue.refusal.empty()) return Lowered::refused(epilogue.refusal);
  spec.epilogue = std::move(epilogue.spec);

  MadeKernel made = make(context, spec);
  if (!made.kernel) return Lowered::refused(made.refusal);
  if (made.kernel->name().find(" ref") != std::string_view::npos) {  // weights made by the run, odd windows
    return Lowered::refused("oneDNN has only its unoptimised implementation for it");
  }
  LoweredNode lowered;
  lowered.kernel = std::move(made.kernel);
  lowered.reads.push_back({context.input(0), spec.source});
  if (spec.weights.empty()) lowered.reads.push_back({w, plain(spec.weights_shape)});
  lowered.reads.insert(lowered.reads.end(), epilogue.reads.begin(), epilogue.reads.end());
  lowered.writes.push_back({y, spec.destination});
  return {std::move(lowered), {}};
}

enum class SourceLayout : uint8_t { blocked, as_onednn_prefers };

Lowered lower_with(const LowerContext& context, SourceLayout source, Make make) {
  if (std::string refusal = refuse(context); !refusal.empty()) return Lowered::refused(std::move(refusal));
  const Shape& x = context.shape(context.input(0));
  const ValueId bias = context.input(2);
  const ConvGeometry geometry =
      resolve_conv(context.node, parse_conv(context.node), x, context.shape(context.input(1)),
                   bias == ValueId::none ? nullptr : &context.shape(bias));
  ConvolutionSpec spec;
  const int64_t block = context.device.channel_block();
  const bool source_blocked =
      source == SourceLayout::blocked || onednn::prefers_blocked_source(*context.device.onednn, x[1], geometry.group);
  spec.source = source_blocked ? blocked(x, block) : plain(x);
  spec.destination = blocked(geometry.output, block);
  spec.groups = geometry.group;
  add_window(geometry.window, spec);
  return finish(context, spec, make);
}

/// True where a step costs more than a few instructions: there the cheap exponential of our own pays.
bool is_costly(const EpilogueStep& step) {
  switch (step.kind) {
    case EpilogueKind::sigmoid:
    case EpilogueKind::tanh:
    case EpilogueKind::silu:
    case EpilogueKind::gelu_erf:
    case EpilogueKind::gelu_tanh:
    case EpilogueKind::elu: return true;
    default: return false;
  }
}

MadeKernel make_own_pointwise(const LowerContext& context, const ConvolutionSpec& spec) {
  if (std::ranges::none_of(spec.epilogue.steps, is_costly)) {
    return MadeKernel::refused("without a costly activation oneDNN is as fast");
  }
  return make_pointwise(spec, context.device.own_packed, context.device.threads());
}

MadeKernel make_own_winograd(const LowerContext& context, const ConvolutionSpec& spec) {
  return make_winograd(spec, context.device.own_packed, context.device.threads());
}

MadeKernel make_by_onednn(const LowerContext& context, const ConvolutionSpec& spec) {
  return onednn::make_convolution(*context.device.onednn, *context.device.packed, spec);
}

}  // namespace

Lowered lower_winograd(const LowerContext& context) {
  return lower_with(context, SourceLayout::blocked, make_own_winograd);
}

Lowered lower_pointwise(const LowerContext& context) {
  return lower_with(context, SourceLayout::blocked, make_own_pointwise);
}

Lowered lower_convolution(const LowerContext& context) {
  return lower_with(context, SourceLayout::as_onednn_prefers, make_by_onednn);
}

Lowered lower_deconvolution(const LowerContext& context) {
  if (std::string refusal = refuse(context); !refusal.empty()) return Lowered::refused(std::move(refusal));
  const Shape& x = context.shape(context.input(0));
  const ValueId bias = context.input(2);
  const ConvTransposeGeometry geometry =
      resolve_conv_transpose(context.node, parse_conv_transpose(context.node), x, context.shape(context.input(1)),
                             bias == ValueId::none ? nullptr : &context.shape(bias));
  ConvolutionSpec spec;
  const int64_t block = context.device.channel_block();
  spec.source = x[1] >= block && geometry.group == 1 ? blocked(x, block) : plain(x);
  spec.destination = spec.source.blocked() ? blocked(geometry.output, block) : plain(geometry.output);
  spec.groups = geometry.group;
  for (const WindowAxis& axis : geometry.window) {
    spec.strides.push_back(axis.stride);
    spec.dilations.push_back(axis.dilation);
    spec.pads_begin.push_back(axis.pad_begin);
    // oneDNN works out the result's length from the pads; elements that no window reaches count as negative pad.
    spec.pads_end.push_back((axis.output - 1) * axis.stride + axis.extent() - axis.input - axis.pad_begin);
  }
  return finish(context, spec, [](const LowerContext& made, const ConvolutionSpec& complete) {
    return onednn::make_deconvolution(*made.device.onednn, *made.device.packed, complete);
  });
}

}  // namespace overt::cpu
