#include "files.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "errors.h"
#include "overt/text.h"

namespace overt::cli {
namespace {

/// A new file that is deleted again unless it gets its name.
class NewFile {
 public:
  explicit NewFile(std::filesystem::path path)
      : path_(std::move(path)), descriptor_(open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) reject("made");
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!renamed_) unlink(path_.c_str());
  }

  void write_all(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) reject("written");
      bytes.remove_prefix(static_cast<size_t>(written));
    }
  }

  void rename_to(const std::filesystem::path& target) {
    const int closed = close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) reject("written");
    if (std::rename(path_.c_str(), target.c_str()) != 0) reject("given its name");
    renamed_ = true;
  }

 private:
  [[noreturn]] void reject(std::string_view what) const {
    fail(ErrorCode::invalid_argument, "{}: the file cannot be {}: {}", escape_name(path_.string()), what,
         std::strerror(errno));
  }

  std::filesystem::path path_;
  int descriptor_;
  bool renamed_ = false;
};

/// FNV-1a, 64 bits.
uint64_t checksum(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
         c == '-';
}

}  // namespace

void write_file(const std::filesystem::path& path, std::span<const std::string_view> pieces) {
  NewFile file(path.parent_path() / fmt::format(".{}.{}.tmp", path.filename().string().substr(0, 200), getpid()));
  for (const std::string_view piece : pieces) file.write_all(piece);
  file.rename_to(path);
}

void make_folder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!std::filesystem::is_directory(path)) {
    fail(ErrorCode::invalid_argument, "{}: the folder cannot be made: {}", escape_name(path.string()),
         error ? error.message() : "there is a file of that name");
  }
}

std::string file_name_of(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (is_plain(c) && !(c == '.' && text.empty())) {
      text += c;
    } else {
      text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  constexpr size_t kLongest = 180;
  if (text.size() > kLongest) return fmt::format("{}-{:016x}", text.substr(0, kLongest - 17), checksum(name));
  return text.empty() ? "%" : text;
}

std::string UniqueNames::take(const std::string& stem, const std::string& extension) {
  std::string name = stem + extension;
  for (int number = 2; !taken_.insert(name).second; ++number) name = fmt::format("{}-{}{}", stem, number, extension);
  return name;
}

}  // namespace overt::cli
