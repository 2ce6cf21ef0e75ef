#include "ops/kernel_context.h"

#include "base/escape.h"

namespace overt {

const TensorView& KernelContext::input(size_t i) const {
  if (!has_input(i)) {
    fail_at(ErrorCode::invalid_model, node_.name, "{}: input {} is missing", display_name(node_), i);
  }
  return inputs_[i];
}

void KernelContext::reject_with(const std::string& message) const {
  fail_at(ErrorCode::invalid_argument, node_.name, "{}: {}", display_name(node_), message);
}

}  // namespace overt
