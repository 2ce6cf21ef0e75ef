#include "providers/cpu/onednn/functions.h"

#include <dlfcn.h>

namespace overt::cpu::onednn {
namespace {

/// Looks names up until one is missing.
class Lookup {
 public:
  explicit Lookup(void* handle) : handle_(handle) {}

  template <typename Function>
  void operator()(Function*& function, const char* name) {
    void* const address = missing_ == nullptr ? dlsym(handle_, name) : nullptr;
    if (address == nullptr && missing_ == nullptr) missing_ = name;
    function = reinterpret_cast<Function*>(address);
  }

  const char* missing() const { return missing_; }

 private:
  void* handle_;
  const char* missing_ = nullptr;
};

}  // namespace

const char* load_functions(void* handle, Functions& functions) {
  Lookup find(handle);
  find(functions.version, "dnnl_version");
  find(functions.status_to_string, "dnnl_status2str");
  find(functions.effective_cpu_isa, "dnnl_get_effective_cpu_isa");
  find(functions.set_primitive_cache_capacity, "dnnl_set_primitive_cache_capacity");
  find(functions.engine_create, "dnnl_engine_create");
  find(functions.engine_destroy, "dnnl_engine_destroy");
  find(functions.stream_create, "dnnl_stream_create");
  find(functions.stream_destroy, "dnnl_stream_destroy");
  find(functions.memory_desc_create_with_strides, "dnnl_memory_desc_create_with_strides");
  find(functions.memory_desc_create_with_tag, "dnnl_memory_desc_create_with_tag");
  find(functions.memory_desc_clone, "dnnl_memory_desc_clone");
  find(functions.memory_desc_equal, "dnnl_memory_desc_equal");
  find(functions.memory_desc_get_size, "dnnl_memory_desc_get_size");
  find(functions.memory_desc_destroy, "dnnl_memory_desc_destroy");
  find(functions.memory_create, "dnnl_memory_create");
  find(functions.memory_set_data_handle, "dnnl_memory_set_data_handle");
  find(functions.memory_destroy, "dnnl_memory_destroy");
  find(functions.attr_create, "dnnl_primitive_attr_create");
  find(functions.attr_set_scratchpad_mode, "dnnl_primitive_attr_set_scratchpad_mode");
  find(functions.attr_set_fpmath_mode, "dnnl_primitive_attr_set_fpmath_mode");
  find(functions.attr_set_post_ops, "dnnl_primitive_attr_set_post_ops");
  find(functions.attr_destroy, "dnnl_primitive_attr_destroy");
  find(functions.post_ops_create, "dnnl_post_ops_create");
  find(functions.post_ops_append_sum, "dnnl_post_ops_append_sum");
  find(functions.post_ops_append_eltwise, "dnnl_post_ops_append_eltwise");
  find(functions.post_ops_append_binary, "dnnl_post_ops_append_binary");
  find(functions.post_ops_destroy, "dnnl_post_ops_destroy");
  find(functions.convolution_create, "dnnl_convolution_forward_primitive_desc_create");
  find(functions.deconvolution_create, "dnnl_deconvolution_forward_primitive_desc_create");
  find(functions.matmul_create, "dnnl_matmul_primitive_desc_create");
  find(functions.pooling_create, "dnnl_pooling_forward_primitive_desc_create");
  find(functions.softmax_create, "dnnl_softmax_forward_primitive_desc_create");
  find(functions.reduction_create, "dnnl_reduction_primitive_desc_create");
  find(functions.reorder_create, "dnnl_reorder_primitive_desc_create");
  find(functions.primitive_desc_query, "dnnl_primitive_desc_query");
  find(functions.primitive_desc_query_md, "dnnl_primitive_desc_query_md");
  find(functions.primitive_desc_destroy, "dnnl_primitive_desc_destroy");
  find(functions.primitive_create, "dnnl_primitive_create");
  find(functions.primitive_execute, "dnnl_primitive_execute");
  find(functions.primitive_destroy, "dnnl_primitive_destroy");
  return find.missing();
}

}  // namespace overt::cpu::onednn
