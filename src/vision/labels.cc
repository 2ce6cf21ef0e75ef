#include <fstream>
#include <string>
#include <string_view>

#include "base/error.h"
#include "overt/vision.h"

namespace overt::vision {
namespace {

constexpr size_t kMaxLabelBytes = size_t{1} << 20;

constexpr std::string_view kCoco[] = {
    "person",         "bicycle",    "car",           "motorcycle",    "airplane",     "bus",           "train",
    "truck",          "boat",       "traffic light", "fire hydrant",  "stop sign",    "parking meter", "bench",
    "bird",           "cat",        "dog",           "horse",         "sheep",        "cow",           "elephant",
    "bear",           "zebra",      "giraffe",       "backpack",      "umbrella",     "handbag",       "tie",
    "suitcase",       "frisbee",    "skis",          "snowboard",     "sports ball",  "kite",          "baseball bat",
    "baseball glove", "skateboard", "surfboard",     "tennis racket", "bottle",       "wine glass",    "cup",
    "fork",           "knife",      "spoon",         "bowl",          "banana",       "apple",         "sandwich",
    "orange",         "broccoli",   "carrot",        "hot dog",       "pizza",        "donut",         "cake",
    "chair",          "couch",      "potted plant",  "bed",           "dining table", "toilet",        "tv",
    "laptop",         "mouse",      "remote",        "keyboard",      "cell phone",   "microwave",     "oven",
    "toaster",        "sink",       "refrigerator",  "book",          "clock",        "vase",          "scissors",
    "teddy bear",     "hair drier", "toothbrush"};

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

/// The bytes of the UTF-8 sequence at the head of `text`, 0 when there is no valid one (Unicode 15, table 3-7).
size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<uint8_t>(text[i]) : uint8_t{0}; };
  const auto follows = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool overlong = lead == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = lead == 0xED && byte(1) > 0x9F;
    return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool overlong = lead == 0xF0 && byte(1) < 0x90;
    const bool beyond = lead == 0xF4 && byte(1) > 0x8F;
    return follows(1) && follows(2) && follows(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string read_text(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::ifstream file(path, std::ios::binary);
  std::string text(kMaxLabelBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file && !file.eof()) {
    fail_at(ErrorCode::invalid_argument, name, "cannot read the labels '{}': no such file, or not readable", name);
  }
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() > kMaxLabelBytes) {
    fail_at(ErrorCode::invalid_argument, name, "the labels '{}' have more than {} bytes, expected one name a line",
            name, kMaxLabelBytes);
  }
  return text;
}

}  // namespace

std::vector<std::string> coco_labels() {
  return {std::begin(kCoco), std::end(kCoco)};
}

std::vector<std::string> load_labels(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  const std::string name = path.string();
  std::string_view rest = text;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());

  std::vector<std::string> labels;
  size_t blank_line = 0;  // the first blank line, counted from 1; 0 for none
  for (size_t line = 1; !rest.empty(); ++line) {
    const size_t end = rest.find('\n');
    const std::string_view label = trim(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    if (label.empty()) {
      if (blank_line == 0) blank_line = line;
      continue;
    }
    if (blank_line != 0) {
      fail_at(ErrorCode::invalid_argument, name,
              "the labels '{}' have a blank line {} between names: remove it, or name the class", name, blank_line);
    }
    if (!is_utf8(label)) {
      fail_at(ErrorCode::invalid_argument, name, "line {} of the labels '{}' is not UTF-8: save the file as UTF-8",
              line, name);
    }
    labels.emplace_back(label);
  }
  if (labels.empty()) {
    fail_at(ErrorCode::invalid_argument, name, "the labels '{}' hold no name, expected one a line", name);
  }
  return labels;
}

}  // namespace overt::vision
