#ifndef OVERT_TEXT_H_
#define OVERT_TEXT_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>

/// What programs around the library need to speak of names: those in model files may be any bytes.
namespace overt {

/// Any bytes as printable text on one line: control characters, backslashes and bytes that are not valid UTF-8
/// become \n, \xNN and the like; text longer than `max_bytes` is cut and ends in "...".
std::string escape_name(std::string_view bytes, size_t max_bytes = 200);

/// The candidate that a person may have meant by `name`, for "did you mean": the one with the fewest edits
/// (insert, delete, change, swap of neighbours), the first among equals, ignoring case; nothing where every
/// candidate needs more than a third of the name's length. Names longer than 64 bytes are not considered, nor
/// candidates after the first 4096.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace overt

#endif  // OVERT_TEXT_H_
