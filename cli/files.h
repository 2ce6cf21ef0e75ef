#ifndef OVERT_CLI_FILES_H_
#define OVERT_CLI_FILES_H_

#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace overt::cli {

/// Writes a file under a temporary name in the same folder and renames it, so that nobody sees half of it.
/// Throws Error(invalid_argument) where the folder cannot be written.
void write_file(const std::filesystem::path& path, std::span<const std::string_view> pieces);

/// Makes the folder and those above it where they are missing. Throws Error(invalid_argument).
void make_folder(const std::filesystem::path& path);

/// A tensor's name as a file name without its extension: letters, digits, '.', '_' and '-' stay, any other byte
/// becomes %XX, and so do a leading '.' and an empty name. Names over 180 bytes are cut and end in a checksum.
std::string file_name_of(std::string_view name);

/// Gives each name once: the second "dog.jpg" becomes "dog-2.jpg".
class UniqueNames {
 public:
  std::string take(const std::string& stem, const std::string& extension);

 private:
  std::set<std::string> taken_;
};

}  // namespace overt::cli

#endif  // OVERT_CLI_FILES_H_
