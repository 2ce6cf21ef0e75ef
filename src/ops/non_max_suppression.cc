#include "ops/non_max_suppression.h"

#include <algorithm>
#include <array>

#include "ops/checks.h"
#include "ops/families.h"
#include "ops/kernel_context.h"

namespace overt {
namespace {

struct Box {
  float left, top, right, bottom;
  float area() const { return (right - left) * (bottom - top); }
};

Box read_box(const float* box, bool center_point_box) {
  if (center_point_box) {
    const float half_width = box[2] / 2, half_height = box[3] / 2;
    return {box[0] - half_width, box[1] - half_height, box[0] + half_width, box[1] + half_height};
  }
  return {std::min(box[1], box[3]), std::min(box[0], box[2]), std::max(box[1], box[3]), std::max(box[0], box[2])};
}

/// Whether intersection over union exceeds the threshold. Boxes without area overlap nothing.
bool overlaps(const Box& a, const Box& b, float iou_threshold) {
  const float width = std::min(a.right, b.right) - std::max(a.left, b.left);
  const float height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  if (!(width > 0) || !(height > 0)) return false;
  const float intersection = width * height;
  const float both = a.area() + b.area() - intersection;
  if (!(a.area() > 0) || !(b.area() > 0) || !(both > 0)) return false;
  return intersection / both > iou_threshold;
}

/// Box indices worth looking at, best first.
std::vector<int64_t> candidates(std::span<const float> scores, const NonMaxSuppressionLimits& limits) {
  std::vector<int64_t> indices;
  for (size_t i = 0; i < scores.size(); ++i) {
    const bool passes = limits.score_threshold ? scores[i] > *limits.score_threshold : scores[i] == scores[i];
    if (passes) indices.push_back(static_cast<int64_t>(i));
  }
  std::ranges::stable_sort(
      indices, [&](int64_t a, int64_t b) { return scores[static_cast<size_t>(a)] > scores[static_cast<size_t>(b)]; });
  return indices;
}

}  // namespace

NonMaxSuppressionAttributes parse_non_max_suppression(const Node& node) {
  const int64_t center = node.integer("center_point_box", 0);
  if (center != 0 && center != 1) reject_node(node, "center_point_box is {}, expected 0 or 1", center);
  return {.center_point_box = center == 1};
}

NonMaxSuppressionGeometry resolve_non_max_suppression(const Node& node, const Dims& boxes, const Dims& scores) {
  const bool ranks_fit = boxes.size() == 3 && scores.size() == 3;
  if (!ranks_fit || differ(boxes[2], 4) || differ(boxes[0], scores[0]) || differ(boxes[1], scores[2])) {
    reject_node(node, "boxes {} and scores {} do not fit, expected [batches, boxes, 4] and [batches, classes, boxes]",
                to_string(boxes), to_string(scores));
  }
  return {boxes[0].number_if_known().value_or(0), scores[1].number_if_known().value_or(0),
          boxes[1].number_if_known().value_or(0)};
}

std::vector<int64_t> non_max_suppression(const NonMaxSuppressionAttributes& attributes,
                                         const NonMaxSuppressionGeometry& geometry,
                                         const NonMaxSuppressionLimits& limits, std::span<const float> boxes,
                                         std::span<const float> scores) {
  std::vector<int64_t> selected;
  std::vector<Box> kept;
  for (int64_t batch = 0; batch < geometry.batches; ++batch) {
    const float* batch_boxes = boxes.data() + batch * geometry.boxes * 4;
    for (int64_t label = 0; label < geometry.classes; ++label) {
      kept.clear();
      const size_t first = static_cast<size_t>((batch * geometry.classes + label) * geometry.boxes);
      for (const int64_t index : candidates(scores.subspan(first, static_cast<size_t>(geometry.boxes)), limits)) {
        if (std::ssize(kept) >= limits.boxes_per_class) break;
        const Box box = read_box(batch_boxes + index * 4, attributes.center_point_box);
        const auto hides = [&](const Box& better) { return overlaps(better, box, limits.iou_threshold); };
        if (std::ranges::any_of(kept, hides)) continue;
        kept.push_back(box);
        selected.insert(selected.end(), {batch, label, index});
      }
    }
  }
  return selected;
}

void infer_non_max_suppression(InferContext& context) {
  parse_non_max_suppression(context.node());
  const Dims *boxes = context.shape(0), *scores = context.shape(1);
  if (boxes != nullptr && scores != nullptr) resolve_non_max_suppression(context.node(), *boxes, *scores);
  context.set_output(0, ValueInfo::tensor(DataType::int64, {context.unknown_dim(0, 0), 3}));
}

namespace {

/// The one number of an optional input, which may also be there without elements.
template <typename T>
std::optional<T> number(const KernelContext& context, size_t input) {
  if (!context.has_input(input) || context.input(input).elements() == 0) return std::nullopt;
  const TensorView& view = context.input(input);
  if (view.type != data_type_of<T> || view.elements() != 1) {
    context.reject("input {} is {} {}, expected one {}", input, data_type_name(view.type), view.shape().to_string(),
                   data_type_name(data_type_of<T>));
  }
  return view.values<T>()[0];
}

ReferenceKernel make_non_max_suppression(const Node& node) {
  return [attributes = parse_non_max_suppression(node)](KernelContext& context) {
    const TensorView &boxes = context.input(0), &scores = context.input(1);
    const NonMaxSuppressionGeometry geometry =
        resolve_non_max_suppression(context.node(), to_dims(boxes.dims), to_dims(scores.dims));
    NonMaxSuppressionLimits limits;
    limits.boxes_per_class = number<int64_t>(context, 2).value_or(0);
    limits.iou_threshold = number<float>(context, 3).value_or(0);
    limits.score_threshold = number<float>(context, 4);
    if (!(limits.iou_threshold >= 0 && limits.iou_threshold <= 1)) {
      context.reject("iou_threshold is {}, expected 0 to 1", limits.iou_threshold);
    }
    const std::vector<int64_t> selected =
        non_max_suppression(attributes, geometry, limits, boxes.values<float>(), scores.values<float>());
    const MutableTensorView out = context.output(0, DataType::int64, {std::ssize(selected) / 3, 3});
    std::ranges::copy(selected, out.values<int64_t>().begin());
  };
}

constexpr std::array kNonMaxSuppressionOps = {
    OpEntry{"", "NonMaxSuppression", infer_non_max_suppression, make_non_max_suppression, 0, OutputShapes::from_data},
};

}  // namespace

std::span<const OpEntry> non_max_suppression_ops() {
  return kNonMaxSuppressionOps;
}

}  // namespace overt
