#ifndef OVERT_VISION_H_
#define OVERT_VISION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "overt/session.h"

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

enum class ChannelOrder : uint8_t { bgr, rgb };
enum class LetterboxAlign : uint8_t { top_left, centre };

/// How pixels become the network's numbers: (pixel * scale - mean[c]) / std[c], with c in the order of the output.
/// The defaults are those of YOLOX.
struct PreprocessOptions {
  ChannelOrder order = ChannelOrder::bgr;
  LetterboxAlign align = LetterboxAlign::top_left;
  uint8_t fill = 114;  ///< the pixel value around the picture
  float scale = 1.0F;  ///< 1/255 for a network that expects 0 to 1
  std::array<float, 3> mean = {0.0F, 0.0F, 0.0F};
  std::array<float, 3> std = {1.0F, 1.0F, 1.0F};
};

/// Where a picture lies in the network's input: input = picture * scale + (left, top), in pixels.
struct Letterbox {
  double scale = 1.0;
  int left = 0;
  int top = 0;
  int width = 0;  ///< of the resized picture
  int height = 0;
};

/// The place of a picture that keeps its proportions: scale = min(input_height / height, input_width / width), sides
/// rounded down, at least one pixel. invalid_argument: a side that is not positive.
Letterbox place_letterbox(int width, int height, int input_width, int input_height, LetterboxAlign align);

/// Writes the network's input for one picture.
///
/// out: [3, input_height, input_width], contiguous. Bilinear with half-pixel centres, rounded to whole levels before
/// scale, mean and std: within one level of OpenCV's INTER_LINEAR.
/// invalid_argument: an inconsistent picture, `out` of another size, std of 0.
Letterbox preprocess(const Image& image, int input_width, int input_height, const PreprocessOptions& options,
                     std::span<float> out);

struct Detection {
  int class_id = 0;
  std::string label;
  float score = 0.0F;
  std::array<float, 4> box = {};  ///< x1, y1, x2, y2 in pixels of the picture; may reach beyond its borders
};

enum class HeadFormat : uint8_t {
  automatic,      ///< told apart by the numbers: see decode_yolox
  yolox_raw,      ///< x, y as offsets from the cell and log width, log height, all in strides
  yolox_decoded,  ///< centre x, y, width, height in pixels of the network's input
};

struct DetectOptions {
  HeadFormat head = HeadFormat::automatic;
  float score_threshold = 0.3F;  ///< 0 to 1; a detection scores above it
  float iou_threshold = 0.45F;   ///< 0 to 1; of two boxes of one class that overlap above it, the better one stays
  int max_detections = 300;      ///< per picture, the best ones
};

/// A YOLOX network's output, borrowed from the caller.
struct HeadOutput {
  std::span<const float> values;   ///< contiguous
  std::span<const int64_t> shape;  ///< [batch, rows, 5 + classes]; rows of strides 8, 16, 32, each row-major
  int input_width = 0;
  int input_height = 0;
};

/// The detections of each picture of the batch, best first.
///
/// A row is x, y, width, height, objectness, one probability per class; the score of a class is its probability times
/// the objectness. Suppression is per class and greedy in the order of score, then row, then class.
/// HeadFormat::automatic takes a head for raw when it has negative sizes, or when its centres lie nearer to 0.5 than
/// to their cells.
/// letterboxes: one per picture, to map boxes back. labels: one per class.
/// invalid_argument: a shape that does not fit the input, another number of letterboxes or labels, NaN or scores
/// outside 0 to 1 in the output, thresholds outside 0 to 1.
std::vector<std::vector<Detection>> decode_yolox(const HeadOutput& output, std::span<const Letterbox> letterboxes,
                                                 std::span<const std::string> labels, const DetectOptions& options);

/// The 80 classes of COCO in the order that detectors trained on it use: "person" is 0, "toothbrush" 79.
std::vector<std::string> coco_labels();

/// Class names from a UTF-8 text file, one a line; white space around a name and blank lines at the end do not count.
/// invalid_argument: no file, no names, over 1 MiB, not UTF-8, or a blank line between names.
std::vector<std::string> load_labels(const std::filesystem::path& path);

/// Draws a frame and a label ("dog 0.86") for each detection into the picture, in a colour of its class.
///
/// Lines and letters grow with the picture. Frames are cut off at the borders, labels are moved inside and, where
/// there is room, off each other. Characters outside of ASCII become an empty box. invalid_argument: an inconsistent
/// picture, or a box with a NaN.
void draw_detections(Image& image, std::span<const Detection> detections);

struct DetectorOptions {
  PreprocessOptions preprocess;
  DetectOptions detect;
  std::vector<std::string> labels;  ///< one per class; empty: coco_labels()
  /// Size of the network's input where the model leaves it open; 0 where the model says it. Multiples of 32.
  int input_width = 0;
  int input_height = 0;
};

/// Milliseconds on the clock. Pictures of one batch share its times evenly.
struct StageTimes {
  double decode = 0.0;  ///< from the file's bytes to pixels; 0 where the caller gave pixels
  double preprocess = 0.0;
  double infer = 0.0;
  double postprocess = 0.0;
};

struct DetectionResult {
  int width = 0;  ///< of the upright picture
  int height = 0;
  std::vector<Detection> detections;  ///< best first
  StageTimes times_ms;
};

/// Finds objects in pictures with a YOLOX model: preprocess, run, decode_yolox.
///
/// Const functions are safe to call from several threads at once; each call has buffers of its own.
class Detector {
 public:
  /// Takes the session. Checked here, before the first picture: invalid_argument for a model that has not one
  /// float32 input [batch, 3, height, width] and one float32 output [batch, rows, 5 + classes], for a size that is
  /// open and not given (or given and another), and for another number of labels than classes.
  explicit Detector(Session session, DetectorOptions options = {});

  /// The objects in one picture. Errors as of preprocess, Session::run and decode_yolox.
  DetectionResult detect(const Image& image, const RunOptions& run = {}) const;
  /// The same from the bytes of a JPEG or PNG file; errors as of decode_image too.
  DetectionResult detect_encoded(std::span<const std::byte> bytes, const ImageLimits& limits = {},
                                 const RunOptions& run = {}) const;
  /// One result per picture, in order. Runs all at once where the model leaves the batch open; else in batches of
  /// the model's size, the last one filled up with blank pictures.
  std::vector<DetectionResult> detect_batch(std::span<const Image> images, const RunOptions& run = {}) const;

  const Session& session() const { return session_; }
  std::span<const std::string> labels() const { return options_.labels; }
  int input_width() const { return options_.input_width; }
  int input_height() const { return options_.input_height; }

 private:
  void detect_chunk(std::span<const Image* const> images, size_t batch, const RunOptions& run,
                    std::span<DetectionResult> results) const;

  Session session_;
  DetectorOptions options_;  ///< with labels and input size filled in
  size_t model_batch_ = 0;   ///< 0 where the model leaves it open
};

}  // namespace overt::vision

#endif  // OVERT_VISION_H_
