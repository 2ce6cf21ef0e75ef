#ifndef OVERT_BASE_MAPPED_FILE_H_
#define OVERT_BASE_MAPPED_FILE_H_

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "base/file_descriptor.h"

namespace overt {

/// A file mapped into memory, read-only, page-aligned.
///
/// Pages are read when they are touched. Another process must not shorten the file while it is mapped: the
/// system answers a read beyond the new end with SIGBUS, which no library can turn into an error.
class MappedFile {
 public:
  /// Maps the file at `path`, following symbolic links. Throws Error(invalid_argument) where it does not exist,
  /// cannot be read, or is no regular file.
  explicit MappedFile(const std::filesystem::path& path);
  /// Maps an open file; `name` is for messages. Throws Error(invalid_argument) where it is no regular file.
  MappedFile(const FileDescriptor& file, std::string_view name);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  void map(const FileDescriptor& file, std::string_view name);

  std::span<const std::byte> bytes_;
};

/// Tells the system that these bytes of a mapped file are not needed for now: whole pages among them are dropped
/// from memory, and read again when they are touched. Only for mapped files: other memory would lose its contents.
void drop_pages(std::span<const std::byte> mapped) noexcept;

}  // namespace overt

#endif  // OVERT_BASE_MAPPED_FILE_H_
