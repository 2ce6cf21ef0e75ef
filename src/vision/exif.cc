#include "vision/exif.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "vision/pixels.h"

namespace overt::vision {
namespace {

constexpr uint16_t kOrientationTag = 0x0112;
constexpr uint16_t kTypeShort = 3;
constexpr uint16_t kTypeLong = 4;
constexpr size_t kEntryBytes = 12;

/// Integers of either byte order out of a block; outside of the block everything reads as 0.
struct TiffReader {
  std::span<const uint8_t> bytes;
  bool big_endian = false;

  bool holds(size_t offset, size_t count) const { return offset <= bytes.size() && count <= bytes.size() - offset; }

  uint16_t u16(size_t offset) const {
    if (!holds(offset, 2)) return 0;
    const uint16_t first = bytes[offset];
    const uint16_t second = bytes[offset + 1];
    return static_cast<uint16_t>(big_endian ? first << 8 | second : second << 8 | first);
  }

  uint32_t u32(size_t offset) const {
    const uint32_t first = u16(offset);
    const uint32_t second = holds(offset, 4) ? u16(offset + 2) : 0;
    return big_endian ? first << 16 | second : second << 16 | first;
  }
};

/// Where the pixel of the upright picture comes from, by orientation.
struct Turn {
  bool swap_axes;
  bool flip_x;  // in the stored picture
  bool flip_y;
};

constexpr Turn kTurns[9] = {
    {false, false, false}, {false, false, false}, {false, true, false}, {false, true, true}, {false, false, true},
    {true, false, false},  {true, false, true},   {true, true, true},   {true, true, false},
};

}  // namespace

int exif_orientation(std::span<const uint8_t> tiff) {
  TiffReader reader{tiff};
  if (tiff.size() < 8) return 1;
  if (tiff[0] == 'M' && tiff[1] == 'M') {
    reader.big_endian = true;
  } else if (tiff[0] != 'I' || tiff[1] != 'I') {
    return 1;
  }
  if (reader.u16(2) != 42) return 1;
  const size_t directory = reader.u32(4);
  const size_t entries = reader.u16(directory);
  for (size_t i = 0; i < entries; ++i) {
    const size_t entry = directory + 2 + i * kEntryBytes;
    if (!reader.holds(entry, kEntryBytes)) return 1;
    if (reader.u16(entry) != kOrientationTag) continue;
    const uint16_t type = reader.u16(entry + 2);
    if ((type != kTypeShort && type != kTypeLong) || reader.u32(entry + 4) != 1) return 1;
    const uint32_t value = type == kTypeShort ? reader.u16(entry + 8) : reader.u32(entry + 8);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

Image orient(Image image, int orientation) {
  if (orientation <= 1 || orientation > 8) return image;
  const Turn turn = kTurns[orientation];
  Image upright = turn.swap_axes ? make_image(image.height, image.width) : make_image(image.width, image.height);

  // Steps through the stored picture, in bytes, for one column and one row of the upright one.
  const ptrdiff_t stored_row = ptrdiff_t{image.width} * 3;
  const ptrdiff_t step_x = turn.flip_x ? -3 : 3;
  const ptrdiff_t step_y = turn.flip_y ? -stored_row : stored_row;
  const ptrdiff_t column_step = turn.swap_axes ? step_y : step_x;
  const ptrdiff_t row_step = turn.swap_axes ? step_x : step_y;
  const ptrdiff_t start =
      (turn.flip_x ? stored_row - 3 : 0) + (turn.flip_y ? (ptrdiff_t{image.height} - 1) * stored_row : 0);

  uint8_t* out = upright.pixels.data();
  for (ptrdiff_t y = 0; y < upright.height; ++y) {
    ptrdiff_t from = start + y * row_step;
    for (int x = 0; x < upright.width; ++x, from += column_step, out += 3) {
      std::copy_n(image.pixels.data() + from, 3, out);
    }
  }
  return upright;
}

}  // namespace overt::vision
