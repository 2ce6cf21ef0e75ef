#ifndef OVERT_CLI_CONSOLE_H_
#define OVERT_CLI_CONSOLE_H_

#include <spdlog/logger.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "overt/options.h"

namespace overt::cli {

/// Standard error: log lines, the progress line and errors, so that none is written into another.
/// Safe to use from several threads.
class Console {
 public:
  Console();

  void set_level(LogLevel level);
  void log(LogLevel level, std::string_view message);
  /// For SessionOptions::log; this console must outlive the session. Lines get `prefix` in front.
  LogCallback callback(std::string prefix = {});
  /// Writes "error: " and the paragraph.
  void error(std::string_view paragraph);

 private:
  friend class Progress;
  void show_progress(std::string_view line);  ///< empty: takes the line away
  void clear_line();

  spdlog::logger logger_;
  const bool terminal_;
  std::mutex mutex_;
  bool progress_shown_ = false;
};

/// Says on a terminal what the program is waiting for, from the second second on, until it is destroyed.
/// Where standard error is no terminal it does nothing.
class Progress {
 public:
  Progress(Console& console, std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  void show_until_stopped();

  Console& console_;
  const std::string what_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace overt::cli

#endif  // OVERT_CLI_CONSOLE_H_
