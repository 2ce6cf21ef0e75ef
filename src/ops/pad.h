#ifndef OVERT_OPS_PAD_H_
#define OVERT_OPS_PAD_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/node.h"

namespace overt {

enum class PadMode : uint8_t {
  constant,
  reflect,  ///< mirrored at the first and last element, which are not repeated; again and again where needed
  edge,     ///< the first and last element
  wrap,     ///< the other end follows, as on a torus
};

struct PadAttributes {
  PadMode mode = PadMode::constant;
  std::optional<std::vector<int64_t>> pads;  ///< before opset 11: begins, then ends; later they are input 1
  float value = 0.0f;                        ///< before opset 11; later it is input 2
};
PadAttributes parse_pad(const Node& node);

/// Elements added (or, below 0, taken away) at the two ends of an axis.
struct AxisPads {
  int64_t begin = 0;
  int64_t end = 0;
};

/// The pads of each of `rank` axes. `pads` holds begins, then ends, of the named axes; empty axes stand for all.
/// The lists have been checked by inference.
std::vector<AxisPads> axis_pads(int64_t rank, std::span<const int64_t> pads, std::span<const int64_t> axes);

/// For each position of the padded axis, the position in the input of length `length` that it shows; -1 where it
/// shows the constant.
std::vector<int64_t> padded_positions(int64_t length, AxisPads pads, PadMode mode);

}  // namespace overt

#endif  // OVERT_OPS_PAD_H_
