#include <CLI/App.hpp>
#include <algorithm>

#include "command.h"
#include "errors.h"
#include "flags.h"
#include "json.h"
#include "overt/text.h"
#include "text.h"

namespace overt::cli {
namespace {

class InspectCommand final : public Command {
 public:
  explicit InspectCommand(CLI::App* app) : Command(app) {
    add_model(*app, model_);
    add_file_flags(*app, files_);
    add_common_flags(*app, common_);
  }

  int run(Console& console) override {
    ModelLimits limits;
    limits.allow_symlinks = files_.allow_symlinks;
    limits.allow_hard_links = files_.allow_hard_links;
    const Progress progress(console, "reading " + first_line(model_));
    const ModelSummary summary = inspect_model(model_, limits);
    if (common_.json) {
      print_json(document(summary));
    } else {
      fmt::print("{}", text(summary));
    }
    return kExitOk;
  }

 private:
  static Json document(const ModelSummary& summary) {
    const ModelInfo& info = summary.info;
    Json out = {{"graph", info.graph_name},
                {"producer", info.producer_name},
                {"producer_version", info.producer_version},
                {"domain", info.domain},
                {"description", info.description},
                {"ir_version", info.ir_version},
                {"model_version", info.model_version},
                {"file_bytes", info.file_bytes},
                {"parameters", info.parameters},
                {"opsets", Json::object()},
                {"inputs", Json::array()},
                {"outputs", Json::array()},
                {"nodes", 0},
                {"operators", Json::object()},
                {"external_files", info.external_files},
                {"metadata", Json::object()},
                {"warnings", info.warnings}};
    for (const auto& [domain, version] : info.opsets) out["opsets"][domain] = version;
    for (const TensorSpec& spec : summary.inputs) out["inputs"].push_back(spec_json(spec));
    for (const TensorSpec& spec : summary.outputs) out["outputs"].push_back(spec_json(spec));
    int64_t nodes = 0;
    for (const auto& [op, count] : info.operators) {
      out["operators"][op] = count;
      nodes += count;
    }
    out["nodes"] = nodes;
    for (const auto& [key, value] : info.metadata) out["metadata"][key] = value;
    return out;
  }

  static void add_specs(Table& table, std::string_view title, std::span<const TensorSpec> specs) {
    for (const TensorSpec& spec : specs) {
      table.row({&spec == specs.data() ? std::string(title) : "",
                 spec.to_string() + (spec.optional ? " (has a default in the file)" : "")});
    }
    if (specs.empty()) table.row({std::string(title), "none"});
  }

  std::string text(const ModelSummary& summary) const {
    const ModelInfo& info = summary.info;
    Table table("l");
    table.row({"file", fmt::format("{} ({})", escape_name(model_), bytes_text(info.file_bytes))});
    table.row({"graph", escape_name(info.graph_name)});
    if (!info.producer_name.empty() || !info.producer_version.empty()) {
      table.row({"producer", escape_name(info.producer_name + " " + info.producer_version)});
    }
    table.row({"format", fmt::format("ONNX IR {}", info.ir_version)});
    if (!info.domain.empty()) table.row({"domain", escape_name(info.domain)});
    if (info.model_version != 0) table.row({"version", std::to_string(info.model_version)});
    std::string opsets;
    for (const auto& [domain, version] : info.opsets) {
      opsets += fmt::format("{}{} {}", opsets.empty() ? "" : ", ", escape_name(domain), version);
    }
    table.row({"opsets", opsets});
    if (!info.description.empty()) table.row({"description", first_line(info.description)});
    table.row({"parameters", count_text(info.parameters)});
    for (const std::string& file : info.external_files) table.row({"external", escape_name(file)});
    add_specs(table, "inputs", summary.inputs);
    add_specs(table, "outputs", summary.outputs);
    for (const auto& [key, value] : info.metadata)
      table.row({"metadata", escape_name(key) + " = " + first_line(value)});
    for (const std::string& warning : info.warnings) table.row({"warning", warning});
    return table.to_string() + operators(info);
  }

  static std::string operators(const ModelInfo& info) {
    Table table("rl");
    int64_t nodes = 0;
    for (const auto& [op, count] : info.operators) {
      table.row({count_text(count), escape_name(op)});
      nodes += count;
    }
    return fmt::format("{} of {}\n{}", plural(nodes, "node"),
                       plural(static_cast<int64_t>(info.operators.size()), "operator"), table.to_string(2));
  }

  std::string model_;
  SessionFlags files_;
};

}  // namespace

std::unique_ptr<Command> make_inspect_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("inspect", "what a model file says: inputs, operators, parameters");
  app->footer(
      "Example:\n  overt inspect model.onnx\n\nNothing is run, so that a model can be looked at that no "
      "provider runs.");
  return std::make_unique<InspectCommand>(app);
}

}  // namespace overt::cli
