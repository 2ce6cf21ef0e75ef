#include "providers/cpu/onednn/matmul.h"

namespace overt::cpu::onednn {
namespace {

std::string refuse(const MatmulSpec& spec) {
  const size_t rank = spec.c.dims.size();
  if (rank < 2 || rank > 12 || spec.a.dims.size() != rank || spec.b.dims.size() != rank) {
    return "operands of one rank, 2 to 12, are needed";
  }
  if (!spec.b_constant.empty() && spec.b_constant.type() != DataType::float32) {
    return "weights are " + std::string(data_type_name(spec.b_constant.type())) + ", float32 is needed";
  }
  if (!spec.bias.empty() &&
      (spec.bias.type() != DataType::float32 || spec.bias.shape() != Shape{spec.c.dims.back()})) {
    return "the bias is not float32 of one value for each column";
  }
  for (const MatrixView* view : {&spec.a, &spec.b, &spec.c}) {
    for (const int64_t dim : view->dims) {
      if (dim == 0) return "a tensor is empty";
    }
  }
  return {};
}

/// The bias broadcast over rows: [1, ..., 1, N].
MemoryDesc bias_desc(const Library& library, const MatmulSpec& spec) {
  std::vector<int64_t> dims(spec.c.dims.size(), 1);
  dims.back() = spec.c.dims.back();
  return library.memory_desc(plain(Shape(dims)));
}

}  // namespace

MatrixView dense_matrix(std::vector<int64_t> dims) {
  std::vector<int64_t> strides(dims.size(), 1);
  for (size_t i = strides.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return {std::move(dims), std::move(strides)};
}

MadeKernel make_matmul(const Library& library, PackedWeights& packed, const MatmulSpec& spec) {
  library.prepare_caller();
  std::string refusal = refuse(spec);
  if (!refusal.empty()) return MadeKernel::refused(std::move(refusal));
  const Attributes attributes = make_attributes(library, spec.epilogue, spec.precision, refusal);
  if (attributes == nullptr) return MadeKernel::refused(std::move(refusal));

  const Functions& f = library.functions();
  const bool constant = !spec.b_constant.empty();
  const MemoryDesc a = library.strided_memory_desc(spec.a.dims, spec.a.strides);
  const MemoryDesc given = library.strided_memory_desc(spec.b.dims, spec.b.strides);
  const MemoryDesc b = constant ? library.any_memory_desc(spec.b.dims) : library.clone(given.get());
  const MemoryDesc c = library.strided_memory_desc(spec.c.dims, spec.c.strides);
  MemoryDesc bias(nullptr, {f.memory_desc_destroy});
  if (!spec.bias.empty()) bias = bias_desc(library, spec);
  dnnl_primitive_desc_t raw = nullptr;
  const dnnl_status_t status =
      f.matmul_create(&raw, library.engine(), a.get(), b.get(), bias.get(), c.get(), attributes.get());
  if (status != dnnl_success) {
    return MadeKernel::refused("oneDNN has no matrix product of " + Shape(spec.a.dims).to_string() + " and " +
                               Shape(spec.b.dims).to_string() + " with epilogue " + to_string(spec.epilogue.steps));
  }
  auto kernel = std::make_unique<PrimitiveKernel>(library, "matmul", PrimitiveDesc(raw, {f.primitive_desc_destroy}));
  kernel->add_pointer(DNNL_ARG_SRC, a.get());
  const const_dnnl_memory_desc_t weights = kernel->query(dnnl_query_weights_md);
  if (constant) {
    kernel->add_constant(DNNL_ARG_WEIGHTS, weights, packed.get(spec.b_constant, given.get(), weights));
  } else {
    kernel->add_pointer(DNNL_ARG_WEIGHTS, weights);
  }
  if (!spec.bias.empty()) kernel->add_constant(DNNL_ARG_BIAS, bias.get(), spec.bias);
  add_operands(library, spec.epilogue, *kernel);
  kernel->add_pointer(DNNL_ARG_DST, c.get());
  kernel->add_scratch();
  return {std::move(kernel), {}};
}

}  // namespace overt::cpu::onednn
