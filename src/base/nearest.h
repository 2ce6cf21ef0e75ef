#ifndef OVERT_BASE_NEAREST_H_
#define OVERT_BASE_NEAREST_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace overt {

/// The candidate that a person may have meant by `name`, for "did you mean": the one with the fewest edits
/// (insert, delete, change, swap of neighbours), the first among equals, ignoring case; nothing where every
/// candidate needs more than a third of the name's length. Names longer than 64 bytes are not considered, nor
/// candidates after the first 4096.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace overt

#endif  // OVERT_BASE_NEAREST_H_
