#ifndef OVERT_PROVIDERS_CPU_ONEDNN_FUNCTIONS_H_
#define OVERT_PROVIDERS_CPU_ONEDNN_FUNCTIONS_H_

#include <oneapi/dnnl/dnnl.h>
#include <oneapi/dnnl/dnnl_debug.h>

namespace overt::cpu::onednn {

/// The part of oneDNN's C interface that is used, found in the opened library by name.
struct Functions {
  decltype(&dnnl_version) version;
  decltype(&dnnl_status2str) status_to_string;
  decltype(&dnnl_get_effective_cpu_isa) effective_cpu_isa;
  decltype(&dnnl_set_primitive_cache_capacity) set_primitive_cache_capacity;

  decltype(&dnnl_engine_create) engine_create;
  decltype(&dnnl_engine_destroy) engine_destroy;
  decltype(&dnnl_stream_create) stream_create;
  decltype(&dnnl_stream_destroy) stream_destroy;

  decltype(&dnnl_memory_desc_create_with_strides) memory_desc_create_with_strides;
  decltype(&dnnl_memory_desc_create_with_tag) memory_desc_create_with_tag;
  decltype(&dnnl_memory_desc_clone) memory_desc_clone;
  decltype(&dnnl_memory_desc_equal) memory_desc_equal;
  decltype(&dnnl_memory_desc_get_size) memory_desc_get_size;
  decltype(&dnnl_memory_desc_destroy) memory_desc_destroy;

  decltype(&dnnl_memory_create) memory_create;
  decltype(&dnnl_memory_set_data_handle) memory_set_data_handle;
  decltype(&dnnl_memory_destroy) memory_destroy;

  decltype(&dnnl_primitive_attr_create) attr_create;
  decltype(&dnnl_primitive_attr_set_scratchpad_mode) attr_set_scratchpad_mode;
  decltype(&dnnl_primitive_attr_set_fpmath_mode) attr_set_fpmath_mode;
  decltype(&dnnl_primitive_attr_set_post_ops) attr_set_post_ops;
  decltype(&dnnl_primitive_attr_destroy) attr_destroy;
  decltype(&dnnl_post_ops_create) post_ops_create;
  decltype(&dnnl_post_ops_append_sum) post_ops_append_sum;
  decltype(&dnnl_post_ops_append_eltwise) post_ops_append_eltwise;
  decltype(&dnnl_post_ops_append_binary) post_ops_append_binary;
  decltype(&dnnl_post_ops_destroy) post_ops_destroy;

  decltype(&dnnl_convolution_forward_primitive_desc_create) convolution_create;
  decltype(&dnnl_deconvolution_forward_primitive_desc_create) deconvolution_create;
  decltype(&dnnl_matmul_primitive_desc_create) matmul_create;
  decltype(&dnnl_pooling_forward_primitive_desc_create) pooling_create;
  decltype(&dnnl_softmax_forward_primitive_desc_create) softmax_create;
  decltype(&dnnl_reduction_primitive_desc_create) reduction_create;
  decltype(&dnnl_reorder_primitive_desc_create) reorder_create;

  decltype(&dnnl_primitive_desc_query) primitive_desc_query;
  decltype(&dnnl_primitive_desc_query_md) primitive_desc_query_md;
  decltype(&dnnl_primitive_desc_destroy) primitive_desc_destroy;
  decltype(&dnnl_primitive_create) primitive_create;
  decltype(&dnnl_primitive_execute) primitive_execute;
  decltype(&dnnl_primitive_destroy) primitive_destroy;
};

/// Fills the table from a library handle of dlopen. Gives the first name that the library lacks, or null.
const char* load_functions(void* handle, Functions& functions);

}  // namespace overt::cpu::onednn

#endif  // OVERT_PROVIDERS_CPU_ONEDNN_FUNCTIONS_H_
