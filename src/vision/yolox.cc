#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "base/error.h"
#include "overt/vision.h"
#include "vision/nms.h"

namespace overt::vision {
namespace {

constexpr std::array<int, 3> kStrides = {8, 16, 32};
constexpr size_t kBoxColumns = 5;  // x, y, width, height, objectness
// A box beyond it is a defect of the numbers, and no place in any picture.
constexpr float kMaxCoordinate = 1e9F;
// Half-precision arithmetic may leave 0 to 1 by its rounding.
constexpr float kScoreSlack = 1e-3F;

/// The cell of a row, in cells of its stride.
struct Cell {
  float x = 0.0F;
  float y = 0.0F;
  float stride = 0.0F;
};

/// The sizes of a head, checked.
struct Head {
  size_t batch = 0;
  size_t rows = 0;
  size_t columns = 0;
  size_t classes() const { return columns - kBoxColumns; }
};

/// The rows of a head for an input, in 64 bits: the sizes come from a caller and are not trusted.
int64_t count_rows(int input_width, int input_height) {
  int64_t rows = 0;
  for (const int stride : kStrides) rows += int64_t{input_width / stride} * (input_height / stride);
  return rows;
}

std::vector<Cell> make_cells(int input_width, int input_height) {
  std::vector<Cell> cells;
  for (const int stride : kStrides) {
    for (int y = 0; y < input_height / stride; ++y) {
      for (int x = 0; x < input_width / stride; ++x) {
        cells.push_back({static_cast<float>(x), static_cast<float>(y), static_cast<float>(stride)});
      }
    }
  }
  return cells;
}

Head check_shape(const HeadOutput& output) {
  const int64_t rows = count_rows(output.input_width, output.input_height);
  const auto shape = output.shape;
  const bool fits = shape.size() == 3 && shape[0] >= 1 && shape[1] == rows && rows > 0 &&
                    shape[2] > static_cast<int64_t>(kBoxColumns);
  if (!fits) {
    fail(
        ErrorCode::invalid_argument,
        "the output has shape [{}], expected [batch, {}, 5 + classes] of a YOLOX head for an input of {} x {} pixels "
        "(width x height, strides 8, 16 and 32): pass a YOLOX model, or the input size that it was exported for",
        fmt::join(shape, ", "), rows, output.input_width, output.input_height);
  }
  const Head head{static_cast<size_t>(shape[0]), static_cast<size_t>(rows), static_cast<size_t>(shape[2])};
  const size_t count = output.values.size();
  if (count % head.rows != 0 || count / head.rows % head.columns != 0 ||
      count / head.rows / head.columns != head.batch) {
    fail(ErrorCode::invalid_argument, "the output has shape [{}], but holds {} numbers", fmt::join(shape, ", "),
         count);
  }
  return head;
}

void check_options(const DetectOptions& options) {
  const auto is_share = [](float value) { return value >= 0.0F && value <= 1.0F; };
  if (!is_share(options.score_threshold)) {
    fail(ErrorCode::invalid_argument, "score_threshold is {}, expected 0 to 1", options.score_threshold);
  }
  if (!is_share(options.iou_threshold)) {
    fail(ErrorCode::invalid_argument, "iou_threshold is {}, expected 0 to 1", options.iou_threshold);
  }
  if (options.max_detections < 1) {
    fail(ErrorCode::invalid_argument, "max_detections is {}, expected at least 1", options.max_detections);
  }
}

/// See decode_yolox in overt/vision.h. Offsets from a cell are small numbers; centres follow the grid.
bool looks_raw(const HeadOutput& output, const Head& head, std::span<const Cell> cells) {
  double from_half = 0.0;
  double from_cell = 0.0;
  const float* row = output.values.data();
  for (size_t i = 0; i < head.batch * head.rows; ++i, row += head.columns) {
    if (row[2] < 0.0F || row[3] < 0.0F) return true;
    const Cell& cell = cells[i % head.rows];
    from_half += std::abs(row[0] - 0.5F) + std::abs(row[1] - 0.5F);
    from_cell += std::abs(row[0] / cell.stride - cell.x - 0.5F) + std::abs(row[1] / cell.stride - cell.y - 0.5F);
  }
  return from_half < from_cell;
}

/// `value` when it can be a probability; an output that is broken must not pass for an empty picture.
float probability(float value, size_t row, size_t column) {
  if (value >= -kScoreSlack && value <= 1.0F + kScoreSlack) return value;
  if (std::isnan(value)) {
    fail(ErrorCode::invalid_argument,
         "the output has a NaN in row {}, column {}: the input holds NaN or infinity, or the model overflows in this "
         "precision (try fp32)",
         row, column);
  }
  fail(ErrorCode::invalid_argument,
       "the output has the score {} in row {}, column {}, expected 0 to 1: export the model with the sigmoid on its "
       "scores",
       value, row, column);
}

/// x1, y1, x2, y2 in pixels of the network's input.
std::array<float, 4> corners_of(const float* row, const Cell& cell, bool is_raw) {
  const float x = is_raw ? (row[0] + cell.x) * cell.stride : row[0];
  const float y = is_raw ? (row[1] + cell.y) * cell.stride : row[1];
  const float half_width = (is_raw ? std::exp(row[2]) * cell.stride : row[2]) / 2;
  const float half_height = (is_raw ? std::exp(row[3]) * cell.stride : row[3]) / 2;
  return {x - half_width, y - half_height, x + half_width, y + half_height};
}

std::vector<Candidate> collect(const float* values, const Head& head, std::span<const Cell> cells, bool is_raw,
                               float threshold) {
  std::vector<Candidate> candidates;
  const float* row = values;
  for (size_t i = 0; i < head.rows; ++i, row += head.columns) {
    const float objectness = probability(row[4], i, 4);
    if (objectness * (1.0F + kScoreSlack) <= threshold) continue;
    for (size_t c = 0; c < head.classes(); ++c) {
      const float score = objectness * probability(row[kBoxColumns + c], i, kBoxColumns + c);
      if (score <= threshold) continue;
      const std::array<float, 4> box = corners_of(row, cells[i], is_raw);
      for (const float side : box) {
        if (std::abs(side) <= kMaxCoordinate) continue;
        fail(ErrorCode::invalid_argument,
             "the output has a box beyond any picture in row {} (x {}, y {}, width {}, height {}), taken as {}: "
             "choose "
             "the head format by hand if that is wrong, or try fp32",
             i, row[0], row[1], row[2], row[3], is_raw ? "yolox_raw" : "yolox_decoded");
      }
      candidates.push_back({static_cast<int>(c), score, box});
    }
  }
  return candidates;
}

std::array<float, 4> to_picture(const std::array<float, 4>& box, const Letterbox& letterbox) {
  std::array<float, 4> mapped;
  for (size_t i = 0; i < 4; ++i) {
    const int offset = i % 2 == 0 ? letterbox.left : letterbox.top;
    mapped[i] = static_cast<float>((static_cast<double>(box[i]) - offset) / letterbox.scale);
  }
  return mapped;
}

}  // namespace

std::vector<std::vector<Detection>> decode_yolox(const HeadOutput& output, std::span<const Letterbox> letterboxes,
                                                 std::span<const std::string> labels, const DetectOptions& options) {
  check_options(options);
  const Head head = check_shape(output);
  const std::vector<Cell> cells = make_cells(output.input_width, output.input_height);
  if (labels.size() != head.classes()) {
    fail(ErrorCode::invalid_argument,
         "the head has {} classes (output shape [{}]), but there are {} labels: pass a file "
         "with one label for each class",
         head.classes(), fmt::join(output.shape, ", "), labels.size());
  }
  if (letterboxes.size() != head.batch) {
    fail(ErrorCode::invalid_argument, "the output holds {} pictures, but there are {} letterboxes", head.batch,
         letterboxes.size());
  }
  const bool is_raw =
      options.head == HeadFormat::automatic ? looks_raw(output, head, cells) : options.head == HeadFormat::yolox_raw;
  std::vector<std::vector<Detection>> pictures(head.batch);
  for (size_t b = 0; b < head.batch; ++b) {
    const float* values = output.values.data() + b * head.rows * head.columns;
    const auto candidates = collect(values, head, cells, is_raw, options.score_threshold);
    const int classes = static_cast<int>(head.classes());
    for (const size_t index : suppress(candidates, classes, options.iou_threshold, options.max_detections)) {
      const Candidate& kept = candidates[index];
      pictures[b].push_back({kept.class_id, labels[static_cast<size_t>(kept.class_id)], kept.score,
                             to_picture(kept.box, letterboxes[b])});
    }
  }
  return pictures;
}

}  // namespace overt::vision
