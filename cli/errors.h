#ifndef OVERT_CLI_ERRORS_H_
#define OVERT_CLI_ERRORS_H_

#include <fmt/core.h>

#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "overt/error.h"

namespace overt::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitError = 1;
inline constexpr int kExitUsage = 2;

/// The command line was used wrongly (exit code 2). The message ends with the way out.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <typename... Args>
[[noreturn]] void fail_usage(fmt::format_string<Args...> format, Args&&... args) {
  throw UsageError(fmt::format(format, std::forward<Args>(args)...));
}

/// Throws overt::Error with a formatted message (exit code 1).
template <typename... Args>
[[noreturn]] void fail(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(code, fmt::format(format, std::forward<Args>(args)...));
}

/// "; did you mean 'detect'?", or the whole list where no name is near ("; there are a, b and c").
std::string suggestion(std::string_view name, std::span<const std::string> known);

/// What the program says about an exception: its paragraph without "error: ", and the exit code.
struct Failure {
  std::string text;
  int exit_code = kExitError;
};

/// Of the exception that is being handled. `command` is for the way out ("overt run").
Failure describe_current_exception(std::string_view command);

}  // namespace overt::cli

#endif  // OVERT_CLI_ERRORS_H_
