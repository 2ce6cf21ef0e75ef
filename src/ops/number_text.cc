#include "ops/number_text.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace overt {
namespace {

std::string_view without_plus(std::string_view text) {
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+';
  return plus ? text.substr(1) : text;
}

template <typename Float>
std::string text_of(Float value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "INF" : "-INF";
  return fmt::format("{}", value);
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  text = without_plus(text);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  if (error != std::errc::result_out_of_range) return value;
  const size_t exponent = text.find_first_of("eE");
  const bool tiny = exponent != std::string_view::npos && text.substr(exponent + 1).starts_with('-');
  const double magnitude = tiny ? 0.0 : std::numeric_limits<double>::infinity();
  return text[0] == '-' ? -magnitude : magnitude;
}

std::optional<int64_t> parse_integer(std::string_view text) {
  text = without_plus(text);
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error != std::errc()) return std::nullopt;
  return value;
}

std::string number_text(float value) {
  return text_of(value);
}
std::string number_text(double value) {
  return text_of(value);
}

}  // namespace overt
