#include "base/escape.h"

#include <gtest/gtest.h>

namespace overt {
namespace {

TEST(Escape, keeps_printable_text_and_valid_utf8) { EXPECT_EQ(escape_name("conv/1 größe 層"), "conv/1 größe 層"); }

TEST(Escape, shows_control_characters_and_invalid_utf8_as_escapes) {
  EXPECT_EQ(escape_name(std::string_view("a\0b\n\x1b[31m\xff\xc3(", 12)), "a\\x00b\\n\\x1b[31m\\xff\\xc3(");
  EXPECT_EQ(escape_name("\xc2\x9b" "31m"), "\\xc2\\x9b31m");
}

TEST(Escape, cuts_long_names) { EXPECT_EQ(escape_name(std::string(300, 'x'), 10), "xxxxxxxxxx..."); }

}  // namespace
}  // namespace overt
