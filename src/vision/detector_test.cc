#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "vision/test_pictures.h"

namespace overt::vision {
namespace {

using ::testing::AllOf;
using testing::error_of;
using testing::flat;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Writes protobuf fields, of which ONNX needs varints (wire type 0) and blocks of bytes (2).
class Message {
 public:
  Message& number(int field, uint64_t value) {
    varint(static_cast<uint64_t>(field) << 3);
    varint(value);
    return *this;
  }
  Message& block(int field, std::string_view bytes) {
    varint(static_cast<uint64_t>(field) << 3 | 2);
    varint(bytes.size());
    bytes_ += bytes;
    return *this;
  }
  Message& block(int field, const Message& message) { return block(field, message.bytes_); }
  const std::string& bytes() const { return bytes_; }

 private:
  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

/// A ValueInfoProto of float32. A dim of -1 is left open under the name of its axis.
Message value_info(std::string_view name, const std::vector<int64_t>& dims) {
  Message shape;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    Message dim;
    if (dims[axis] >= 0) dim.number(1, static_cast<uint64_t>(dims[axis]));
    if (dims[axis] < 0) dim.block(2, "axis" + std::to_string(axis));
    shape.block(1, dim);
  }
  const Message type = Message().block(1, Message().number(1, 1).block(2, shape));
  return Message().block(1, name).block(2, type);
}

Message constant(std::string_view name, const std::vector<int64_t>& dims, const std::vector<float>& values) {
  Message tensor;
  for (const int64_t dim : dims) tensor.number(1, static_cast<uint64_t>(dim));
  const std::string_view raw(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  return tensor.number(2, 1).block(8, name).block(9, raw);
}

Message node(std::string_view op, const std::vector<std::string_view>& inputs, std::string_view output) {
  Message message;
  for (const std::string_view input : inputs) message.block(1, input);
  return message.block(2, output).block(4, op);
}

Message integers(std::string_view name, const std::vector<int64_t>& values) {
  Message attribute = Message().block(1, name);
  for (const int64_t value : values) attribute.number(8, static_cast<uint64_t>(value));
  return attribute.number(20, 7);
}

Message integer(std::string_view name, uint64_t value) {
  return Message().block(1, name).number(3, value).number(20, 2);
}

struct TestModel {
  std::vector<int64_t> input = {1, 3, 32, 64};
  std::vector<int64_t> output = {1, 42, 7};
};

/// A detector of a dog of 8 x 16 pixels at (28, 18) of the input, whose score is the mean of the input / 200: it
/// finds it in a bright picture and nothing in a dark one. output = mean(images) * gains + offsets.
Session open_model(const TestModel& model) {
  std::vector<float> gains(42 * 7);
  std::vector<float> offsets(42 * 7);
  float* row = offsets.data();
  for (const int stride : {8, 16, 32}) {
    for (int cell = 0; cell < (32 / stride) * (64 / stride); ++cell, row += 7) {
      row[0] = (static_cast<float>(cell % (64 / stride)) + 0.5F) * static_cast<float>(stride);
      row[1] = (static_cast<float>(cell / (64 / stride)) + 0.5F) * static_cast<float>(stride);
      row[2] = row[3] = 4.0F;
    }
  }
  constexpr size_t kDogRow = 19;
  gains[kDogRow * 7 + 4] = 1.0F / 200;
  const std::vector<float> dog = {28, 18, 8, 16, 0, 0, 1};
  std::copy(dog.begin(), dog.end(), offsets.begin() + kDogRow * 7);

  const Message graph =
      Message()
          .block(
              1,
              node("ReduceMean", {"images"}, "rows").block(5, integers("axes", {3})).block(5, integer("keepdims", 0)))
          .block(1, node("ReduceMean", {"rows"}, "mean").block(5, integers("axes", {1, 2})))
          .block(1, node("Mul", {"mean", "gains"}, "scaled"))
          .block(1, node("Add", {"scaled", "offsets"}, "output"))
          .block(2, "bright")
          .block(5, constant("gains", {1, 42, 7}, gains))
          .block(5, constant("offsets", {1, 42, 7}, offsets))
          .block(11, value_info("images", model.input))
          .block(12, value_info("output", model.output));
  const Message file = Message().number(1, 8).block(7, graph).block(8, Message().block(1, "").number(2, 13));
  return Session::from_bytes(std::as_bytes(std::span(file.bytes())));
}

DetectorOptions options_for_two_classes() {
  DetectorOptions options;
  options.labels = {"cat", "dog"};
  return options;
}

Image grey(int width, int height, uint8_t level) {
  return {width, height, flat(width, height, {level, level, level})};
}

TEST(Detector, finds_the_box_in_pixels_of_the_picture) {
  const Detector detector(open_model({}), options_for_two_classes());
  const DetectionResult result = detector.detect(grey(128, 64, 100));  // half the size in the input
  EXPECT_EQ(result.width, 128);
  EXPECT_EQ(result.height, 64);
  ASSERT_THAT(result.detections, SizeIs(1));
  EXPECT_EQ(result.detections[0].label, "dog");
  EXPECT_NEAR(result.detections[0].score, 0.5, 1e-5);
  const std::array<float, 4> expected = {48, 20, 64, 52};
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(result.detections[0].box[i], expected[i], 1e-3);
  EXPECT_THAT(detector.detect(grey(128, 64, 10)).detections, IsEmpty());
}

TEST(Detector, times_every_stage) {
  const Detector detector(open_model({}), options_for_two_classes());
  const DetectionResult result = detector.detect_encoded(encode_image(grey(640, 320, 100), ImageFormat::png));
  EXPECT_EQ(result.width, 640);
  EXPECT_GT(result.times_ms.decode, 0.0);
  EXPECT_GT(result.times_ms.preprocess, 0.0);
  EXPECT_GT(result.times_ms.infer, 0.0);
  EXPECT_GT(result.times_ms.postprocess, 0.0);
  EXPECT_EQ(detector.detect(grey(64, 32, 100)).times_ms.decode, 0.0);
}

TEST(Detector, batch_of_any_size_where_the_model_leaves_it_open) {
  const Detector detector(open_model({.input = {-1, 3, 32, 64}, .output = {-1, 42, 7}}), options_for_two_classes());
  const std::vector<Image> images = {grey(64, 32, 100), grey(64, 32, 0), grey(128, 64, 160)};
  const std::vector<DetectionResult> results = detector.detect_batch(images);
  ASSERT_THAT(results, SizeIs(3));
  ASSERT_THAT(results[0].detections, SizeIs(1));
  EXPECT_THAT(results[1].detections, IsEmpty());
  ASSERT_THAT(results[2].detections, SizeIs(1));
  EXPECT_NEAR(results[2].detections[0].score, 0.8, 1e-5);
  EXPECT_THAT(detector.detect_batch({}), IsEmpty());
}

TEST(Detector, batch_of_the_model_is_filled_up) {
  const Detector detector(open_model({.input = {2, 3, 32, 64}, .output = {2, 42, 7}}), options_for_two_classes());
  const std::vector<Image> images(3, grey(64, 32, 100));
  const std::vector<DetectionResult> results = detector.detect_batch(images);
  ASSERT_THAT(results, SizeIs(3));
  for (const DetectionResult& result : results) EXPECT_THAT(result.detections, SizeIs(1));
  EXPECT_THAT(detector.detect(images[0]).detections, SizeIs(1));
}

TEST(Detector, open_size_comes_from_the_options) {
  const TestModel model{.input = {1, 3, -1, -1}};
  DetectorOptions options = options_for_two_classes();
  EXPECT_THAT(error_of([&] { Detector(open_model(model), options); }).message(),
              AllOf(HasSubstr("leaves the size of its input open"), HasSubstr("set DetectorOptions::input_height")));
  options.input_width = 64;
  options.input_height = 32;
  const Detector detector(open_model(model), options);
  EXPECT_EQ(detector.input_width(), 64);
  EXPECT_THAT(detector.detect(grey(64, 32, 100)).detections, SizeIs(1));
}

TEST(Detector, size_that_contradicts_the_model_is_refused) {
  DetectorOptions options = options_for_two_classes();
  options.input_width = 416;
  EXPECT_THAT(error_of([&] { Detector(open_model({}), options); }).message(),
              HasSubstr("DetectorOptions::input_width is 416, but the model takes images"));
}

TEST(Detector, labels_of_another_count_are_refused_before_the_first_picture) {
  EXPECT_THAT(error_of([] { Detector(open_model({})); }).message(),
              AllOf(HasSubstr("the head has 2 classes"), HasSubstr("there are 80 labels")));
}

TEST(Detector, model_of_another_kind_names_what_it_takes) {
  EXPECT_THAT(
      error_of([] {
        Detector(open_model({.input = {1, 4, 32, 64}}), options_for_two_classes());
      }).message(),
      AllOf(HasSubstr("the model takes images float32 [1, 4, 32, 64]"), HasSubstr("expected one input float32")));
}

/// Against detections worked out with ONNX Runtime on the CPU and an exact resize.
TEST(Detector, yolox_nano_finds_dog_bicycle_and_car) {
  const std::filesystem::path shared = std::filesystem::path(OVERT_SOURCE_DIR) / ".." / "shared";
  const std::filesystem::path model = shared / "models" / "yolox_nano.onnx";
  if (!std::filesystem::exists(model)) GTEST_SKIP() << "not run: there is no " << model;
  const Detector detector(Session::open(model));
  std::vector<Detection> found = detector.detect(load_image(shared / "images" / "dog.jpg")).detections;
  const std::vector<Detection> expected = {{16, "dog", 0.855F, {132.8F, 206.6F, 325.7F, 543.1F}},
                                           {1, "bicycle", 0.804F, {55.6F, 137.1F, 572.2F, 423.4F}},
                                           {2, "car", 0.797F, {466.2F, 78.3F, 692.4F, 171.3F}}};
  ASSERT_GE(found.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(found[i].label, expected[i].label);
    EXPECT_NEAR(found[i].score, expected[i].score, 0.01F);
    for (size_t side = 0; side < 4; ++side) EXPECT_NEAR(found[i].box[side], expected[i].box[side], 2.0F);
  }
}

}  // namespace
}  // namespace overt::vision
