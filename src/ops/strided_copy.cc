#include "ops/strided_copy.h"

#include <cstring>

namespace overt {

std::vector<CopyAxis> joined_axes(std::span<const int64_t> dims, std::span<const int64_t> source_strides,
                                  std::span<const int64_t> target_strides) {
  std::vector<CopyAxis> axes;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 1) continue;
    const CopyAxis axis{dims[i], source_strides[i], target_strides[i]};
    if (!axes.empty() && axes.back().source_stride == axis.source_stride * axis.length &&
        axes.back().target_stride == axis.target_stride * axis.length) {
      axes.back() = {axes.back().length * axis.length, axis.source_stride, axis.target_stride};
      continue;
    }
    axes.push_back(axis);
  }
  if (axes.empty()) axes.push_back({1, 1, 1});
  return axes;
}

void copy_elements(const TensorView& from, const MutableTensorView& to) {
  if (from.type == DataType::string) {
    std::ranges::copy(from.values<std::string>(), to.values<std::string>().begin());
    return;
  }
  const auto bytes = static_cast<size_t>(tensor_bytes(from.type, from.shape()));
  if (bytes > 0) std::memcpy(to.data, from.data, bytes);
}

}  // namespace overt
