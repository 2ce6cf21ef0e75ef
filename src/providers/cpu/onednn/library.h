#ifndef OVERT_PROVIDERS_CPU_ONEDNN_LIBRARY_H_
#define OVERT_PROVIDERS_CPU_ONEDNN_LIBRARY_H_

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "providers/cpu/layout.h"
#include "providers/cpu/onednn/functions.h"
#include "providers/cpu/onednn/handles.h"
#include "providers/cpu/onednn/openmp.h"

namespace overt::cpu::onednn {

/// oneDNN, opened at run time, with an engine and a number of threads. Safe to use from several threads, each of
/// which calls prepare_caller() before it makes or runs primitives (kernels do).
class Library {
 public:
  struct Parts {
    Functions functions;
    std::unique_ptr<OpenMp> openmp;
    std::filesystem::path path;
  };
  explicit Library(Parts parts);

  const Functions& functions() const { return parts_.functions; }
  dnnl_engine_t engine() const { return engine_.get(); }
  Threads& threads() const { return *parts_.openmp; }
  const OpenMp& openmp() const { return *parts_.openmp; }
  void prepare_caller() const { parts_.openmp->prepare_caller(); }

  /// Channels in a group of the blocked layouts that the convolutions are fastest with on this CPU: 16 or 8.
  int64_t channel_block() const { return channel_block_; }
  /// "oneDNN 3.2.0 from /usr/lib/libdnnl.so.3", and what is not as it should be.
  std::string description() const;

  /// Throws Error(internal) naming `what` unless `status` is success; Error(out_of_memory) where oneDNN says so.
  void check(dnnl_status_t status, std::string_view what) const;

  // Wrapped makers. All throw as check does.
  MemoryDesc memory_desc(const Layout& layout) const;
  /// Float32, strides in elements.
  MemoryDesc strided_memory_desc(std::span<const int64_t> dims, std::span<const int64_t> strides) const;
  /// A layout for oneDNN to choose.
  MemoryDesc any_memory_desc(std::span<const int64_t> dims) const;
  MemoryDesc clone(const_dnnl_memory_desc_t desc) const;
  Memory memory(const_dnnl_memory_desc_t desc, void* data) const;
  Stream stream() const;
  int64_t bytes(const_dnnl_memory_desc_t desc) const;
  bool equal(const_dnnl_memory_desc_t a, const_dnnl_memory_desc_t b) const;

 private:
  Parts parts_;
  Engine engine_;
  int64_t channel_block_ = 1;
};

/// The library, or why there is none: "libdnnl.so.3 was not found in ...: ...".
struct OpenedLibrary {
  std::unique_ptr<Library> library;
  std::string refusal;
};

/// Opens libdnnl.so.3 with `threads` threads. Looks at `wanted` alone when given, and throws
/// Error(provider_unavailable) where that file does not serve; else in the folder of this shared library, in
/// ../lib beside it, in the folder that the build was configured with, and where the loader looks.
/// A version that is not 3.x, or lacks a function, is refused in words.
OpenedLibrary open_library(const std::optional<std::filesystem::path>& wanted, int threads);

/// The same, with the folders to look in. An empty folder means: where the loader looks.
OpenedLibrary open_library_from(std::span<const std::filesystem::path> folders, int threads);

}  // namespace overt::cpu::onednn

#endif  // OVERT_PROVIDERS_CPU_ONEDNN_LIBRARY_H_
