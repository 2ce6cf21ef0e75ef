#ifndef OVERT_PROVIDERS_CPU_PACKED_CONSTANTS_H_
#define OVERT_PROVIDERS_CPU_PACKED_CONSTANTS_H_

#include <map>
#include <string>
#include <utility>

#include "base/function_ref.h"
#include "base/mapped_file.h"
#include "overt/tensor.h"

namespace overt::cpu {

/// Constants in the forms that kernels of our own want, one copy for all plans of a session. Used by one thread at
/// a time; what it gives stays valid in other threads and after its end.
class PackedConstants {
 public:
  /// `constant` in the form of that name, made by `pack` at the first call.
  Tensor get(const Tensor& constant, const std::string& form, FunctionRef<Tensor()> pack) {
    Entry& entry = entries_[{constant.data(), form}];
    if (entry.packed.empty()) {
      entry = {constant, pack()};
      bytes_ += static_cast<int64_t>(entry.packed.bytes());
      drop_source(constant);
    }
    return entry.packed;
  }

  int64_t bytes() const { return bytes_; }

  /// A weight in the file is not read again once it is packed, or seldom: its pages need not stay in memory.
  static void drop_source(const Tensor& constant) {
    if (constant.is_file_view()) drop_pages({static_cast<const std::byte*>(constant.data()), constant.bytes()});
  }

 private:
  struct Entry {
    Tensor constant;  ///< keeps the key's address in use
    Tensor packed;
  };

  std::map<std::pair<const void*, std::string>, Entry> entries_;
  int64_t bytes_ = 0;
};

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_PACKED_CONSTANTS_H_
