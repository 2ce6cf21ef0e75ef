#ifndef OVERT_PROVIDERS_CPU_ONEDNN_HANDLES_H_
#define OVERT_PROVIDERS_CPU_ONEDNN_HANDLES_H_

#include <oneapi/dnnl/dnnl.h>

#include <memory>

namespace overt::cpu::onednn {

/// Ends the life of a oneDNN object through the library that made it.
template <typename Object>
struct Destroy {
  dnnl_status_t (*function)(Object*) = nullptr;
  void operator()(Object* object) const noexcept { function(object); }
};

template <typename Object>
using Handle = std::unique_ptr<Object, Destroy<Object>>;

using Engine = Handle<dnnl_engine>;
using Stream = Handle<dnnl_stream>;
using MemoryDesc = Handle<dnnl_memory_desc>;
using Memory = Handle<dnnl_memory>;
using Attributes = Handle<dnnl_primitive_attr>;
using PostOps = Handle<dnnl_post_ops>;
using PrimitiveDesc = Handle<dnnl_primitive_desc>;
using Primitive = Handle<dnnl_primitive>;

}  // namespace overt::cpu::onednn

#endif  // OVERT_PROVIDERS_CPU_ONEDNN_HANDLES_H_
