#ifndef OVERT_BASE_SHARED_LIBRARY_H_
#define OVERT_BASE_SHARED_LIBRARY_H_

#include <filesystem>
#include <optional>
#include <string>

namespace overt {

/// A shared library opened at run time; closed with the object.
class SharedLibrary {
 public:
  /// Opens the file (a path with a slash) or searches the loader's path (a bare soname). On failure gives
  /// nothing and puts the loader's words into `*why`.
  static std::optional<SharedLibrary> open(const std::filesystem::path& path, std::string* why);

  SharedLibrary(SharedLibrary&& other) noexcept;
  SharedLibrary& operator=(SharedLibrary&& other) noexcept;
  ~SharedLibrary();

  /// Address of a symbol, or null.
  void* symbol(const char* name) const;
  /// Leaves the library open for the life of the process, for libraries that do not survive being closed.
  void keep_open() { handle_ = nullptr; }

 private:
  explicit SharedLibrary(void* handle) : handle_(handle) {}
  void* handle_ = nullptr;
};

/// Directory of the library or program that holds this code address.
std::filesystem::path directory_of_code(const void* address);

}  // namespace overt

#endif  // OVERT_BASE_SHARED_LIBRARY_H_
