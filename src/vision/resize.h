#ifndef OVERT_VISION_RESIZE_H_
#define OVERT_VISION_RESIZE_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "overt/vision.h"

namespace overt::vision {

/// Two neighbours in the source, and the share of the second in 1/65536.
struct ResizeTap {
  int32_t first = 0;
  int32_t second = 0;
  int32_t second_share = 0;
};

/// Bilinear resize with half-pixel centres, one output row at a time, rounded to whole levels (halves go up).
///
/// Shares of columns have 16 fraction bits and rows are mixed in fp32, so that a level differs from the exact result
/// only where that lies within 1/10000 of a half. Keeps the last two source rows that it resized, so that rows are
/// cheapest in rising order. Not thread-safe. The picture must pass check_image and outlive this object.
class RowResizer {
 public:
  RowResizer(const Image& image, int width, int height);

  /// planes: [3, width], the red, green and blue of output row y as whole numbers 0 to 255; 0 <= y < height.
  void resize_row(int y, std::span<float> planes);

 private:
  /// One source row resized to [3, width], in 1/65536 of a level.
  struct Row {
    int source_y = -1;
    std::vector<int32_t> planes;
  };

  const Row& source_row(int y, int keep_y);

  const Image& image_;
  int width_;
  std::vector<ResizeTap> columns_;
  std::vector<ResizeTap> rows_;
  std::array<Row, 2> cache_;
};

}  // namespace overt::vision

#endif  // OVERT_VISION_RESIZE_H_
