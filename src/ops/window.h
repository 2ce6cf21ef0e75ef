#ifndef OVERT_OPS_WINDOW_H_
#define OVERT_OPS_WINDOW_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/dim.h"
#include "graph/node.h"

namespace overt {

/// How a sliding window's pads are found.
enum class AutoPad : uint8_t {
  none,        ///< from the attribute `pads`
  same_upper,  ///< so that the output is ceil(input / stride) long, an odd element at the end
  same_lower,  ///< the same, an odd element at the beginning
  valid,       ///< no pads
};

/// A sliding window as in the model: of Conv, ConvTranspose and the pools. Each list has one number per spatial
/// axis or is empty, which stands for the standard's default.
struct WindowAttributes {
  std::vector<int64_t> kernel;     ///< empty: as the weight
  std::vector<int64_t> strides;    ///< empty: 1
  std::vector<int64_t> dilations;  ///< empty: 1
  std::vector<int64_t> pads;       ///< begins, then ends; empty: 0
  AutoPad auto_pad = AutoPad::none;
  bool ceil_mode = false;  ///< the last window may reach past the padded input
};
/// Checks that kernel, strides and dilations are in [1, 2^31), pads in [0, 2^31), and that the lists agree in
/// length, so that no arithmetic on them overflows. Throws Error(invalid_model).
WindowAttributes parse_window(const Node& node);
/// Number of spatial axes that a list speaks of must be `spatial_rank`. Throws Error(invalid_model).
void check_window_rank(const Node& node, const WindowAttributes& attributes, int64_t spatial_rank);

/// The window along one axis, as numbers. Tap t of output position o reads input position
/// o*stride - pad_begin + t*dilation, and nothing (or zero) where that is not in [0, input).
struct WindowAxis {
  int64_t input = 0;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t pad_begin = 0;
  int64_t pad_end = 0;
  int64_t output = 0;

  int64_t extent() const { return (kernel - 1) * dilation + 1; }
  int64_t start(int64_t position) const { return position * stride - pad_begin; }
};
using Window = std::vector<WindowAxis>;

/// Lengths of the output's spatial axes. Throws Error(invalid_model) where a window does not fit its padded input.
Dims window_output_dims(const Node& node, const WindowAttributes& attributes, std::span<const Dim> kernel,
                        std::span<const Dim> input);
/// The same with numbers, and the pads that `auto_pad` gives.
Window resolve_window(const Node& node, const WindowAttributes& attributes, std::span<const int64_t> kernel,
                      std::span<const int64_t> input);

/// Taps [first, last) of a window; empty where first >= last.
struct TapRange {
  int64_t first = 0;
  int64_t last = 0;
  int64_t count() const { return std::max<int64_t>(last - first, 0); }
};
/// Taps of the window at `position` that read inside [low, high).
TapRange taps_within(const WindowAxis& axis, int64_t position, int64_t low, int64_t high);
/// Taps that read inside the input.
inline TapRange taps_inside(const WindowAxis& axis, int64_t position) {
  return taps_within(axis, position, 0, axis.input);
}

/// Where each tap of each window reads: offsets[tap*count + j] is the row-major offset in the input plane for the
/// window at row-major output position `first + j`, j in [0, count), or -1 in the padding. Taps are row-major too.
void window_offsets(const Window& window, int64_t first, int64_t count, std::vector<int64_t>& offsets);

/// Product over the axes.
int64_t input_plane(const Window& window);
int64_t output_plane(const Window& window);
int64_t kernel_taps(const Window& window);

/// Walks the output positions of a window in row-major order and visits the input positions under each.
class WindowWalk {
 public:
  explicit WindowWalk(const Window& window);
  bool done() const { return done_; }
  void next();
  /// Taps inside the input along `axis` at the present position.
  const TapRange& taps(size_t axis) const { return taps_[axis]; }
  int64_t position(size_t axis) const { return position_[axis]; }

  /// Calls visit(offset) with the row-major offset in the input plane of each tap inside the input, in order.
  template <typename Visit>
  void for_each_tap(Visit&& visit) const;

 private:
  void find_taps(size_t axis);

  const Window& window_;
  std::vector<int64_t> input_strides_;
  std::vector<int64_t> position_;
  std::vector<TapRange> taps_;
  mutable std::vector<int64_t> tap_;  ///< scratch of for_each_tap
  bool done_ = false;
};

template <typename Visit>
void WindowWalk::for_each_tap(Visit&& visit) const {
  const size_t rank = window_.size();
  int64_t row = 0;  // offset of the first tap of the present line along the last axis
  for (size_t axis = 0; axis < rank; ++axis) {
    if (taps_[axis].count() == 0) return;
    tap_[axis] = taps_[axis].first;
    row += (window_[axis].start(position_[axis]) + tap_[axis] * window_[axis].dilation) * input_strides_[axis];
  }
  const int64_t step = window_[rank - 1].dilation, count = taps_[rank - 1].count();
  while (true) {
    for (int64_t i = 0; i < count; ++i) visit(row + i * step);
    size_t axis = rank - 1;
    while (true) {
      if (axis == 0) return;
      --axis;
      const int64_t line = window_[axis].dilation * input_strides_[axis];
      row += line;
      if (++tap_[axis] < taps_[axis].last) break;
      row -= taps_[axis].count() * line;
      tap_[axis] = taps_[axis].first;
    }
  }
}

}  // namespace overt

#endif  // OVERT_OPS_WINDOW_H_
