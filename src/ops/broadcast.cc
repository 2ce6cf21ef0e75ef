#include "ops/broadcast.h"

#include <algorithm>

#include "base/error.h"

namespace overt {
namespace {

std::optional<Dim> broadcast_dim(const Dim& a, const Dim& b) {
  if (a == b) return a;
  if (a.is_number() && a.number() == 1) return b;
  if (b.is_number() && b.number() == 1) return a;
  if (a.is_number() && b.is_number()) return std::nullopt;
  if (a.is_number()) return a;  // the symbol is 1 or the number
  if (b.is_number()) return b;
  return a;
}

}  // namespace

std::optional<Dims> broadcast(const Dims& a, const Dims& b) {
  const Dims& longer = a.size() >= b.size() ? a : b;
  const Dims& shorter = a.size() >= b.size() ? b : a;
  Dims result = longer;
  const size_t shift = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    const auto dim = broadcast_dim(longer[shift + i], shorter[i]);
    if (!dim) return std::nullopt;
    result[shift + i] = *dim;
  }
  return result;
}

std::optional<Shape> broadcast(std::span<const int64_t> a, std::span<const int64_t> b) {
  const auto longer = a.size() >= b.size() ? a : b;
  const auto shorter = a.size() >= b.size() ? b : a;
  Shape result(longer);
  const size_t shift = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    const int64_t x = longer[shift + i];
    const int64_t y = shorter[i];
    if (x != y && x != 1 && y != 1) return std::nullopt;
    result[static_cast<int64_t>(shift + i)] = x == 1 ? y : x;
  }
  return result;
}

std::vector<int64_t> row_major_strides(std::span<const int64_t> dims) {
  std::vector<int64_t> strides(dims.size());
  int64_t stride = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= dims[i];
  }
  return strides;
}

std::vector<int64_t> broadcast_strides(std::span<const int64_t> dims, std::span<const int64_t> target) {
  std::vector<int64_t> strides(target.size(), 0);
  const std::vector<int64_t> own = row_major_strides(dims);
  const size_t shift = target.size() - dims.size();
  for (size_t i = 0; i < dims.size(); ++i) strides[shift + i] = dims[i] == 1 ? 0 : own[i];
  return strides;
}

StridedWalk::StridedWalk(std::span<const int64_t> dims, std::vector<std::vector<int64_t>> strides)
    : dims_(dims.begin(), dims.end()),
      strides_(std::move(strides)),
      index_(dims.size(), 0),
      offsets_(strides_.size(), 0),
      done_(std::ranges::find(dims_, 0) != dims_.end()) {}

void StridedWalk::next() {
  for (size_t axis = dims_.size(); axis-- > 0;) {
    ++index_[axis];
    for (size_t i = 0; i < offsets_.size(); ++i) offsets_[i] += strides_[i][axis];
    if (index_[axis] < dims_[axis]) return;
    for (size_t i = 0; i < offsets_.size(); ++i) offsets_[i] -= strides_[i][axis] * dims_[axis];
    index_[axis] = 0;
  }
  done_ = true;
}

}  // namespace overt
