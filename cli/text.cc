#include "text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "overt/text.h"

namespace overt::cli {
namespace {

/// Columns that the text takes on a terminal: its code points, which is right for all but wide letters.
size_t width_of(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string count_text(int64_t count) {
  std::string text = std::to_string(count);
  const size_t first = text.starts_with('-') ? 1 : 0;
  for (size_t at = text.size(); at > first + 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

std::string plural(int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count_text(count), noun, count == 1 ? "" : "s");
}

std::string bytes_text(int64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  constexpr std::array<std::string_view, 5> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return fmt::format("{:.{}f} {}", value, value < 10 ? 2 : value < 100 ? 1 : 0, kUnits[unit]);
}

std::string ms_text(double ms) {
  if (ms >= 10'000) return fmt::format("{:.1f} s", ms / 1000);
  if (ms >= 1000) return fmt::format("{:.2f} s", ms / 1000);
  return fmt::format("{:.{}f} ms", ms, ms < 1 ? 3 : ms < 10 ? 2 : 1);
}

std::string number_text(double value) {
  return fmt::format("{:.6g}", value);
}

std::string first_line(std::string_view text, size_t max) {
  return escape_name(text.substr(0, text.find('\n')), max);
}

std::string Table::to_string(size_t indent) const {
  std::vector<size_t> widths;
  for (const auto& row : rows_) {
    if (row.size() < 2) continue;
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    for (size_t i = 0; i < row.size(); ++i) {
      const size_t padding = row.size() < 2 ? 0 : widths[i] - width_of(row[i]);
      const bool right = i < alignment_.size() && alignment_[i] == 'r';
      if (i > 0) line += "  ";
      line += right ? std::string(padding, ' ') + row[i] : row[i] + std::string(padding, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace overt::cli
