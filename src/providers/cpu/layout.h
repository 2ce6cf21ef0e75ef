#ifndef OVERT_PROVIDERS_CPU_LAYOUT_H_
#define OVERT_PROVIDERS_CPU_LAYOUT_H_

#include <cstdint>
#include <string>

#include "overt/tensor.h"

namespace overt::cpu {

/// How a float32 tensor of a concrete shape lies in memory.
///
/// block 1 is row-major. block B > 1 (16 on CPUs with AVX-512, else 8) is for shapes [N, C, spatial...]: memory is
/// [N, ceil(C/B), spatial..., B], channel c is lane c % B of group c / B. Lanes past C are zero, and whoever writes
/// a blocked tensor keeps them zero.
///
/// With N = 1 the groups of channels are adjacent, so tensors whose channel counts are multiples of B form their
/// concatenation along the channels by lying next to each other, and a slice of whole groups is a view.
struct Layout {
  Shape shape;
  int64_t block = 1;

  bool blocked() const { return block > 1; }
  int64_t channels() const { return shape[1]; }
  /// Groups of channels: ceil(C / block). Only for blocked layouts.
  int64_t channel_groups() const { return (shape[1] + block - 1) / block; }
  /// Product of the dims after the channels.
  int64_t spatial() const { return shape.elements(2, shape.rank()); }
  /// Elements in memory, padding lanes included.
  int64_t elements() const { return blocked() ? shape[0] * channel_groups() * spatial() * block : shape.elements(); }
  int64_t bytes() const { return elements() * static_cast<int64_t>(sizeof(float)); }
  /// "[1, 24, 56, 56]" or "[1, 24, 56, 56] in blocks of 16".
  std::string to_string() const {
    return blocked() ? shape.to_string() + " in blocks of " + std::to_string(block) : shape.to_string();
  }

  friend bool operator==(const Layout&, const Layout&) = default;
};

inline Layout plain(Shape shape) {
  return {std::move(shape), 1};
}
inline Layout blocked(Shape shape, int64_t block) {
  return {std::move(shape), block};
}

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_LAYOUT_H_
