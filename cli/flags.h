#ifndef OVERT_CLI_FLAGS_H_
#define OVERT_CLI_FLAGS_H_

#include <CLI/App.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"
#include "console.h"
#include "overt/options.h"

namespace overt::cli {

/// Where and how a model shall run.
struct SessionFlags {
  std::vector<std::string> providers;
  std::string fallback = "allow";
  std::string precision = "fp32";
  int threads = 0;
  std::string memory_limit;
  std::string passes = "on";
  std::vector<std::string> disabled_passes;
  std::string onednn;
  std::string onednn_library;
  bool allow_symlinks = false;
  bool allow_hard_links = false;
};

void add_common_flags(CLI::App& app, CommonFlags& flags);
void add_model(CLI::App& app, std::string& model);
void add_session_flags(CLI::App& app, SessionFlags& flags);
void add_file_flags(CLI::App& app, SessionFlags& flags);

/// The option takes one of these words; another one is wrong usage, and the nearest is named.
void one_of(CLI::Option* option, std::vector<std::string> words);

/// Throws UsageError for an unknown provider, size or combination.
SessionOptions session_options(const SessionFlags& flags, LogCallback log);
/// "cpu" or "cuda:1". Throws UsageError.
ProviderOptions parse_provider(const std::string& text);
Precision parse_precision(std::string_view name);
LogLevel parse_log_level(std::string_view name);
/// "512", "64K", "1.5G" (powers of 1024) in bytes. Throws UsageError.
int64_t parse_bytes(const std::string& text, std::string_view option);
/// "NAME=VALUE" apart at the last '='. Throws UsageError.
std::pair<std::string, std::string> parse_assignment(const std::string& text, std::string_view option);
/// All of the text as a number that is at least `least`. Throws UsageError.
int64_t parse_whole(std::string_view text, int64_t least, std::string_view option);
/// `count` numbers between commas. Throws UsageError.
std::vector<float> parse_floats(std::string_view text, size_t count, std::string_view option);

}  // namespace overt::cli

#endif  // OVERT_CLI_FLAGS_H_
