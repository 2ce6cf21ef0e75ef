#include "base/beneath.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/escape.h"

namespace overt {
namespace {

constexpr size_t kMaxNameBytes = 4096;
constexpr int kReadFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

[[noreturn]] void refuse(std::string_view name, std::string_view reason) {
  fail_at(ErrorCode::invalid_model, name, "the file name '{}' {}", escape_name(name), reason);
}

/// The parts of an acceptable name; throws for others.
std::vector<std::string> parts_of(std::string_view name) {
  if (name.empty()) refuse(name, "is empty");
  if (name.size() > kMaxNameBytes) refuse(name, "is longer than 4096 bytes");
  if (name.find('\0') != std::string_view::npos) refuse(name, "has a NUL in it");
  if (name.find('\\') != std::string_view::npos) refuse(name, "has a backslash in it, expected '/' between parts");
  if (name.front() == '/') refuse(name, "is absolute, expected one relative to the model's directory");
  std::vector<std::string> parts;
  for (std::string_view rest = name; !rest.empty();) {
    const size_t end = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, end);
    if (part == "..") refuse(name, "has '..' in it, expected one below the model's directory");
    if (!part.empty() && part != ".") parts.emplace_back(part);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return parts;
}

FileDescriptor open_directory(const std::filesystem::path& directory) {
  FileDescriptor opened(::open(directory.empty() ? "." : directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) {
    fail_at(ErrorCode::invalid_argument, directory.native(), "the directory '{}' cannot be opened: {}",
            escape_name(directory.native()), std::generic_category().message(errno));
  }
  return opened;
}

[[noreturn]] void refuse_open(std::string_view name, const std::filesystem::path& directory, int error) {
  const std::string where = escape_name(directory.empty() ? "." : directory.native());
  switch (error) {
    case ENOENT: refuse(name, fmt::format("names nothing below '{}': put the file there, or mend the name", where));
    case ELOOP: refuse(name, fmt::format("leads through a symbolic link below '{}', which is not followed", where));
    case EXDEV: refuse(name, fmt::format("leads out of '{}'", where));
    case ENOTDIR: refuse(name, fmt::format("goes through something below '{}' that is no directory", where));
    default:
      refuse(name, fmt::format("cannot be opened below '{}': {}", where, std::generic_category().message(error)));
  }
}

/// Throws unless the open file is a regular file with as many names as the rules allow.
void check_kind(const FileDescriptor& file, std::string_view name, const BeneathRules& rules) {
  struct stat facts = {};
  if (::fstat(file.number(), &facts) != 0) refuse(name, "cannot be examined");
  if (!S_ISREG(facts.st_mode)) refuse(name, "is no regular file (a directory, pipe, socket or device)");
  if (facts.st_nlink > 1 && !rules.allow_hard_links) {
    refuse(name, fmt::format("has {} hard links, expected 1: copy the file, or allow hard links", facts.st_nlink));
  }
}

}  // namespace

FileDescriptor open_beneath(const std::filesystem::path& directory, std::string_view name,
                            const BeneathRules& rules) {
  std::string path;
  for (const std::string& part : parts_of(name)) path += (path.empty() ? "" : "/") + part;
  if (path.empty()) path = ".";
  const FileDescriptor root = open_directory(directory);
  open_how how = {};
  how.flags = static_cast<uint64_t>(kReadFlags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | (rules.follow_symlinks ? 0 : RESOLVE_NO_SYMLINKS);
  int error = EAGAIN;
  constexpr int kMostTries = 8;  // EAGAIN: something was renamed during the walk
  for (int attempt = 0; attempt < kMostTries && error == EAGAIN; ++attempt) {
    FileDescriptor file(static_cast<int>(::syscall(SYS_openat2, root.number(), path.c_str(), &how, sizeof(how))));
    error = file.is_open() ? 0 : errno;
    if (!file.is_open()) continue;
    check_kind(file, name, rules);
    return file;
  }
  if (error == ENOSYS || error == EPERM) return open_beneath_by_parts(directory, name, rules);
  refuse_open(name, directory, error);
}

FileDescriptor open_beneath_by_parts(const std::filesystem::path& directory, std::string_view name,
                                     const BeneathRules& rules) {
  if (rules.follow_symlinks) {
    fail_at(ErrorCode::unsupported, name,
            "following symbolic links safely needs openat2 (Linux 5.6), which this system refuses: copy '{}' into "
            "the model's directory",
            escape_name(name));
  }
  const std::vector<std::string> parts = parts_of(name);
  FileDescriptor at = open_directory(directory);
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    FileDescriptor next(::openat(at.number(), parts[i].c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!next.is_open()) refuse_open(name, directory, errno);
    at = std::move(next);
  }
  const std::string last = parts.empty() ? "." : parts.back();
  FileDescriptor file(::openat(at.number(), last.c_str(), kReadFlags | O_NOFOLLOW));
  if (!file.is_open()) refuse_open(name, directory, errno);
  check_kind(file, name, rules);
  return file;
}

}  // namespace overt
