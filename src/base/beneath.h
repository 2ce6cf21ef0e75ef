#ifndef OVERT_BASE_BENEATH_H_
#define OVERT_BASE_BENEATH_H_

#include <filesystem>
#include <string_view>

#include "base/file_descriptor.h"

namespace overt {

struct BeneathRules {
  bool allow_hard_links = false;  ///< files with a second name, which may be a secret's
  bool follow_symlinks = false;   ///< those that stay below the directory; needs Linux 5.6
};

/// Opens, for reading, a file below `directory` whose name comes from an untrusted source (a model file).
///
/// `name` is a relative path with "/" between its parts. Throws Error(invalid_model) for a name that is empty,
/// absolute, or contains "..", a backslash or a NUL; where the path leads out of the directory, through a
/// symbolic link unless the rules allow it, or to nothing; and where it ends at something that is no regular
/// file or has several hard links. Never waits (pipes) and never leaves the directory, whatever another process
/// renames meanwhile. `directory` itself is trusted; Error(invalid_argument) where it cannot be opened.
FileDescriptor open_beneath(const std::filesystem::path& directory, std::string_view name, const BeneathRules& rules);

/// The same part by part, for kernels without openat2(2); used by `open_beneath`. Follows no symbolic link:
/// Error(unsupported) where the rules ask for it.
FileDescriptor open_beneath_by_parts(const std::filesystem::path& directory, std::string_view name,
                                     const BeneathRules& rules);

}  // namespace overt

#endif  // OVERT_BASE_BENEATH_H_
