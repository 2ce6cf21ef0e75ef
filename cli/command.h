#ifndef OVERT_CLI_COMMAND_H_
#define OVERT_CLI_COMMAND_H_

#include <memory>
#include <string>

#include "console.h"

namespace CLI {
class App;
}

namespace overt::cli {

/// What every command takes.
struct CommonFlags {
  bool json = false;
  std::string log_level = "info";
};

/// One word behind `overt`: its options, filled in by the parser, and what it does.
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
  virtual ~Command() = default;

  /// Does the work and gives the exit code. Throws UsageError or overt::Error. Results go to standard output.
  virtual int run(Console& console) = 0;

  const CLI::App& app() const { return *app_; }
  const CommonFlags& common() const { return common_; }

 protected:
  CLI::App* app_;  ///< owned by the program's parser
  CommonFlags common_;
};

std::unique_ptr<Command> make_inspect_command(CLI::App& program);
std::unique_ptr<Command> make_run_command(CLI::App& program);
std::unique_ptr<Command> make_explain_command(CLI::App& program);
std::unique_ptr<Command> make_bench_command(CLI::App& program);
std::unique_ptr<Command> make_compare_command(CLI::App& program);
std::unique_ptr<Command> make_detect_command(CLI::App& program);

}  // namespace overt::cli

#endif  // OVERT_CLI_COMMAND_H_
