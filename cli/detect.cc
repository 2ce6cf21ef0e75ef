#include <CLI/App.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

#include "command.h"
#include "errors.h"
#include "files.h"
#include "flags.h"
#include "json.h"
#include "overt/text.h"
#include "overt/vision.h"
#include "text.h"

namespace overt::cli {
namespace {

namespace fs = std::filesystem;

bool has_picture_extension(const fs::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension == ".jpg" || extension == ".jpeg" || extension == ".png";
}

/// Where marked pictures go.
class Target {
 public:
  /// `output` is a folder, or with a single picture may be a .jpg or .png file. Throws UsageError, Error.
  Target(const std::string& output, size_t pictures) : path_(output) {
    if (output.empty()) return;
    const bool named_folder = output.ends_with('/') || fs::is_directory(path_);
    is_file_ = !named_folder && has_picture_extension(path_);
    if (is_file_ && pictures > 1) {
      fail_usage("--output: {} is one file, and there are {} pictures; give a folder", escape_name(output), pictures);
    }
    if (!is_file_) make_folder(path_);
  }

  bool wanted() const { return !path_.empty(); }

  /// The file for a picture; two pictures of one name get two. Throws Error(invalid_argument) where that would
  /// overwrite the picture itself.
  fs::path file_for(const fs::path& picture) {
    fs::path file = path_;
    if (!is_file_) {
      const bool keeps_extension = has_picture_extension(picture);
      const fs::path stem = keeps_extension ? picture.stem() : picture.filename();
      file /= names_.take(stem.string(), keeps_extension ? picture.extension().string() : ".png");
    }
    std::error_code error;
    if (fs::equivalent(file, picture, error) && !error) {
      fail(ErrorCode::invalid_argument, "the marked picture would overwrite {}; give another --output",
           escape_name(picture.string()));
    }
    return file;
  }

 private:
  fs::path path_;
  bool is_file_ = false;
  UniqueNames names_;
};

/// What became of one picture.
struct Outcome {
  std::string path;
  vision::DetectionResult result;
  std::string marked;  ///< the written file, or empty
  std::string error;   ///< empty where all went well
};

struct PreprocessFlags {
  std::string order = "bgr";
  std::string align = "top-left";
  int fill = 114;
  float scale = 1;
  std::string mean;
  std::string std;
  std::string input_size;
};

class DetectCommand final : public Command {
 public:
  explicit DetectCommand(CLI::App* app) : Command(app) {
    add_model(*app, model_);
    app->add_option("images", images_, "JPEG or PNG files")->required()->option_text("IMAGE ...");
    app->add_option("--output", output_,
                    "folder for the marked pictures (made where it is missing), or a .jpg or .png "
                    "file for one picture")
        ->option_text("FILE|DIR");
    app->add_option("--score", detect_.score_threshold, "detections score above this [0.3]")
        ->check(CLI::Range(0.0, 1.0))
        ->option_text("X");
    app->add_option("--iou", detect_.iou_threshold,
                    "of two boxes of a class that overlap above this the better stays "
                    "[0.45]")
        ->check(CLI::Range(0.0, 1.0))
        ->option_text("X");
    app->add_option("--max-detections", detect_.max_detections, "of a picture [300]")
        ->check(CLI::Range(1, 1'000'000))
        ->option_text("N");
    app->add_option("--labels", labels_, "class names, one a line [coco]")->option_text("FILE|coco");
    one_of(app->add_option("--head", head_, "what the network gives [auto: told apart by the numbers]"),
           {"auto", "raw", "decoded"});
    add_preprocess_flags(*app);
    add_session_flags(*app, flags_);
    add_common_flags(*app, common_);
  }

  int run(Console& console) override {
    const SessionOptions options = session_options(flags_, console.callback());
    Target target(output_, images_.size());
    const vision::Detector detector = open(console, options);
    std::vector<Outcome> outcomes;
    Json document = {{"provider", options.providers.front().name}, {"placement", nullptr}, {"images", Json::array()}};
    for (const std::string& path : images_) {
      outcomes.push_back(detect(console, detector, path, target));
      const Outcome& outcome = outcomes.back();
      if (!outcome.error.empty()) console.error(outcome.error);
      if (common_.json) {
        document["images"].push_back(outcome_json(outcome));
      } else if (outcome.error.empty()) {
        fmt::print("{}", outcome_text(outcome));
      }
    }
    if (common_.json) {
      const Placement placement = detector.session().placement();
      document["placement"] = {{"nodes", placement.nodes.size()},
                               {"by_provider", providers_json(placement)},
                               {"copies", placement.copies.size()}};
      print_json(document);
    }
    const bool failed = std::ranges::any_of(outcomes, [](const Outcome& outcome) { return !outcome.error.empty(); });
    return failed ? kExitError : kExitOk;
  }

 private:
  void add_preprocess_flags(CLI::App& app) {
    one_of(app.add_option("--order", preprocess_.order, "of the channels in the network's input [bgr]"),
           {"bgr", "rgb"});
    one_of(app.add_option("--align", preprocess_.align, "of the picture in the network's input [top-left]"),
           {"top-left", "centre"});
    app.add_option("--fill", preprocess_.fill, "pixel value around the picture [114]")
        ->check(CLI::Range(0, 255))
        ->option_text("N");
    app.add_option("--scale", preprocess_.scale, "factor of pixel values, before mean and std [1]")->option_text("X");
    app.add_option("--mean", preprocess_.mean, "by channel of the input [0,0,0]")->option_text("X,X,X");
    app.add_option("--std", preprocess_.std, "by channel of the input [1,1,1]")->option_text("X,X,X");
    app.add_option("--input-size", preprocess_.input_size, "of the network's input, where the model leaves it open")
        ->option_text("WIDTHxHEIGHT");
  }

  vision::DetectorOptions detector_options() const {
    vision::DetectorOptions options;
    options.detect = detect_;
    options.detect.head = head_ == "raw"       ? vision::HeadFormat::yolox_raw
                          : head_ == "decoded" ? vision::HeadFormat::yolox_decoded
                                               : vision::HeadFormat::automatic;
    options.preprocess.order = preprocess_.order == "rgb" ? vision::ChannelOrder::rgb : vision::ChannelOrder::bgr;
    options.preprocess.align =
        preprocess_.align == "centre" ? vision::LetterboxAlign::centre : vision::LetterboxAlign::top_left;
    options.preprocess.fill = static_cast<uint8_t>(preprocess_.fill);
    options.preprocess.scale = preprocess_.scale;
    const auto channels = [](const std::string& text, std::string_view option, std::array<float, 3>& out) {
      if (!text.empty()) std::ranges::copy(parse_floats(text, out.size(), option), out.begin());
    };
    channels(preprocess_.mean, "--mean", options.preprocess.mean);
    channels(preprocess_.std, "--std", options.preprocess.std);
    if (labels_ != "coco") options.labels = vision::load_labels(labels_);
    if (!preprocess_.input_size.empty()) {
      const std::string_view size = preprocess_.input_size;
      const size_t x = size.find('x');
      if (x == std::string_view::npos) {
        fail_usage("--input-size: '{}' is not of the form WIDTHxHEIGHT, such as 416x416", escape_name(size));
      }
      options.input_width = side(size.substr(0, x));
      options.input_height = side(size.substr(x + 1));
    }
    return options;
  }

  static int side(std::string_view text) {
    const int64_t length = parse_whole(text, 1, "--input-size");
    if (length > 65535) fail_usage("--input-size: {} is over 65535; give the network's input size", length);
    return static_cast<int>(length);
  }

  vision::Detector open(Console& console, const SessionOptions& options) const {
    vision::DetectorOptions wanted = detector_options();
    const Progress progress(console, "opening " + first_line(model_));
    return vision::Detector(Session::open(model_, options), std::move(wanted));
  }

  /// Never throws for one picture's sake: the others go on.
  static Outcome detect(Console& console, const vision::Detector& detector, const std::string& path, Target& target) {
    Outcome outcome;
    outcome.path = path;
    const Progress progress(console, "looking at " + first_line(path));
    try {
      const fs::path marked = target.wanted() ? target.file_for(path) : fs::path();
      const auto start = std::chrono::steady_clock::now();
      vision::Image image = vision::load_image(path);
      const std::chrono::duration<double, std::milli> decode = std::chrono::steady_clock::now() - start;
      outcome.result = detector.detect(image);
      outcome.result.times_ms.decode = decode.count();
      if (!target.wanted()) return outcome;
      vision::draw_detections(image, outcome.result.detections);
      vision::save_image(marked, image);
      outcome.marked = marked.string();
    } catch (const std::exception&) {
      outcome.error = describe_current_exception("overt detect").text;
      const std::string name = escape_name(path);
      if (outcome.error.find(name) == std::string::npos) outcome.error = name + ": " + outcome.error;
    }
    return outcome;
  }

  static Json outcome_json(const Outcome& outcome) {
    Json out = {{"path", outcome.path}};
    if (!outcome.error.empty()) {
      out["error"] = outcome.error;
      return out;
    }
    const vision::DetectionResult& result = outcome.result;
    out["width"] = result.width;
    out["height"] = result.height;
    out["detections"] = Json::array();
    for (const vision::Detection& found : result.detections) {
      out["detections"].push_back(
          {{"class_id", found.class_id}, {"label", found.label}, {"score", found.score}, {"box", found.box}});
    }
    out["ms"] = {{"decode", result.times_ms.decode},
                 {"preprocess", result.times_ms.preprocess},
                 {"infer", result.times_ms.infer},
                 {"postprocess", result.times_ms.postprocess}};
    if (!outcome.marked.empty()) out["output"] = outcome.marked;
    return out;
  }

  static std::string outcome_text(const Outcome& outcome) {
    const vision::DetectionResult& result = outcome.result;
    const vision::StageTimes& times = result.times_ms;
    std::string text = fmt::format(
        "{} ({} x {}): {}; decode {}, preprocess {}, infer {}, postprocess {}\n", escape_name(outcome.path),
        result.width, result.height, plural(static_cast<int64_t>(result.detections.size()), "detection"),
        ms_text(times.decode), ms_text(times.preprocess), ms_text(times.infer), ms_text(times.postprocess));
    Table table("lrrrrr");
    for (const vision::Detection& found : result.detections) {
      std::vector<std::string> row = {escape_name(found.label), fmt::format("{:.3f}", found.score)};
      for (const float edge : found.box) row.push_back(fmt::format("{:.1f}", edge));
      table.row(std::move(row));
    }
    text += table.to_string(2);
    return outcome.marked.empty() ? text : text + fmt::format("  marked picture: {}\n", escape_name(outcome.marked));
  }

  std::string model_;
  std::vector<std::string> images_;
  std::string output_;
  std::string labels_ = "coco";
  std::string head_ = "auto";
  vision::DetectOptions detect_;
  PreprocessFlags preprocess_;
  SessionFlags flags_;
};

}  // namespace

std::unique_ptr<Command> make_detect_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("detect", "objects in pictures, with a YOLOX model");
  app->footer(
      "Boxes are x1, y1, x2, y2 in pixels of the upright picture. A picture that cannot be read is named on "
      "standard\n"
      "error, the others go on, and the exit code is 1.\n\n"
      "Examples:\n"
      "  overt detect yolox_nano.onnx dog.jpg --output marked\n"
      "  overt detect yolox_nano.onnx *.jpg --score 0.5 --json");
  return std::make_unique<DetectCommand>(app);
}

}  // namespace overt::cli
