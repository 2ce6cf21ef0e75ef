#include "providers/cpu/onednn/post_ops.h"

#include <optional>

namespace overt::cpu::onednn {
namespace {

struct Elementwise {
  dnnl_alg_kind_t algorithm;
  float alpha = 0.0f;
  float beta = 0.0f;
};

/// Nothing for the steps with an operand.
std::optional<Elementwise> elementwise(const EpilogueStep& step) {
  switch (step.kind) {
    case EpilogueKind::relu: return Elementwise{dnnl_eltwise_relu};
    case EpilogueKind::clip: return Elementwise{dnnl_eltwise_clip, step.alpha, step.beta};
    case EpilogueKind::leaky_relu: return Elementwise{dnnl_eltwise_relu, step.alpha};
    case EpilogueKind::sigmoid: return Elementwise{dnnl_eltwise_logistic};
    case EpilogueKind::tanh: return Elementwise{dnnl_eltwise_tanh};
    case EpilogueKind::silu: return Elementwise{dnnl_eltwise_swish, step.alpha};
    case EpilogueKind::hard_sigmoid: return Elementwise{dnnl_eltwise_hardsigmoid, step.alpha, step.beta};
    case EpilogueKind::hard_swish: return Elementwise{dnnl_eltwise_hardswish, 1.0f / 6.0f, 0.5f};
    case EpilogueKind::gelu_erf: return Elementwise{dnnl_eltwise_gelu_erf};
    case EpilogueKind::gelu_tanh: return Elementwise{dnnl_eltwise_gelu_tanh};
    case EpilogueKind::elu: return Elementwise{dnnl_eltwise_elu, step.alpha};
    case EpilogueKind::add:
    case EpilogueKind::multiply: return std::nullopt;
  }
  return std::nullopt;
}

bool in_place(const EpilogueSpec& epilogue, size_t step) {
  return step == 0 && epilogue.first_operand_in_place;
}

/// Appends one step; gives a refusal or an empty string.
std::string append(const Library& library, const EpilogueSpec& epilogue, size_t index, dnnl_post_ops_t post_ops) {
  const Functions& f = library.functions();
  const EpilogueStep& step = epilogue.steps[index];
  if (in_place(epilogue, index)) {
    if (step.kind != EpilogueKind::add) return "only an added operand can lie where the result is written";
    library.check(f.post_ops_append_sum(post_ops, 1.0f, 0, dnnl_data_type_undef), "appending a sum");
    return {};
  }
  if (const std::optional<Elementwise> op = elementwise(step)) {
    const dnnl_status_t status = f.post_ops_append_eltwise(post_ops, op->algorithm, op->alpha, op->beta);
    return status == dnnl_success ? "" : "oneDNN does not take the epilogue " + to_string(Epilogue{step});
  }
  if (step.operand < 0 || static_cast<size_t>(step.operand) >= epilogue.operands.size()) {
    return "the epilogue " + to_string(Epilogue{step}) + " names no operand";
  }
  const MemoryDesc desc = library.memory_desc(epilogue.operands[static_cast<size_t>(step.operand)]);
  const dnnl_alg_kind_t algorithm = step.kind == EpilogueKind::add ? dnnl_binary_add : dnnl_binary_mul;
  const dnnl_status_t status = f.post_ops_append_binary(post_ops, algorithm, desc.get());
  return status == dnnl_success ? "" : "oneDNN does not take the epilogue " + to_string(Epilogue{step});
}

}  // namespace

Attributes make_attributes(const Library& library, const EpilogueSpec& epilogue, Precision precision,
                           std::string& refusal) {
  const Functions& f = library.functions();
  dnnl_post_ops_t raw_post_ops = nullptr;
  library.check(f.post_ops_create(&raw_post_ops), "making post-ops");
  const PostOps post_ops(raw_post_ops, {f.post_ops_destroy});
  if (epilogue.scale != 1.0f) {
    library.check(f.post_ops_append_eltwise(post_ops.get(), dnnl_eltwise_linear, epilogue.scale, 0.0f),
                  "appending a scale");
  }
  for (size_t i = 0; i < epilogue.steps.size(); ++i) {
    refusal = append(library, epilogue, i, post_ops.get());
    if (!refusal.empty()) return {nullptr, {f.attr_destroy}};
  }
  dnnl_primitive_attr_t raw = nullptr;
  library.check(f.attr_create(&raw), "making attributes");
  Attributes attributes(raw, {f.attr_destroy});
  library.check(f.attr_set_scratchpad_mode(raw, dnnl_scratchpad_mode_user), "setting the scratch mode");
  library.check(f.attr_set_post_ops(raw, post_ops.get()), "setting post-ops");
  if (precision == Precision::bf16) {
    library.check(f.attr_set_fpmath_mode(raw, dnnl_fpmath_mode_bf16), "allowing bfloat16");
  }
  return attributes;
}

void add_operands(const Library& library, const EpilogueSpec& epilogue, PrimitiveKernel& kernel) {
  const int before = epilogue.scale != 1.0f ? 1 : 0;
  for (size_t i = 0; i < epilogue.steps.size(); ++i) {
    const int32_t operand = epilogue.steps[i].operand;
    if (operand < 0 || in_place(epilogue, i)) continue;
    const MemoryDesc desc = library.memory_desc(epilogue.operands[static_cast<size_t>(operand)]);
    kernel.add_pointer(DNNL_ARG_ATTR_MULTIPLE_POST_OP(before + static_cast<int>(i)) | DNNL_ARG_SRC_1, desc.get());
  }
}

}  // namespace overt::cpu::onednn
