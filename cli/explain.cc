#include <CLI/App.hpp>
#include <algorithm>

#include "command.h"
#include "errors.h"
#include "flags.h"
#include "json.h"
#include "model_inputs.h"
#include "overt/text.h"
#include "text.h"

namespace overt::cli {
namespace {

class ExplainCommand final : public Command {
 public:
  explicit ExplainCommand(CLI::App* app) : Command(app) {
    add_model(*app, model_);
    app->add_option("--node", node_, "this node alone, by its name in the file")->option_text("NAME");
    one_of(app->add_option("--dump", dump_, "print a stage as text instead"), {"optimized", "placed", "plan"});
    add_dim_flags(*app, inputs_);
    add_session_flags(*app, flags_);
    add_common_flags(*app, common_);
  }

  int run(Console& console) override {
    // The text begins with the summary line, so that the log need not repeat it.
    const auto log = [&console, json = common_.json](LogLevel level, std::string_view message) {
      if (json || level != LogLevel::info) console.log(level, message);
    };
    const SessionOptions options = session_options(flags_, log);
    const Progress progress(console, "planning " + first_line(model_));
    const Session session = Session::open(model_, options);
    const std::string plan_error = prepare(session, options.log);
    if (!dump_.empty()) {
      print_dump(session, plan_error);
      return kExitOk;
    }
    Placement placement = session.placement();
    const std::string summary = placement.summary();
    if (!node_.empty()) keep_node(placement);
    if (common_.json) {
      print_json(document(session, placement, plan_error));
    } else {
      fmt::print("{}\n{}", summary, text(session, placement, plan_error));
    }
    return kExitOk;
  }

 private:
  /// Why no plan can be made for these shapes, or "". The placement is known all the same.
  std::string prepare(const Session& session, const LogCallback& log) const {
    ModelInputs inputs(session.inputs(), inputs_, log);
    try {
      session.prepare(inputs.shapes());
      return {};
    } catch (const UsageError& error) {
      return error.what();
    } catch (const Error& error) {
      return error.message();
    }
  }

  void print_dump(const Session& session, const std::string& plan_error) const {
    if (dump_ == "plan" && !plan_error.empty()) {
      fail(ErrorCode::invalid_argument, "there is no plan for these shapes: {}", plan_error);
    }
    const std::string dump = session.dump(dump_);
    if (common_.json) {
      print_json({{"stage", dump_}, {"text", dump}});
    } else {
      fmt::print("{}", dump);
    }
  }

  void keep_node(Placement& placement) const {
    std::vector<std::string> names;
    for (const NodePlacement& node : placement.nodes) names.push_back(node.name);
    std::erase_if(placement.nodes, [&](const NodePlacement& node) { return node.name != node_; });
    if (!placement.nodes.empty()) return;
    fail_usage("--node: the model has no node '{}'{}", escape_name(node_), suggestion(node_, names));
  }

  static Json document(const Session& session, const Placement& placement, const std::string& plan_error) {
    Json out = {{"model", placement.model}, {"precision", placement.precision},
                {"nodes", Json::array()},   {"by_provider", providers_json(placement)},
                {"copies", Json::array()},  {"memory", memory_json(session.memory())},
                {"passes", Json::array()}};
    for (const NodePlacement& node : placement.nodes) {
      Json refusals = Json::array();
      for (const RefusalReport& refusal : node.refusals) {
        refusals.push_back({{"provider", refusal.provider}, {"reason", refusal.reason}});
      }
      out["nodes"].push_back({{"name", node.name},
                              {"op", node.op},
                              {"provider", node.provider},
                              {"kernel", node.kernel},
                              {"fused_into", node.fused_into},
                              {"note", node.note},
                              {"refusals", std::move(refusals)}});
    }
    for (const CopyReport& copy : placement.copies) {
      out["copies"].push_back({{"tensor", copy.tensor},
                               {"bytes", copy.bytes},
                               {"from", copy.from},
                               {"to", copy.to},
                               {"reason", copy.reason}});
    }
    Json largest = Json::array();
    for (const auto& part : session.memory().largest) largest.push_back({{"what", part.what}, {"bytes", part.bytes}});
    out["memory"]["largest"] = std::move(largest);
    for (const PassReportEntry& pass : session.passes()) {
      out["passes"].push_back({{"pass", pass.pass},
                               {"changed", pass.changed},
                               {"ms", pass.ms},
                               {"nodes_before", pass.nodes_before},
                               {"nodes_after", pass.nodes_after},
                               {"notes", pass.notes}});
    }
    if (!plan_error.empty()) out["plan_error"] = plan_error;
    return out;
  }

  std::string text(const Session& session, const Placement& placement, const std::string& plan_error) const {
    std::string out = nodes_text(placement);
    if (!plan_error.empty())
      out += "no plan for these shapes, so that kernels and memory are not known: " + plan_error + "\n";
    if (!node_.empty()) return out;
    return out + copies_text(placement) + memory_text(session.memory()) + passes_text(session.passes());
  }

  static std::string nodes_text(const Placement& placement) {
    Table table("rllll");
    table.row({"", "node", "operator", "provider", "kernel", ""});
    for (size_t i = 0; i < placement.nodes.size(); ++i) {
      const NodePlacement& node = placement.nodes[i];
      std::string note = node.fused_into.empty() ? node.note : "in " + escape_name(node.fused_into, 60);
      table.row({std::to_string(i), escape_name(node.name, 60), escape_name(node.op), node.provider, node.kernel,
                 std::move(note)});
      for (const RefusalReport& refusal : node.refusals) {
        table.line(fmt::format("    not {}: {}", refusal.provider, refusal.reason));
      }
    }
    return "\nnodes\n" + table.to_string(2);
  }

  static std::string copies_text(const Placement& placement) {
    if (placement.copies.empty()) return "\ncopies between devices\n  none\n";
    Table table("lrlll");
    for (const CopyReport& copy : placement.copies) {
      table.row({escape_name(copy.tensor, 60), copy.bytes > 0 ? bytes_text(copy.bytes) : "?", copy.from, copy.to,
                 copy.reason});
    }
    return "\ncopies between devices\n" + table.to_string(2);
  }

  static std::string memory_text(const MemoryReport& memory) {
    Table table("lr");
    table.row({"weights", bytes_text(memory.weight_bytes)});
    table.row({"activations", bytes_text(memory.activation_bytes), "for each run at a time"});
    table.row({"workspace", bytes_text(memory.workspace_bytes), "for each run at a time"});
    Table largest("rl");
    for (const auto& part : memory.largest) largest.row({bytes_text(part.bytes), escape_name(part.what, 100)});
    return "\nmemory\n" + table.to_string(2) +
           (largest.empty() ? std::string() : "  the largest buffers\n" + largest.to_string(4));
  }

  static std::string passes_text(std::span<const PassReportEntry> passes) {
    if (passes.empty()) return "\npasses\n  none ran\n";
    Table table("lrl");
    for (const PassReportEntry& pass : passes) {
      table.row({pass.pass, ms_text(pass.ms),
                 pass.changed
                     ? fmt::format("{} to {} nodes", count_text(pass.nodes_before), count_text(pass.nodes_after))
                     : "changed nothing"});
      for (const std::string& note : pass.notes) table.line("    " + note);
    }
    return "\npasses\n" + table.to_string(2);
  }

  std::string model_;
  std::string node_;
  std::string dump_;
  InputFlags inputs_;
  SessionFlags flags_;
};

}  // namespace

std::unique_ptr<Command> make_explain_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("explain", "where each node runs and why, copies, memory, passes");
  app->footer(
      "Examples:\n"
      "  overt explain model.onnx\n"
      "  overt explain model.onnx --node /backbone/Conv_3 --json\n"
      "  overt explain model.onnx --dim batch=8 --dump plan");
  return std::make_unique<ExplainCommand>(app);
}

}  // namespace overt::cli
