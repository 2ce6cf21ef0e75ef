#ifndef OVERT_BASE_FILE_DESCRIPTOR_H_
#define OVERT_BASE_FILE_DESCRIPTOR_H_

#include <utility>

namespace overt {

/// Owns an open file of the operating system and closes it.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor();

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }  ///< -1 where nothing is open

 private:
  int number_ = -1;
};

}  // namespace overt

#endif  // OVERT_BASE_FILE_DESCRIPTOR_H_
