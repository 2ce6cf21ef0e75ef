#ifndef OVERT_VISION_PNG_H_
#define OVERT_VISION_PNG_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "overt/vision.h"

namespace overt::vision {

/// decode_image for bytes that begin as PNG does; errors as there.
Image decode_png(std::span<const uint8_t> bytes, const ImageLimits& limits);

/// encode_image for a picture that passed check_image; 8-bit RGB, not interlaced.
std::vector<std::byte> encode_png(const Image& image);

}  // namespace overt::vision

#endif  // OVERT_VISION_PNG_H_
