#ifndef OVERT_OPS_NUMBER_TEXT_H_
#define OVERT_OPS_NUMBER_TEXT_H_

#include <optional>
#include <string>
#include <string_view>

namespace overt {

/// The number that the text is in full, plain or scientific, with an optional sign; "inf", "infinity" and "nan" in
/// any case. Beyond double's range: infinity, or 0 below it. Nothing for other text.
std::optional<double> parse_number(std::string_view text);

/// The integer that the text is in full.
std::optional<int64_t> parse_integer(std::string_view text);

/// The shortest text that reads back as the same number; "NaN", "INF" and "-INF".
std::string number_text(float value);
std::string number_text(double value);

}  // namespace overt

#endif  // OVERT_OPS_NUMBER_TEXT_H_
