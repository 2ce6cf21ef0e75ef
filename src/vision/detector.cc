#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "overt/vision.h"

namespace overt::vision {
namespace {

constexpr int kLargestStride = 32;
constexpr int kMaxInputSide = 8192;

class Stopwatch {
 public:
  /// Milliseconds since the last call, or since the start.
  double lap_ms() {
    const auto now = std::chrono::steady_clock::now();
    const double ms = std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
    return ms;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

std::string list_of(std::span<const TensorSpec> specs) {
  std::string text;
  for (const TensorSpec& spec : specs) text += (text.empty() ? "" : ", ") + spec.to_string();
  return text.empty() ? "none" : text;
}

/// The input that pictures go to. Inputs with a default in the file do not count.
const TensorSpec& picture_input(const Session& session) {
  const std::span<const TensorSpec> inputs = session.inputs();
  const auto needed = [](const TensorSpec& spec) { return !spec.optional; };
  const auto input = std::find_if(inputs.begin(), inputs.end(), needed);
  const bool fits = std::count_if(inputs.begin(), inputs.end(), needed) == 1 && input->type == DataType::float32 &&
                    input->dims.size() == 4 && (input->dims[1] == 3 || input->dims[1] == -1);
  if (!fits) {
    fail(ErrorCode::invalid_argument,
         "the model takes {}, expected one input float32 [batch, 3, height, width]: pass a detector of pictures",
         list_of(inputs));
  }
  return *input;
}

const TensorSpec& head_output(const Session& session) {
  const std::span<const TensorSpec> outputs = session.outputs();
  const bool fits = outputs.size() == 1 && outputs[0].type == DataType::float32 &&
                    (!outputs[0].rank_known || outputs[0].dims.size() == 3);
  if (!fits) {
    fail(ErrorCode::invalid_argument,
         "the model gives {}, expected one output float32 [batch, rows, 5 + classes] of a YOLOX head: export the "
         "model "
         "with its scales joined",
         list_of(outputs));
  }
  return outputs[0];
}

/// One side of the network's input, from the model or from the caller.
int resolve_side(int64_t of_model, int of_caller, const char* option, const TensorSpec& input) {
  if (of_model < 0 && of_caller == 0) {
    fail_at(
        ErrorCode::invalid_argument, input.name,
        "the model leaves the size of its input open ({}): set DetectorOptions::{}, to 416 or 640 for most models",
        input.to_string(), option);
  }
  if (of_model >= 0 && of_caller != 0 && of_caller != of_model) {
    fail_at(ErrorCode::invalid_argument, input.name, "DetectorOptions::{} is {}, but the model takes {}", option,
            of_caller, input.to_string());
  }
  const int64_t side = of_model >= 0 ? of_model : of_caller;
  if (side <= 0 || side > kMaxInputSide || side % kLargestStride != 0) {
    fail_at(ErrorCode::invalid_argument, input.name,
            "the network's {} is {}, expected a multiple of {} from {} to {}", option, side, kLargestStride,
            kLargestStride, kMaxInputSide);
  }
  return static_cast<int>(side);
}

void check_labels(size_t labels, const TensorSpec& output) {
  if (output.dims.size() != 3 || output.dims[2] < 0 || output.dims[2] - 5 == static_cast<int64_t>(labels)) return;
  fail_at(ErrorCode::invalid_argument, output.name,
          "the head has {} classes ({}), but there are {} labels: pass a file with one label for each class",
          output.dims[2] - 5, output.to_string(), labels);
}

}  // namespace

Detector::Detector(Session session, DetectorOptions options)
    : session_(std::move(session)), options_(std::move(options)) {
  const TensorSpec& input = picture_input(session_);
  const TensorSpec& output = head_output(session_);
  options_.input_height = resolve_side(input.dims[2], options_.input_height, "input_height", input);
  options_.input_width = resolve_side(input.dims[3], options_.input_width, "input_width", input);
  if (options_.labels.empty()) options_.labels = coco_labels();
  check_labels(options_.labels.size(), output);
  if (input.dims[0] == 0) {
    fail_at(ErrorCode::invalid_argument, input.name, "the model takes batches of no pictures ({})",
            input.to_string());
  }
  model_batch_ = input.dims[0] > 0 ? static_cast<size_t>(input.dims[0]) : 0;
}

DetectionResult Detector::detect(const Image& image, const RunOptions& run) const {
  DetectionResult result;
  const Image* const picture = &image;
  detect_chunk({&picture, 1}, std::max<size_t>(1, model_batch_), run, {&result, 1});
  return result;
}

DetectionResult Detector::detect_encoded(std::span<const std::byte> bytes, const ImageLimits& limits,
                                         const RunOptions& run) const {
  Stopwatch watch;
  const Image image = decode_image(bytes, limits);
  const double decode_ms = watch.lap_ms();
  DetectionResult result = detect(image, run);
  result.times_ms.decode = decode_ms;
  return result;
}

std::vector<DetectionResult> Detector::detect_batch(std::span<const Image> images, const RunOptions& run) const {
  std::vector<const Image*> pictures;
  for (const Image& image : images) pictures.push_back(&image);
  std::vector<DetectionResult> results(images.size());
  const size_t batch = model_batch_ > 0 ? model_batch_ : images.size();
  for (size_t first = 0; first < images.size(); first += batch) {
    const size_t count = std::min(batch, images.size() - first);
    detect_chunk(std::span(pictures).subspan(first, count), batch, run, std::span(results).subspan(first, count));
  }
  return results;
}

/// images: at most `batch`; what is missing is zero. results: one per picture.
void Detector::detect_chunk(std::span<const Image* const> images, size_t batch, const RunOptions& run,
                            std::span<DetectionResult> results) const {
  Stopwatch watch;
  const int width = options_.input_width;
  const int height = options_.input_height;
  const Shape shape{static_cast<int64_t>(batch), 3, height, width};
  const bool is_full = images.size() == batch;
  Tensor input = is_full ? Tensor::uninitialised(DataType::float32, shape) : Tensor(DataType::float32, shape);
  const std::span<float> values = input.mutable_values<float>();
  const size_t picture_size = values.size() / batch;
  std::vector<Letterbox> letterboxes(batch);
  for (size_t i = 0; i < images.size(); ++i) {
    letterboxes[i] =
        preprocess(*images[i], width, height, options_.preprocess, values.subspan(i * picture_size, picture_size));
  }
  const double preprocess_ms = watch.lap_ms();

  const NamedTensor named{picture_input(session_).name, std::move(input)};
  const std::vector<Tensor> outputs = session_.run(std::span(&named, 1), run);
  const double infer_ms = watch.lap_ms();

  const Tensor& head = outputs.at(0);
  auto pictures = decode_yolox({head.values<float>(), head.shape().dims(), width, height}, letterboxes,
                               options_.labels, options_.detect);
  const double postprocess_ms = watch.lap_ms();
  const auto count = static_cast<double>(images.size());
  for (size_t i = 0; i < images.size(); ++i) {
    results[i] = {images[i]->width,
                  images[i]->height,
                  std::move(pictures[i]),
                  {0.0, preprocess_ms / count, infer_ms / count, postprocess_ms / count}};
  }
}

}  // namespace overt::vision
