#include <CLI/App.hpp>
#include <algorithm>

#include "command.h"
#include "elements.h"
#include "errors.h"
#include "files.h"
#include "flags.h"
#include "json.h"
#include "model_inputs.h"
#include "npy.h"
#include "overt/text.h"
#include "text.h"

namespace overt::cli {
namespace {

class RunCommand final : public Command {
 public:
  explicit RunCommand(CLI::App* app) : Command(app) {
    add_model(*app, model_);
    add_input_flags(*app, inputs_);
    app->add_option("--output-dir", folder_,
                    "write each output there as NAME.npy; bytes that do not fit a file name "
                    "become %XX")
        ->option_text("DIR");
    app->add_option("--values", values_, "how many values of each output are shown [8]")
        ->check(CLI::Range(int64_t{0}, int64_t{1'000'000}))
        ->option_text("N");
    add_session_flags(*app, flags_);
    add_common_flags(*app, common_);
  }

  int run(Console& console) override {
    const SessionOptions options = session_options(flags_, console.callback());
    const Session session = open(console, options);
    ModelInputs inputs(session.inputs(), inputs_, options.log);
    const std::vector<Tensor> tensors = inputs.tensors();
    const std::vector<Tensor> outputs = compute(console, session, tensors);
    const std::vector<std::string> files = folder_.empty() ? std::vector<std::string>() : write(session, outputs);
    Json document = {{"placement", session.placement().summary()}, {"outputs", Json::array()}};
    for (size_t i = 0; i < outputs.size(); ++i) {
      const std::string& name = session.outputs()[i].name;
      if (common_.json) {
        document["outputs"].push_back(describe_json(name, outputs[i]));
        if (!files.empty()) document["outputs"].back()["file"] = files[i];
      } else {
        fmt::print("{}", describe(name, outputs[i]));
        if (!files.empty()) fmt::print("  file    {}\n", escape_name(files[i], 4096));
      }
    }
    if (common_.json) print_json(document);
    return kExitOk;
  }

 private:
  Session open(Console& console, const SessionOptions& options) const {
    const Progress progress(console, "opening " + first_line(model_));
    return Session::open(model_, options);
  }

  static std::vector<Tensor> compute(Console& console, const Session& session, std::span<const Tensor> tensors) {
    const Progress progress(console, "running");
    return session.run(tensors);
  }

  std::vector<std::string> write(const Session& session, std::span<const Tensor> outputs) const {
    make_folder(folder_);
    UniqueNames names;
    std::vector<std::string> files;
    for (size_t i = 0; i < outputs.size(); ++i) {
      const std::string name = names.take(file_name_of(session.outputs()[i].name), ".npy");
      files.push_back((std::filesystem::path(folder_) / name).string());
      if (!outputs[i].empty()) write_npy(files.back(), outputs[i]);
    }
    return files;
  }

  int64_t shown(const Tensor& tensor) const { return std::min(values_, tensor.elements()); }

  std::string describe(const std::string& name, const Tensor& tensor) const {
    if (tensor.empty()) return fmt::format("{}: nothing\n", escape_name(name));
    std::string text =
        fmt::format("{}: {} {}\n", escape_name(name), data_type_name(tensor.type()), tensor.shape().to_string());
    if (const auto found = statistics_of(tensor)) {
      text += fmt::format("  min {}, max {}, mean {}", number_text(found->min), number_text(found->max),
                          number_text(found->mean));
      text += found->not_finite == 0 ? "\n" : fmt::format(", {} not finite\n", count_text(found->not_finite));
    } else if (const int64_t count = count_not_finite(tensor); count > 0) {
      text += fmt::format("  {} not finite\n", count_text(count));
    }
    if (shown(tensor) == 0) return text;
    text += "  values ";
    for (int64_t i = 0; i < shown(tensor); ++i) text += " " + element_text(tensor, i);
    return text + (shown(tensor) < tensor.elements() ? " ...\n" : "\n");
  }

  Json describe_json(const std::string& name, const Tensor& tensor) const {
    Json out = {{"name", name}};
    if (tensor.empty()) return out;
    out["type"] = data_type_name(tensor.type());
    out["shape"] = shape_json(tensor.shape().dims());
    if (const auto found = statistics_of(tensor)) {
      out["min"] = found->min;
      out["max"] = found->max;
      out["mean"] = found->mean;
    }
    out["not_finite"] = count_not_finite(tensor);
    out["values"] = Json::array();
    for (int64_t i = 0; i < shown(tensor); ++i) out["values"].push_back(element_json(tensor, i));
    return out;
  }

  std::string model_;
  std::string folder_;
  int64_t values_ = 8;
  InputFlags inputs_;
  SessionFlags flags_;
};

}  // namespace

std::unique_ptr<Command> make_run_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("run", "run a model once on .npy files or random numbers");
  app->footer(
      "Examples:\n"
      "  overt run model.onnx\n"
      "  overt run model.onnx --input images=images.npy --output-dir results\n"
      "  overt run bert.onnx --dim batch=4 --dim sequence=128 --seed 7");
  return std::make_unique<RunCommand>(app);
}

}  // namespace overt::cli
