#include "providers/cpu/onednn/convolution.h"

#include <algorithm>

#include "base/error.h"

namespace overt::cpu::onednn {
namespace {

enum class Direction : uint8_t { convolution, deconvolution };

/// Dims and row-major strides of the weights as oneDNN orders them: [groups,] outputs, inputs, kernel...; groups
/// are left out where there is one.
struct WeightsView {
  std::vector<int64_t> dims;
  std::vector<int64_t> strides;
};

WeightsView view_weights(const Shape& shape, int64_t groups, Direction direction) {
  std::vector<int64_t> strides(static_cast<size_t>(shape.rank()), 1);
  for (size_t i = strides.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[static_cast<int64_t>(i)];
  WeightsView view{{shape.begin(), shape.end()}, std::move(strides)};
  view.dims[0] /= groups;
  // ONNX stores the input channels of a deconvolution first.
  if (direction == Direction::deconvolution) {
    std::swap(view.dims[0], view.dims[1]);
    std::swap(view.strides[0], view.strides[1]);
  }
  if (groups > 1) {
    const int64_t group_stride = shape.elements() / groups;
    view.dims.insert(view.dims.begin(), groups);
    view.strides.insert(view.strides.begin(), group_stride);
  }
  return view;
}

std::string refuse_types(const ConvolutionSpec& spec) {
  if (!spec.weights.empty() && spec.weights.type() != DataType::float32) {
    return "weights are " + std::string(data_type_name(spec.weights.type())) + ", float32 is needed";
  }
  if (!spec.bias.empty() && spec.bias.type() != DataType::float32) {
    return "the bias is " + std::string(data_type_name(spec.bias.type())) + ", float32 is needed";
  }
  const int64_t rank = spec.source.shape.rank();
  if (rank < 3 || rank > 5) return "1 to 3 spatial axes are needed, found " + std::to_string(rank - 2);
  if (spec.source.elements() == 0 || spec.destination.elements() == 0) return "a tensor is empty";
  return {};
}

PrimitiveDesc describe(const Library& library, const ConvolutionSpec& spec, Direction direction,
                       const_dnnl_memory_desc_t weights, const_dnnl_primitive_attr_t attributes) {
  const Functions& f = library.functions();
  const MemoryDesc source = library.memory_desc(spec.source);
  const MemoryDesc destination = library.memory_desc(spec.destination);
  MemoryDesc bias(nullptr, {f.memory_desc_destroy});
  if (!spec.bias.empty()) bias = library.memory_desc(plain(Shape{spec.bias.shape()[0]}));
  std::vector<int64_t> gaps = spec.dilations;
  for (int64_t& gap : gaps) --gap;
  const auto create = direction == Direction::convolution ? f.convolution_create : f.deconvolution_create;
  const auto algorithm = direction == Direction::convolution ? dnnl_convolution_direct : dnnl_deconvolution_direct;
  dnnl_primitive_desc_t desc = nullptr;
  const dnnl_status_t status = create(&desc, library.engine(), dnnl_forward_inference, algorithm, source.get(),
                                      weights, bias.get(), destination.get(), spec.strides.data(), gaps.data(),
                                      spec.pads_begin.data(), spec.pads_end.data(), attributes);
  return {status == dnnl_success ? desc : nullptr, {f.primitive_desc_destroy}};
}

MadeKernel make(const Library& library, PackedWeights& packed, const ConvolutionSpec& spec, Direction direction) {
  library.prepare_caller();
  if (static_cast<int64_t>(spec.strides.size()) != spec.source.shape.rank() - 2) {
    fail(ErrorCode::internal, "a convolution has a window of {} axes over a tensor of rank {}", spec.strides.size(),
         spec.source.shape.rank());
  }
  std::string refusal = refuse_types(spec);
  if (!refusal.empty()) return MadeKernel::refused(std::move(refusal));
  const Attributes attributes = make_attributes(library, spec.epilogue, spec.precision, refusal);
  if (attributes == nullptr) return MadeKernel::refused(std::move(refusal));

  const bool constant = !spec.weights.empty();
  const WeightsView view = view_weights(constant ? spec.weights.shape() : spec.weights_shape, spec.groups, direction);
  const MemoryDesc given = library.strided_memory_desc(view.dims, view.strides);
  const MemoryDesc wanted = constant ? library.any_memory_desc(view.dims) : library.clone(given.get());
  PrimitiveDesc desc = describe(library, spec, direction, wanted.get(), attributes.get());
  const std::string_view what = direction == Direction::convolution ? "convolution" : "deconvolution";
  if (desc == nullptr) {
    return MadeKernel::refused("oneDNN has no " + std::string(what) + " from " + spec.source.to_string() + " to " +
                               spec.destination.to_string() + " with epilogue " + to_string(spec.epilogue.steps));
  }
  auto kernel = std::make_unique<PrimitiveKernel>(library, what, std::move(desc));
  kernel->add_pointer(DNNL_ARG_SRC, kernel->query(dnnl_query_src_md));
  const const_dnnl_memory_desc_t weights = kernel->query(dnnl_query_weights_md);
  if (constant) {
    kernel->add_constant(DNNL_ARG_WEIGHTS, weights, packed.get(spec.weights, given.get(), weights));
  } else {
    kernel->add_pointer(DNNL_ARG_WEIGHTS, weights);
  }
  if (!spec.bias.empty()) kernel->add_constant(DNNL_ARG_BIAS, kernel->query(dnnl_query_weights_md, 1), spec.bias);
  add_operands(library, spec.epilogue, *kernel);
  kernel->add_pointer(DNNL_ARG_DST, kernel->query(dnnl_query_dst_md));
  kernel->add_scratch();
  return {std::move(kernel), {}};
}

}  // namespace

bool prefers_blocked_source(const Library& library, int64_t channels, int64_t groups) {
  return groups == 1 ? channels >= library.channel_block() : channels % library.channel_block() == 0;
}

MadeKernel make_convolution(const Library& library, PackedWeights& packed, const ConvolutionSpec& spec) {
  return make(library, packed, spec, Direction::convolution);
}

MadeKernel make_deconvolution(const Library& library, PackedWeights& packed, const ConvolutionSpec& spec) {
  return make(library, packed, spec, Direction::deconvolution);
}

}  // namespace overt::cpu::onednn
