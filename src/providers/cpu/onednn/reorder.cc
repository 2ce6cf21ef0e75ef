#include "providers/cpu/onednn/reorder.h"

#include "providers/cpu/onednn/post_ops.h"

namespace overt::cpu::onednn {
namespace {

MadeKernel make_unary(const Library& library, std::string_view what, dnnl_primitive_desc_t raw,
                      const_dnnl_memory_desc_t source, const_dnnl_memory_desc_t destination) {
  auto kernel = std::make_unique<PrimitiveKernel>(library, what,
                                                  PrimitiveDesc(raw, {library.functions().primitive_desc_destroy}));
  kernel->add_pointer(DNNL_ARG_SRC, source);
  kernel->add_pointer(DNNL_ARG_DST, destination);
  kernel->add_scratch();
  return {std::move(kernel), {}};
}

}  // namespace

MadeKernel make_reorder(const Library& library, const Layout& source, const Layout& destination) {
  library.prepare_caller();
  if (source.elements() == 0) return MadeKernel::refused("the tensor is empty");
  std::string refusal;
  const Attributes attributes = make_attributes(library, {}, Precision::fp32, refusal);
  const MemoryDesc from = library.memory_desc(source);
  const MemoryDesc to = library.memory_desc(destination);
  dnnl_primitive_desc_t raw = nullptr;
  const dnnl_status_t status = library.functions().reorder_create(&raw, from.get(), library.engine(), to.get(),
                                                                  library.engine(), attributes.get());
  if (status != dnnl_success) {
    return MadeKernel::refused("oneDNN has no reorder from " + source.to_string() + " to " + destination.to_string());
  }
  return make_unary(library, "reorder", raw, from.get(), to.get());
}

MadeKernel make_softmax(const Library& library, const Layout& layout, int64_t axis) {
  library.prepare_caller();
  if (layout.elements() == 0) return MadeKernel::refused("the tensor is empty");
  std::string refusal;
  const Attributes attributes = make_attributes(library, {}, Precision::fp32, refusal);
  const MemoryDesc desc = library.memory_desc(layout);
  dnnl_primitive_desc_t raw = nullptr;
  const dnnl_status_t status =
      library.functions().softmax_create(&raw, library.engine(), dnnl_forward_inference, dnnl_softmax_accurate,
                                         desc.get(), desc.get(), static_cast<int>(axis), attributes.get());
  if (status != dnnl_success) return MadeKernel::refused("oneDNN has no softmax of " + layout.to_string());
  return make_unary(library, "softmax", raw, desc.get(), desc.get());
}

}  // namespace overt::cpu::onednn
