#include "tensor/view.h"

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

}  // namespace overt
