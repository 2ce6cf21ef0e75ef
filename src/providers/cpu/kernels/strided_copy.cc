#include "providers/cpu/kernels/strided_copy.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace overt::cpu {
namespace {

/// Rows and columns of the square that is transposed at once: its lines on both sides stay in the first-level cache.
constexpr int64_t kSquare = 16;
/// Bytes below which a second thread costs more than it saves.
constexpr int64_t kParallelBytes = 32768;

/// rows x cols elements: source is contiguous along the rows' axis, destination along the columns'.
template <typename T>
void transpose_squares(const T* source, T* destination, int64_t rows, int64_t cols, int64_t source_col_stride,
                       int64_t destination_row_stride) {
  for (int64_t row = 0; row < rows; row += kSquare) {
    const int64_t row_end = std::min(rows, row + kSquare);
    for (int64_t col = 0; col < cols; col += kSquare) {
      const int64_t col_end = std::min(cols, col + kSquare);
      for (int64_t i = row; i < row_end; ++i) {
        T* const to = destination + i * destination_row_stride;
        for (int64_t j = col; j < col_end; ++j) to[j] = source[i + j * source_col_stride];
      }
    }
  }
}

template <typename T>
void copy_scattered(const T* source, T* destination, int64_t count, int64_t source_stride,
                    int64_t destination_stride) {
  if (destination_stride == 1 && source_stride == 0) {
    std::fill_n(destination, count, *source);
    return;
  }
  if (destination_stride == 1 && source_stride == 2) {
    for (int64_t i = 0; i < count; ++i) destination[i] = source[2 * i];
    return;
  }
  for (int64_t i = 0; i < count; ++i) destination[i * destination_stride] = source[i * source_stride];
}

/// Calls f with a null pointer of the unsigned type of that size.
template <typename Function>
void visit_size(int64_t bytes, const Function& f) {
  switch (bytes) {
    case 1: return f(static_cast<const uint8_t*>(nullptr));
    case 2: return f(static_cast<const uint16_t*>(nullptr));
    case 4: return f(static_cast<const uint32_t*>(nullptr));
    default: return f(static_cast<const uint64_t*>(nullptr));
  }
}

}  // namespace

StridedCopy::StridedCopy(std::span<const int64_t> dims, std::span<const int64_t> source_strides,
                         std::span<const int64_t> destination_strides, int64_t element_bytes)
    : element_bytes_(element_bytes) {
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != 1) axes_.push_back({dims[i], source_strides[i], destination_strides[i]});
  }
  if (element_bytes != 1 && element_bytes != 2 && element_bytes != 4 && element_bytes != 8) {
    for (Axis& axis : axes_) {
      axis.source *= element_bytes;
      axis.destination *= element_bytes;
    }
    axes_.push_back({element_bytes, 1, 1});
    element_bytes_ = 1;
  }
  merge_axes();
  choose_inner();
}

/// Orders the axes so that the destination is written forwards, and joins those that step together.
void StridedCopy::merge_axes() {
  std::ranges::stable_sort(
      axes_, [](const Axis& a, const Axis& b) { return std::abs(a.destination) > std::abs(b.destination); });
  std::vector<Axis> merged;
  for (const Axis& axis : axes_) {
    if (!merged.empty() && merged.back().source == axis.source * axis.dim &&
        merged.back().destination == axis.destination * axis.dim) {
      merged.back() = {merged.back().dim * axis.dim, axis.source, axis.destination};
    } else {
      merged.push_back(axis);
    }
  }
  axes_ = std::move(merged);
}

void StridedCopy::choose_inner() {
  if (axes_.empty()) axes_.push_back({1, 1, 1});
  const Axis last = axes_.back();
  if (last.source == 1 && last.destination == 1) {
    inner_ = Inner::run;
  } else if (last.destination == 1 && axes_.size() > 1) {
    // The axis that is contiguous in the source goes next to the last.
    const auto contiguous = std::ranges::find_if(axes_, [](const Axis& axis) { return axis.source == 1; });
    if (contiguous != axes_.end()) {
      inner_ = Inner::transpose;
      std::rotate(contiguous, contiguous + 1, axes_.end() - 1);
    }
  }
  outer_axes_ = axes_.size() - (inner_ == Inner::transpose ? 2 : 1);
  for (size_t i = 0; i < outer_axes_; ++i) outer_ *= axes_[i].dim;
  const int64_t line_bytes = element_bytes_ * (inner_ == Inner::transpose ? last.dim : 1);
  const int64_t lines = std::max<int64_t>(kSquare, kParallelBytes / std::max<int64_t>(line_bytes, 1));
  piece_ = std::min(axes_[outer_axes_].dim, (lines + kSquare - 1) / kSquare * kSquare);
  pieces_ = piece_ == 0 ? 0 : (axes_[outer_axes_].dim + piece_ - 1) / piece_;
  piece_bytes_ = piece_ * line_bytes;
}

void StridedCopy::run(const void* source, void* destination, Threads& threads) const {
  const char* const from = static_cast<const char*>(source);
  char* const to = static_cast<char*>(destination);
  if (piece_bytes_ == 0) return;
  parallel_for(threads, outer_ * pieces_, std::max<int64_t>(1, kParallelBytes / piece_bytes_),
               [&](int64_t first, int64_t last) { copy_range(from, to, first, last); });
}

/// Pieces number [first, last) of the outer index space.
void StridedCopy::copy_range(const char* source, char* destination, int64_t first, int64_t last) const {
  const Axis& cut = axes_[outer_axes_];
  for (int64_t index = first; index < last; ++index) {
    const int64_t begin = index % pieces_ * piece_;
    int64_t rest = index / pieces_;
    int64_t from = begin * cut.source;
    int64_t to = begin * cut.destination;
    for (size_t axis = outer_axes_; axis-- > 0;) {
      const int64_t at = rest % axes_[axis].dim;
      rest /= axes_[axis].dim;
      from += at * axes_[axis].source;
      to += at * axes_[axis].destination;
    }
    copy_inner(source + from * element_bytes_, destination + to * element_bytes_, std::min(piece_, cut.dim - begin));
  }
}

/// `count` steps of the first inner axis.
void StridedCopy::copy_inner(const char* source, char* destination, int64_t count) const {
  const Axis& last = axes_.back();
  if (inner_ == Inner::run) {
    std::memcpy(destination, source, static_cast<size_t>(count * element_bytes_));
    return;
  }
  visit_size(element_bytes_, [&]<typename T>(const T*) {
    const T* const from = reinterpret_cast<const T*>(source);
    T* const to = reinterpret_cast<T*>(destination);
    if (inner_ == Inner::transpose) {
      transpose_squares(from, to, count, last.dim, last.source, axes_[outer_axes_].destination);
    } else {
      copy_scattered(from, to, count, last.source, last.destination);
    }
  });
}

}  // namespace overt::cpu
