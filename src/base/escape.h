#ifndef OVERT_BASE_ESCAPE_H_
#define OVERT_BASE_ESCAPE_H_

#include <string>
#include <string_view>

namespace overt {

/// Any bytes as printable text on one line: control characters, quotes' backslashes and bytes that are not
/// valid UTF-8 become \n, \xNN and the like; text longer than `max_bytes` is cut and ends in "...".
std::string escape_name(std::string_view bytes, size_t max_bytes = 200);

}  // namespace overt

#endif  // OVERT_BASE_ESCAPE_H_
