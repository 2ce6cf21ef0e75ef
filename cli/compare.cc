#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "command.h"
#include "compare_values.h"
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

/// One of the two things that are compared.
struct Side {
  std::string letter;  ///< "a" or "b"
  std::string source;  ///< a provider, or a folder of expected values
  SessionFlags flags;

  bool is_folder() const { return std::filesystem::is_directory(source); }
};

/// Values by name; `order` is that in which they are computed.
struct Values {
  std::map<std::string, Tensor> tensors;
  std::vector<std::string> order;
};

struct Finding {
  std::string name;
  Shape shape;
  Difference difference;
};

struct Comparison {
  std::vector<Finding> findings;  ///< in the order of the graph
  std::vector<std::string> only_a;
  std::vector<std::string> only_b;

  const Finding* first() const {
    const auto found = std::ranges::find_if(findings, [](const Finding& f) { return !f.difference.within; });
    return found == findings.end() ? nullptr : &*found;
  }
  const Finding* worst() const {
    const auto excess = [](const Finding& f) { return f.difference.excess; };
    const auto found = std::ranges::max_element(findings, {}, excess);
    return found == findings.end() || !(excess(*found) > 0) ? nullptr : &*found;
  }
};

void add_side(CLI::App& app, Side& side) {
  const std::string& x = side.letter;
  app.add_option("--" + x, side.source,
                 x == "a" ? "provider of the one side"
                          : "provider of the other, or a folder of "
                            "NAME.npy files with expected values")
      ->required()
      ->option_text(x == "a" ? "P" : "P|DIR");
  one_of(app.add_option("--passes-" + x, side.flags.passes, "graph passes [on]"), {"on", "off"});
  app.add_option("--disable-pass-" + x, side.flags.disabled_passes, "a pass that shall not run")
      ->allow_extra_args(false)
      ->option_text("NAME ...");
  one_of(app.add_option("--precision-" + x, side.flags.precision, "[fp32]"), {"fp32", "tf32", "fp16", "bf16"});
  one_of(app.add_option("--onednn-" + x, side.flags.onednn, "cpu: off runs everything on Overt's own kernels [on]"),
         {"on", "off"});
  app.add_option("--threads-" + x, side.flags.threads, "0: the CPUs that this process may use [0]")
      ->check(CLI::Range(0, 4096))
      ->option_text("N");
}

class CompareCommand final : public Command {
 public:
  explicit CompareCommand(CLI::App* app) : Command(app) {
    sides_[0].letter = "a";
    sides_[1].letter = "b";
    add_model(*app, model_);
    for (Side& side : sides_) add_side(*app, side);
    app->add_option("--rtol", tolerance_.relative, "relative tolerance of floats [0.001]")
        ->check(CLI::Range(0.0, 1e9))
        ->option_text("X");
    app->add_option("--atol", tolerance_.absolute,
                    "absolute tolerance of floats [0.0001 of the largest value of the tensor]")
        ->check(CLI::Range(0.0, 1e9))
        ->option_text("X");
    app->add_flag("--all", all_, "show every tensor, not only the first and the worst difference");
    add_input_flags(*app, inputs_);
    add_file_flags(*app, files_);
    add_common_flags(*app, common_);
  }

  int run(Console& console) override {
    if (sides_[0].is_folder()) {
      fail_usage("--a: {} is a folder; give a provider there and the folder with --b", escape_name(sides_[0].source));
    }
    ModelLimits limits;
    limits.allow_symlinks = files_.allow_symlinks;
    limits.allow_hard_links = files_.allow_hard_links;
    const ModelSummary summary = inspect_model(model_, limits);
    InputFlags flags = inputs_;
    if (sides_[1].is_folder()) add_inputs_from_folder(summary, flags);
    const std::vector<Tensor> inputs = ModelInputs(summary.inputs, flags, console.callback()).tensors();

    const Values a = run_side(console, sides_[0], summary, inputs);
    const Values b =
        sides_[1].is_folder() ? read_folder(console, a, summary) : run_side(console, sides_[1], summary, inputs);
    const Comparison comparison = compare(a, b);
    if (common_.json) {
      print_json(document(comparison));
    } else {
      fmt::print("{}", text(comparison));
    }
    return comparison.first() == nullptr ? kExitOk : kExitError;
  }

 private:
  /// Inputs that were not named are taken from the folder where it has them.
  void add_inputs_from_folder(const ModelSummary& summary, InputFlags& flags) const {
    for (const TensorSpec& spec : summary.inputs) {
      const auto named = [&](const std::string& text) { return text.starts_with(spec.name + "="); };
      const std::filesystem::path file = file_of(spec.name);
      if (std::ranges::none_of(flags.inputs, named) && std::filesystem::exists(file)) {
        flags.inputs.push_back(spec.name + "=" + file.string());
      }
    }
  }

  std::filesystem::path file_of(const std::string& name) const {
    return std::filesystem::path(sides_[1].source) / (file_name_of(name) + ".npy");
  }

  Values run_side(Console& console, const Side& side, const ModelSummary& summary,
                  std::span<const Tensor> inputs) const {
    SessionFlags flags = side.flags;
    flags.providers = {side.source};
    flags.allow_symlinks = files_.allow_symlinks;
    flags.allow_hard_links = files_.allow_hard_links;
    SessionOptions options = session_options(flags, console.callback(side.letter + ": "));
    options.expose_values = true;
    const Progress progress(console, fmt::format("running {} on {}", side.letter, side.source));
    const Session session = Session::open(model_, options);
    std::vector<Tensor> outputs = session.run(inputs);
    // The model's own outputs stand first, and are computed last or among the others.
    const size_t own = summary.outputs.size();
    std::ranges::rotate(outputs, outputs.begin() + static_cast<std::ptrdiff_t>(own));
    Values values;
    for (size_t i = 0; i < outputs.size(); ++i) {
      const std::string& name = session.outputs()[(i + own) % outputs.size()].name;
      if (values.tensors.emplace(name, std::move(outputs[i])).second) values.order.push_back(name);
    }
    return values;
  }

  Values read_folder(Console& console, const Values& a, const ModelSummary& summary) const {
    const Progress progress(console, "reading " + first_line(sides_[1].source));
    Values values;
    std::set<std::filesystem::path> used;
    for (const std::string& name : a.order) {
      const std::filesystem::path file = file_of(name);
      if (!std::filesystem::exists(file)) continue;
      used.insert(file);
      values.tensors.emplace(name, read_npy(file, a.tensors.at(name).type()));
    }
    for (const TensorSpec& spec : summary.inputs) used.insert(file_of(spec.name));
    for (const auto& entry : std::filesystem::directory_iterator(sides_[1].source)) {
      if (entry.path().extension() == ".npy" && !used.contains(entry.path())) {
        values.order.push_back(entry.path().stem().string());  // reported as not in a
      }
    }
    if (values.tensors.empty()) {
      fail(ErrorCode::invalid_argument,
           "{}: no file there is named after a value of the model; files are NAME.npy as 'overt run --output-dir' "
           "writes them, for instance {}",
           escape_name(sides_[1].source), file_of(a.order.empty() ? "output" : a.order.back()).filename().string());
    }
    return values;
  }

  Comparison compare(const Values& a, const Values& b) const {
    Comparison comparison;
    for (const std::string& name : a.order) {
      const auto other = b.tensors.find(name);
      if (other == b.tensors.end()) {
        comparison.only_a.push_back(name);
        continue;
      }
      const Tensor& tensor = a.tensors.at(name);
      comparison.findings.push_back({name, tensor.shape(), compare_tensors(tensor, other->second, tolerance_)});
    }
    for (const std::string& name : b.order) {
      if (!a.tensors.contains(name)) comparison.only_b.push_back(name);
    }
    return comparison;
  }

  static Json finding_json(const Finding* finding) {
    if (finding == nullptr) return nullptr;
    const Difference& found = finding->difference;
    Json out = {{"name", finding->name},
                {"shape", shape_json(finding->shape.dims())},
                {"within_tolerance", found.within},
                {"over", found.over},
                {"elements", found.elements},
                {"largest", found.largest}};
    if (!found.mismatch.empty()) out["mismatch"] = found.mismatch;
    if (found.worst_index >= 0) {
      out["worst_index"] = index_text(finding->shape, found.worst_index);
      out["worst_a"] = found.worst_a;
      out["worst_b"] = found.worst_b;
    }
    return out;
  }

  Json document(const Comparison& comparison) const {
    Json out = {{"a", sides_[0].source},
                {"b", sides_[1].source},
                {"rtol", tolerance_.relative},
                {"atol", nullptr},
                {"compared", comparison.findings.size()},
                {"within_tolerance", comparison.first() == nullptr},
                {"first", finding_json(comparison.first())},
                {"worst", finding_json(comparison.worst())},
                {"only_a", comparison.only_a},
                {"only_b", comparison.only_b},
                {"tensors", Json::array()}};
    if (tolerance_.absolute) out["atol"] = *tolerance_.absolute;
    for (const Finding& finding : comparison.findings) out["tensors"].push_back(finding_json(&finding));
    return out;
  }

  static std::string finding_text(std::string_view title, const Finding* finding) {
    if (finding == nullptr) return fmt::format("{}: none\n", title);
    const Difference& found = finding->difference;
    const std::string head =
        fmt::format("{}: {} {}\n", title, escape_name(finding->name), finding->shape.to_string());
    if (!found.mismatch.empty()) return head + "  " + found.mismatch + "\n";
    return head + fmt::format("  {} of {} over the tolerance; at {} a has {} and b {}; largest difference {}\n",
                              count_text(found.over), plural(found.elements, "element"),
                              index_text(finding->shape, found.worst_index), found.worst_a, found.worst_b,
                              number_text(found.largest));
  }

  std::string text(const Comparison& comparison) const {
    std::string out =
        fmt::format("a: {}\nb: {}\n{} compared, {} only in a, {} only in b\n", escape_name(sides_[0].source),
                    escape_name(sides_[1].source), plural(static_cast<int64_t>(comparison.findings.size()), "tensor"),
                    comparison.only_a.size(), comparison.only_b.size());
    if (all_) {
      Table table("lrrl");
      for (const Finding& finding : comparison.findings) {
        const Difference& found = finding.difference;
        table.row({escape_name(finding.name, 80), number_text(found.largest), count_text(found.over),
                   found.within             ? "within"
                   : found.mismatch.empty() ? "over"
                                            : found.mismatch});
      }
      out += table.to_string(2);
    }
    out += finding_text("first difference over the tolerance", comparison.first());
    out += finding_text("largest difference", comparison.worst());
    return out + (comparison.first() == nullptr ? "the same within the tolerance\n" : "different\n");
  }

  std::string model_;
  std::array<Side, 2> sides_;
  Tolerance tolerance_;
  bool all_ = false;
  InputFlags inputs_;
  SessionFlags files_;
};

}  // namespace

std::unique_ptr<Command> make_compare_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("compare", "every value of a model on two providers, or against files");
  app->footer(
      "Exit code 0 where all values are the same within the tolerance, 1 otherwise. Both sides see the same inputs.\n"
      "Values that a pass fused away are on one side alone; --passes-a off --passes-b off compares all.\n\n"
      "Examples:\n"
      "  overt compare model.onnx --a cpu --b cpu --onednn-b off\n"
      "  overt compare model.onnx --a cpu --b expected --rtol 1e-4");
  return std::make_unique<CompareCommand>(app);
}

}  // namespace overt::cli
