#include "console.h"

#include <fmt/core.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <utility>

namespace overt::cli {
namespace {

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::debug: return spdlog::level::debug;
    case LogLevel::info: return spdlog::level::info;
    case LogLevel::warning: return spdlog::level::warn;
    case LogLevel::error: break;
  }
  return spdlog::level::err;
}

}  // namespace

// spdlog's loggers share their sinks; this one has no other holder.
Console::Console()
    : logger_("overt", std::make_shared<spdlog::sinks::stderr_color_sink_mt>()),
      terminal_(isatty(STDERR_FILENO) == 1) {
  logger_.set_pattern("%^%l%$: %v");
}

void Console::set_level(LogLevel level) {
  logger_.set_level(spdlog_level(level));
}

void Console::log(LogLevel level, std::string_view message) {
  const std::lock_guard lock(mutex_);
  clear_line();
  logger_.log(spdlog_level(level), "{}", message);
}

LogCallback Console::callback(std::string prefix) {
  return [this, prefix = std::move(prefix)](LogLevel level, std::string_view message) {
    log(level, prefix + std::string(message));
  };
}

void Console::error(std::string_view paragraph) {
  const std::lock_guard lock(mutex_);
  clear_line();
  fmt::print(stderr, "error: {}\n", paragraph);
}

void Console::show_progress(std::string_view line) {
  const std::lock_guard lock(mutex_);
  clear_line();
  if (line.empty()) return;
  fmt::print(stderr, "{}", line);
  std::fflush(stderr);
  progress_shown_ = true;
}

void Console::clear_line() {
  if (progress_shown_) fmt::print(stderr, "\r\x1b[K");
  progress_shown_ = false;
}

Progress::Progress(Console& console, std::string what) : console_(console), what_(std::move(what)) {
  if (console_.terminal_) thread_ = std::thread([this] { show_until_stopped(); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Progress::show_until_stopped() {
  std::unique_lock lock(mutex_);
  for (int seconds = 1; !changed_.wait_for(lock, std::chrono::seconds(1), [this] { return stopped_; }); ++seconds) {
    console_.show_progress(fmt::format("{} ... {} s", what_, seconds));
  }
  console_.show_progress("");
}

}  // namespace overt::cli
