#ifndef OVERT_BASE_ERROR_H_
#define OVERT_BASE_ERROR_H_

#include <fmt/core.h>

#include <string>
#include <string_view>

#include "overt/error.h"

namespace overt {

/// Throws `Error` with a formatted message (fmt syntax).
template <typename... Args>
[[noreturn]] void fail(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(code, fmt::format(format, std::forward<Args>(args)...));
}

/// The same, naming the node, tensor, file or option at fault.
template <typename... Args>
[[noreturn]] void fail_at(ErrorCode code, std::string_view subject, fmt::format_string<Args...> format,
                          Args&&... args) {
  throw Error(code, fmt::format(format, std::forward<Args>(args)...), std::string(subject));
}

}  // namespace overt

#endif  // OVERT_BASE_ERROR_H_
