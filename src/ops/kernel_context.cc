#include "ops/kernel_context.h"

#include "base/escape.h"

namespace overt {

int64_t TensorView::elements() const {
  int64_t product = 1;
  for (const int64_t dim : dims) product *= dim;
  return product;
}

int64_t MutableTensorView::elements() const {
  int64_t product = 1;
  for (const int64_t dim : dims) product *= dim;
  return product;
}

TensorView view_of(const Tensor& tensor) {
  return {tensor.type(), tensor.shape().dims(), tensor.data()};
}

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
