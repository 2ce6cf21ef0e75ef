#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/error.h"
#include "base/escape.h"

namespace overt {

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) ::close(number_);
}

MappedFile::MappedFile(const std::filesystem::path& path) {
  // O_NONBLOCK: opening a pipe without a writer would wait for one.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.is_open()) {
    fail_at(ErrorCode::invalid_argument, path.native(), "'{}' cannot be opened: {}", escape_name(path.native()),
            std::generic_category().message(errno));
  }
  map(file, path.native());
}

MappedFile::MappedFile(const FileDescriptor& file, std::string_view name) {
  map(file, name);
}

void MappedFile::map(const FileDescriptor& file, std::string_view name) {
  struct stat facts = {};
  if (::fstat(file.number(), &facts) != 0) {
    fail_at(ErrorCode::invalid_argument, name, "'{}' cannot be examined: {}", escape_name(name),
            std::generic_category().message(errno));
  }
  if (S_ISDIR(facts.st_mode)) {
    fail_at(ErrorCode::invalid_argument, name, "'{}' is a directory, expected a file", escape_name(name));
  }
  if (!S_ISREG(facts.st_mode)) {
    fail_at(ErrorCode::invalid_argument, name, "'{}' is no regular file (a pipe, socket or device)",
            escape_name(name));
  }
  if (facts.st_size == 0) return;  // the system maps no empty range
  const auto size = static_cast<size_t>(facts.st_size);
  void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (start == MAP_FAILED) {
    fail_at(ErrorCode::out_of_memory, name, "'{}' of {} bytes cannot be mapped: {}", escape_name(name), size,
            std::generic_category().message(errno));
  }
  bytes_ = {static_cast<const std::byte*>(start), size};
}

MappedFile::~MappedFile() {
  // munmap takes a pointer to non-const although it writes nothing.
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

void drop_pages(std::span<const std::byte> mapped) noexcept {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = (reinterpret_cast<uintptr_t>(mapped.data()) + page - 1) / page * page;
  const auto last = (reinterpret_cast<uintptr_t>(mapped.data()) + mapped.size()) / page * page;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);  // a hint: may fail
}

}  // namespace overt
