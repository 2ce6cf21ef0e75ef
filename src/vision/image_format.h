#ifndef OVERT_VISION_IMAGE_FORMAT_H_
#define OVERT_VISION_IMAGE_FORMAT_H_

#include <cstdint>
#include <filesystem>
#include <span>

#include "overt/vision.h"

namespace overt::vision {

/// The format of a picture file by its first bytes.
/// unsupported: a known format other than JPEG and PNG, named in the message. invalid_argument: unknown bytes.
ImageFormat recognise_format(std::span<const uint8_t> bytes);

/// The format that a file name asks for by its extension, in any case. invalid_argument: another extension.
ImageFormat format_of_extension(const std::filesystem::path& path);

}  // namespace overt::vision

#endif  // OVERT_VISION_IMAGE_FORMAT_H_
