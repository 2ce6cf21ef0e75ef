#ifndef OVERT_OPS_RESAMPLE_H_
#define OVERT_OPS_RESAMPLE_H_

#include <cstdint>
#include <vector>

#include "ops/resize.h"

namespace overt {

/// Where each output position of one axis reads, and how much of it.
struct AxisSamples {
  int64_t taps = 1;              ///< per output position
  std::vector<int64_t> indices;  ///< [output*taps], each in [0, input)
  std::vector<double> weights;   ///< [output*taps]; empty for the nearest mode, where the one weight is 1
  /// [output]: 1 where the extrapolation value stands instead; empty where it stands nowhere.
  std::vector<uint8_t> outside;
};

/// The coordinate in the input of an output position, by the formulas of Resize-19.
double source_coordinate(const ResizeAxis& axis, CoordinateMode mode, int64_t position);

/// The samples of one axis with input > 0. Takes memory for about output + 4*input taps. Cannot fail.
AxisSamples sample_axis(const ResizeAttributes& attributes, const ResizeAxis& axis);

}  // namespace overt

#endif  // OVERT_OPS_RESAMPLE_H_
