#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <vector>

#include "command.h"
#include "errors.h"
#include "flags.h"
#include "overt/session.h"
#include "overt/text.h"

namespace overt::cli {
namespace {

constexpr char kExamples[] =
    "Exit codes: 0, 1 for an error, 2 for wrong usage.\n\n"
    "Examples:\n"
    "  overt inspect model.onnx\n"
    "  overt run model.onnx --input images=images.npy --output-dir results\n"
    "  overt explain model.onnx\n"
    "  overt bench model.onnx --threads 2 --seconds 5\n"
    "  overt compare model.onnx --a cpu --b cpu --onednn-b off\n"
    "  overt detect yolox_nano.onnx dog.jpg --output marked";

/// The parser and the commands that it fills in.
class Program {
 public:
  Program() : parser_("Overt runs ONNX models on the device that you ask for, and shows that it did.", "overt") {
    parser_.footer(kExamples);
    parser_.set_version_flag("--version", "overt " + std::string(version()));
    parser_.require_subcommand(1);
    commands_.push_back(make_inspect_command(parser_));
    commands_.push_back(make_run_command(parser_));
    commands_.push_back(make_explain_command(parser_));
    commands_.push_back(make_bench_command(parser_));
    commands_.push_back(make_compare_command(parser_));
    commands_.push_back(make_detect_command(parser_));
  }

  int run(int argc, char** argv, Console& console) {
    try {
      parser_.parse(argc, argv);
    } catch (const CLI::Success& success) {  // --help and --version
      return parser_.exit(success);
    } catch (const CLI::ParseError& error) {
      console.error(usage_text(error));
      return kExitUsage;
    }
    Command& command = *chosen();
    console.set_level(parse_log_level(command.common().log_level));
    try {
      return command.run(console);
    } catch (const std::exception&) {
      const Failure failure = describe_current_exception("overt " + command.app().get_name());
      console.error(failure.text);
      return failure.exit_code;
    }
  }

 private:
  Command* chosen() const {
    for (const auto& command : commands_) {
      if (command->app().parsed()) return command.get();
    }
    return nullptr;
  }

  std::string usage_text(const CLI::ParseError& error) const {
    const Command* command = chosen();
    if (command == nullptr) return program_usage_text();
    const CLI::App& app = command->app();
    const std::string help = fmt::format("see 'overt {} --help'", app.get_name());
    const std::vector<std::string> rest = parser_.remaining(/*recurse=*/true);
    for (const std::string& word : rest) {
      if (!word.starts_with('-') || word.size() < 2) continue;
      const std::string name = word.substr(0, word.find('='));
      return fmt::format("'overt {}' has no option {}{}; {}", app.get_name(), escape_name(name),
                         option_suggestion(app, name), help);
    }
    if (!rest.empty()) {
      return fmt::format("'overt {}' does not know what to do with '{}'; {}", app.get_name(), escape_name(rest[0]),
                         help);
    }
    return fmt::format("{}; {}", error.what(), help);
  }

  std::string program_usage_text() const {
    std::vector<std::string> names;
    for (const auto& command : commands_) names.push_back(command->app().get_name());
    const std::vector<std::string> rest = parser_.remaining();
    if (rest.empty()) return "no command is given" + suggestion("", names) + "; see 'overt --help'";
    if (rest[0].starts_with('-')) {
      return fmt::format("'overt' has no option {} of its own{}; options stand behind a command; see 'overt --help'",
                         escape_name(rest[0]), option_suggestion(parser_, rest[0]));
    }
    return fmt::format("there is no command '{}'{}; see 'overt --help'", escape_name(rest[0]),
                       suggestion(rest[0], names));
  }

  static std::string option_suggestion(const CLI::App& app, const std::string& name) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& known : option->get_lnames()) names.push_back("--" + known);
    }
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    const auto nearest = nearest_name(name, candidates);
    return nearest ? fmt::format("; did you mean {}?", *nearest) : "";
  }

  CLI::App parser_;
  std::vector<std::unique_ptr<Command>> commands_;
};

}  // namespace
}  // namespace overt::cli

int main(int argc, char** argv) {
  overt::cli::Console console;
  const int exit_code = overt::cli::Program().run(argc, argv, console);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    console.error("standard output cannot be written; make room, or send it elsewhere");
    return overt::cli::kExitError;
  }
  return exit_code;
}
