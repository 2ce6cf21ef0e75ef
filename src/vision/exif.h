#ifndef OVERT_VISION_EXIF_H_
#define OVERT_VISION_EXIF_H_

#include <cstdint>
#include <span>

#include "overt/vision.h"

namespace overt::vision {

/// The orientation, 1 to 8, in a TIFF block (what follows "Exif\0\0" in JPEG APP1; all of PNG eXIf).
///
/// Only the first directory is read and no offset is followed twice, so that a loop cannot be built.
/// A block that is malformed, too short or silent gives 1, upright: the picture itself may still be good.
/// Source: Exif 2.32, section 4.6; TIFF 6.0, section 2.
int exif_orientation(std::span<const uint8_t> tiff);

/// The upright picture of one that was stored with `orientation`. 1 and values outside 1 to 8 change nothing.
Image orient(Image image, int orientation);

}  // namespace overt::vision

#endif  // OVERT_VISION_EXIF_H_
