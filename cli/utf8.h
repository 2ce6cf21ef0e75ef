#ifndef OVERT_CLI_UTF8_H_
#define OVERT_CLI_UTF8_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overt::cli {

/// The text's code points, or nothing where it is not valid UTF-8 (Unicode 15, table 3-7).
std::optional<std::u32string> decode_utf8(std::string_view text);

/// Appends a code point. False for a surrogate or a number over 0x10FFFF.
bool append_utf8(std::string& text, char32_t point);

}  // namespace overt::cli

#endif  // OVERT_CLI_UTF8_H_
