#ifndef OVERT_VISION_JPEG_H_
#define OVERT_VISION_JPEG_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "overt/vision.h"

namespace overt::vision {

/// decode_image for bytes that begin as JPEG does; errors as there.
Image decode_jpeg(std::span<const uint8_t> bytes, const ImageLimits& limits);

/// encode_image for a picture that passed check_image; quality 92, colour at half resolution.
std::vector<std::byte> encode_jpeg(const Image& image);

}  // namespace overt::vision

#endif  // OVERT_VISION_JPEG_H_
