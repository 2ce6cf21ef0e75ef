#ifndef OVERT_OPS_BROADCAST_H_
#define OVERT_OPS_BROADCAST_H_

#include <optional>
#include <span>

#include "graph/dim.h"
#include "overt/tensor.h"

namespace overt {

/// The multidirectional broadcast of two shapes (ONNX Broadcasting.md), or nothing where they do not fit.
/// Of two dims that are not known to be equal, a number > 1 wins over a symbol; two different symbols that are
/// not 1 give the first, as the model would fail at run time otherwise.
std::optional<Dims> broadcast(const Dims& a, const Dims& b);
std::optional<Shape> broadcast(std::span<const int64_t> a, std::span<const int64_t> b);

/// Strides in elements with which a tensor of `dims` is read as if it had `target`'s shape: 0 on broadcast
/// axes. `dims` must broadcast to `target`.
std::vector<int64_t> broadcast_strides(std::span<const int64_t> dims, std::span<const int64_t> target);

/// Row-major strides in elements.
std::vector<int64_t> row_major_strides(std::span<const int64_t> dims);

/// Walks a row-major index space and keeps the offsets of several operands in step. Usage:
///   for (StridedWalk walk(dims, {strides_a, strides_b}); !walk.done(); walk.next()) use(walk.offset(0), ...);
/// dims with a zero give no step. The strides are copied.
class StridedWalk {
 public:
  StridedWalk(std::span<const int64_t> dims, std::vector<std::vector<int64_t>> strides);
  bool done() const { return done_; }
  void next();
  int64_t offset(size_t operand) const { return offsets_[operand]; }
  std::span<const int64_t> index() const { return index_; }

 private:
  std::vector<int64_t> dims_;
  std::vector<std::vector<int64_t>> strides_;
  std::vector<int64_t> index_;
  std::vector<int64_t> offsets_;
  bool done_ = false;
};

}  // namespace overt

#endif  // OVERT_OPS_BROADCAST_H_
