#include "providers/cpu/onednn/pooling.h"

#include "base/error.h"
#include "providers/cpu/onednn/post_ops.h"

namespace overt::cpu::onednn {
namespace {

dnnl_alg_kind_t algorithm_of(PoolingKind kind) {
  switch (kind) {
    case PoolingKind::maximum: return dnnl_pooling_max;
    case PoolingKind::average_without_padding: return dnnl_pooling_avg_exclude_padding;
    case PoolingKind::average_with_padding: return dnnl_pooling_avg_include_padding;
  }
  return dnnl_pooling_max;
}

}  // namespace

MadeKernel make_pooling(const Library& library, const PoolingSpec& spec) {
  library.prepare_caller();
  const int64_t rank = spec.source.shape.rank();
  if (rank < 3 || rank > 5) {
    return MadeKernel::refused("1 to 3 spatial axes are needed, found " + std::to_string(rank - 2));
  }
  if (static_cast<int64_t>(spec.kernel.size()) != rank - 2) {
    fail(ErrorCode::internal, "a pool has a window of {} axes over a tensor of rank {}", spec.kernel.size(), rank);
  }
  if (spec.source.elements() == 0 || spec.destination.elements() == 0)
    return MadeKernel::refused("a tensor is empty");
  std::string refusal;
  const Attributes attributes = make_attributes(library, {}, Precision::fp32, refusal);
  const MemoryDesc source = library.memory_desc(spec.source);
  const MemoryDesc destination = library.memory_desc(spec.destination);
  std::vector<int64_t> gaps = spec.dilations;
  for (int64_t& gap : gaps) --gap;
  const Functions& f = library.functions();
  dnnl_primitive_desc_t raw = nullptr;
  const dnnl_status_t status =
      f.pooling_create(&raw, library.engine(), dnnl_forward_inference, algorithm_of(spec.kind), source.get(),
                       destination.get(), spec.strides.data(), spec.kernel.data(), gaps.data(),
                       spec.pads_begin.data(), spec.pads_end.data(), attributes.get());
  if (status != dnnl_success) {
    return MadeKernel::refused("oneDNN has no pooling from " + spec.source.to_string() + " to " +
                               spec.destination.to_string());
  }
  auto kernel = std::make_unique<PrimitiveKernel>(library, "pooling", PrimitiveDesc(raw, {f.primitive_desc_destroy}));
  kernel->add_pointer(DNNL_ARG_SRC, source.get());
  kernel->add_pointer(DNNL_ARG_DST, destination.get());
  kernel->add_scratch();
  return {std::move(kernel), {}};
}

}  // namespace overt::cpu::onednn
