#ifndef OVERT_VISION_PIXELS_H_
#define OVERT_VISION_PIXELS_H_

#include <cstdint>
#include <string_view>

#include "overt/vision.h"

namespace overt::vision {

/// Refuses (invalid_argument) a declared size that is empty or over a limit. Allocates nothing.
/// `format` is what the message calls the file: "JPEG".
void check_declared_size(std::string_view format, uint64_t width, uint64_t height, const ImageLimits& limits);

/// A black picture. Both sides are positive. out_of_memory when the system refuses.
Image make_image(int width, int height);

/// Refuses (invalid_argument) a picture that a caller filled inconsistently: empty, or pixels of another count.
void check_image(const Image& image);

}  // namespace overt::vision

#endif  // OVERT_VISION_PIXELS_H_
