#include "base/escape.h"

#include <fmt/core.h>

namespace overt {
namespace {

/// Length of the valid UTF-8 sequence at the start of `bytes` (Unicode 15, table 3-7), or 0.
size_t utf8_length(std::string_view bytes) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const auto continues = [&](size_t i) { return i < bytes.size() && (byte(i) & 0xC0) == 0x80; };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (!continues(1) || !continues(2)) return 0;
    if (lead == 0xE0 && byte(1) < 0xA0) return 0;
    if (lead == 0xED && byte(1) > 0x9F) return 0;  // surrogates
    return 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    if (lead == 0xF0 && byte(1) < 0x90) return 0;
    if (lead == 0xF4 && byte(1) > 0x8F) return 0;
    return 4;
  }
  return 0;
}

/// C1 control characters (U+0080 to U+009F) can drive a terminal as well.
bool is_c1_control(std::string_view sequence) {
  return sequence.size() == 2 && static_cast<unsigned char>(sequence[0]) == 0xC2 &&
         static_cast<unsigned char>(sequence[1]) < 0xA0;
}

}  // namespace

std::string escape_name(std::string_view bytes, size_t max_bytes) {
  std::string text;
  size_t at = 0;
  while (at < bytes.size()) {
    if (text.size() >= max_bytes) return text + "...";
    const size_t length = utf8_length(bytes.substr(at));
    const char c = bytes[at];
    if (length > 1 && !is_c1_control(bytes.substr(at, length))) {
      text += bytes.substr(at, length);
      at += length;
      continue;
    }
    ++at;
    if (c == '\n') {
      text += "\\n";
    } else if (c == '\t') {
      text += "\\t";
    } else if (c == '\r') {
      text += "\\r";
    } else if (c == '\\') {
      text += "\\\\";
    } else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F) {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace overt
