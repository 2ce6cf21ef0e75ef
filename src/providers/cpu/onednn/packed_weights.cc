#include "providers/cpu/onednn/packed_weights.h"

#include "providers/cpu/onednn/primitive_kernel.h"
#include "providers/cpu/packed_constants.h"

namespace overt::cpu::onednn {

Tensor PackedWeights::get(const Tensor& constant, const_dnnl_memory_desc_t source, const_dnnl_memory_desc_t target) {
  if (library_.equal(source, target)) return constant;
  std::vector<Entry>& entries = entries_[constant.data()];
  for (const Entry& entry : entries) {
    if (library_.equal(entry.source.get(), source) && library_.equal(entry.target.get(), target)) return entry.packed;
  }
  Tensor packed = pack(constant, source, target);
  bytes_ += static_cast<int64_t>(packed.bytes());
  entries.push_back({constant, library_.clone(source), library_.clone(target), packed});
  return packed;
}

Tensor PackedWeights::pack(const Tensor& constant, const_dnnl_memory_desc_t source,
                           const_dnnl_memory_desc_t target) const {
  const Functions& f = library_.functions();
  library_.prepare_caller();
  dnnl_primitive_desc_t desc = nullptr;
  library_.check(f.reorder_create(&desc, source, library_.engine(), target, library_.engine(), nullptr),
                 "describing the packing of weights");
  const PrimitiveDesc owned(desc, {f.primitive_desc_destroy});
  Tensor packed(DataType::uint8, Shape{library_.bytes(target)});
  // Only oneDNN's interface wants the source as writable; a reorder reads it.
  Tensor readable = constant;
  PrimitiveRun(library_, make_primitive(library_, desc),
               {{DNNL_ARG_FROM, source, readable.mutable_data()}, {DNNL_ARG_TO, target, packed.mutable_data()}})
      .run();
  PackedConstants::drop_source(constant);
  return packed;
}

}  // namespace overt::cpu::onednn
