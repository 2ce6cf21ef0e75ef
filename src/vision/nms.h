#ifndef OVERT_VISION_NMS_H_
#define OVERT_VISION_NMS_H_

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace overt::vision {

/// A scored box of one class. x1, y1, x2, y2, all finite; the score is not NaN.
struct Candidate {
  int class_id = 0;
  float score = 0.0F;
  std::array<float, 4> box = {};
};

/// Intersection over union of two boxes; 0 when both are empty.
float box_iou(const std::array<float, 4>& a, const std::array<float, 4>& b);

/// The candidates that stay, as indices in falling order of score, equal scores in rising order of index.
///
/// Greedy per class: one that overlaps a better one that stays, of its class, by more than the threshold, goes.
/// Stops after max_count, so that the time is bounded by candidates * max_count.
/// classes: every class_id lies in [0, classes).
std::vector<size_t> suppress(std::span<const Candidate> candidates, int classes, float iou_threshold, int max_count);

}  // namespace overt::vision

#endif  // OVERT_VISION_NMS_H_
