#include "vision/nms.h"

#include <algorithm>
#include <numeric>

namespace overt::vision {

float box_iou(const std::array<float, 4>& a, const std::array<float, 4>& b) {
  const float width = std::min(a[2], b[2]) - std::max(a[0], b[0]);
  const float height = std::min(a[3], b[3]) - std::max(a[1], b[1]);
  if (width <= 0.0F || height <= 0.0F) return 0.0F;
  const float common = width * height;
  const float all = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - common;
  return common / all;
}

std::vector<size_t> suppress(std::span<const Candidate> candidates, int classes, float iou_threshold, int max_count) {
  std::vector<size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (candidates[a].score != candidates[b].score) return candidates[a].score > candidates[b].score;
    return a < b;
  });
  std::vector<size_t> kept;
  std::vector<std::vector<size_t>> kept_of_class(static_cast<size_t>(classes));
  for (const size_t index : order) {
    if (kept.size() >= static_cast<size_t>(max_count)) break;
    const Candidate& candidate = candidates[index];
    std::vector<size_t>& better = kept_of_class[static_cast<size_t>(candidate.class_id)];
    const bool covered = std::any_of(better.begin(), better.end(), [&](size_t other) {
      return box_iou(candidates[other].box, candidate.box) > iou_threshold;
    });
    if (covered) continue;
    better.push_back(index);
    kept.push_back(index);
  }
  return kept;
}

}  // namespace overt::vision
