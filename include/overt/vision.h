#ifndef OVERT_VISION_H_
#define OVERT_VISION_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

/// Pictures on the CPU: reading, writing, network input, detections, drawing.
///
/// Every function is safe to call from several threads at once on different objects, and throws
/// `overt::Error`: any bytes and any values give a right answer or a typed error, in bounded time and memory.
namespace overt::vision {

/// A picture of 8-bit RGB: row y, column x, channel c at pixels[(y * width + x) * 3 + c]. No padding.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> pixels;
};

/// What a picture file may ask for. Checked on the file's header, before the pixels are allocated.
struct ImageLimits {
  int64_t max_pixels = 100'000'000;
  int max_side = 65535;
  int64_t max_file_bytes = int64_t{256} << 20;
};

/// The picture in a JPEG or PNG file, which is recognised by its first bytes and never by its name.
///
/// JPEG: baseline and progressive; grey, YCbCr, RGB, CMYK and YCCK (an Adobe marker means inverted inks).
/// PNG: every colour type and depth, interlaced or not. 16-bit samples keep their high byte, and alpha is
/// dropped without blending, as OpenCV's IMREAD_COLOR does. Colour profiles and gamma are not applied.
/// The Exif orientation (JPEG APP1, PNG eXIf) is applied, so that the picture stands upright.
///
/// invalid_argument: damaged or truncated file (a JPEG that lacks only its end marker is whole), unknown bytes,
/// over a limit. unsupported: another picture format, which is named. out_of_memory.
Image decode_image(std::span<const std::byte> bytes, const ImageLimits& limits = {});

/// decode_image on a file's bytes; errors name the path.
Image load_image(const std::filesystem::path& path, const ImageLimits& limits = {});

enum class ImageFormat : uint8_t { jpeg, png };

/// The bytes of a JPEG (quality 92) or PNG file that holds `image`.
/// invalid_argument: an empty picture, sizes that do not fit its pixels, or a side over 65,500 for JPEG.
std::vector<std::byte> encode_image(const Image& image, ImageFormat format);

/// Writes .jpg, .jpeg or .png (any case), to a temporary name in the same folder that is then renamed, so that
/// a reader never sees half a file. invalid_argument: another extension, or a folder that cannot be written.
void save_image(const std::filesystem::path& path, const Image& image);

}  // namespace overt::vision

#endif  // OVERT_VISION_H_
