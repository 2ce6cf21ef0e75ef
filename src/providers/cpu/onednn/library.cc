#include "providers/cpu/onednn/library.h"

#include <dlfcn.h>

#include <vector>

#include "base/error.h"

namespace overt::cpu::onednn {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibraryName = "libdnnl.so.3";
constexpr int kMajorVersion = 3;

/// Where oneDNN can be opened twice in a process: libgomp keeps threads inside its code, so it is never unloaded.
void* open_shared(const fs::path& path) {
  return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

/// The library at `path`, or why it does not serve. `parts` is filled only where it serves.
std::string open_file(const fs::path& path, Library::Parts& parts) {
  void* const handle = open_shared(path);
  if (handle == nullptr) return dlerror();
  if (const char* missing = load_functions(handle, parts.functions)) {
    return fmt::format("{} lacks the function {}", path.string(), missing);
  }
  const dnnl_version_t& version = *parts.functions.version();
  if (version.major != kMajorVersion) {
    return fmt::format("{} is oneDNN {}.{}, expected {}.x", path.string(), version.major, version.minor,
                       kMajorVersion);
  }
  parts.path = path;
  return {};
}

fs::path own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&open_library_from), &info) == 0 || info.dli_fname == nullptr) return {};
  return fs::absolute(info.dli_fname).parent_path();
}

int64_t block_of(dnnl_cpu_isa_t isa) {
  return (isa & dnnl_cpu_isa_avx512_core) == dnnl_cpu_isa_avx512_core ? 16 : 8;
}

}  // namespace

Library::Library(Parts parts) : parts_(std::move(parts)) {
  dnnl_engine_t engine = nullptr;
  check(functions().engine_create(&engine, dnnl_cpu, 0), "making the CPU engine");
  engine_ = Engine(engine, {functions().engine_destroy});
  // Kernels are kept by the plans that use them; a cache beside them would only hold memory after sessions close.
  check(functions().set_primitive_cache_capacity(0), "switching the primitive cache off");
  channel_block_ = block_of(functions().effective_cpu_isa());
}

std::string Library::description() const {
  const dnnl_version_t& version = *functions().version();
  std::string text =
      fmt::format("oneDNN {}.{}.{} from {}", version.major, version.minor, version.patch, parts_.path.string());
  if (!parts_.openmp->waiting_bounded()) {
    text +=
        "; libgomp was loaded before with waiting that Overt cannot bound: on a busy machine set "
        "OMP_WAIT_POLICY=passive";
  }
  return text;
}

void Library::check(dnnl_status_t status, std::string_view what) const {
  if (status == dnnl_success) return;
  const ErrorCode code = status == dnnl_out_of_memory ? ErrorCode::out_of_memory : ErrorCode::internal;
  fail(code, "onednn failed at {}: {}", what, functions().status_to_string(status));
}

MemoryDesc Library::memory_desc(const Layout& layout) const {
  const std::span<const int64_t> dims = layout.shape.dims();
  if (!layout.blocked()) {
    std::vector<int64_t> strides(dims.size(), 1);
    for (size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
    return strided_memory_desc(dims, strides);
  }
  dnnl_format_tag_t tag = dnnl_format_tag_undef;
  const bool wide = layout.block == 16;
  if (dims.size() == 3) tag = wide ? dnnl_aBc16b : dnnl_aBc8b;
  if (dims.size() == 4) tag = wide ? dnnl_aBcd16b : dnnl_aBcd8b;
  if (dims.size() == 5) tag = wide ? dnnl_aBcde16b : dnnl_aBcde8b;
  dnnl_memory_desc_t desc = nullptr;
  check(functions().memory_desc_create_with_tag(&desc, static_cast<int>(dims.size()), dims.data(), dnnl_f32, tag),
        "describing " + layout.to_string());
  return {desc, {functions().memory_desc_destroy}};
}

MemoryDesc Library::strided_memory_desc(std::span<const int64_t> dims, std::span<const int64_t> strides) const {
  dnnl_memory_desc_t desc = nullptr;
  check(functions().memory_desc_create_with_strides(&desc, static_cast<int>(dims.size()), dims.data(), dnnl_f32,
                                                    strides.data()),
        "describing " + Shape(dims).to_string());
  return {desc, {functions().memory_desc_destroy}};
}

MemoryDesc Library::any_memory_desc(std::span<const int64_t> dims) const {
  dnnl_memory_desc_t desc = nullptr;
  check(functions().memory_desc_create_with_tag(&desc, static_cast<int>(dims.size()), dims.data(), dnnl_f32,
                                                dnnl_format_tag_any),
        "describing " + Shape(dims).to_string());
  return {desc, {functions().memory_desc_destroy}};
}

MemoryDesc Library::clone(const_dnnl_memory_desc_t desc) const {
  dnnl_memory_desc_t copy = nullptr;
  check(functions().memory_desc_clone(&copy, desc), "copying a memory descriptor");
  return {copy, {functions().memory_desc_destroy}};
}

Memory Library::memory(const_dnnl_memory_desc_t desc, void* data) const {
  dnnl_memory_t memory = nullptr;
  check(functions().memory_create(&memory, desc, engine(), data), "making a memory handle");
  return {memory, {functions().memory_destroy}};
}

Stream Library::stream() const {
  dnnl_stream_t stream = nullptr;
  check(functions().stream_create(&stream, engine(), dnnl_stream_default_flags), "making a stream");
  return {stream, {functions().stream_destroy}};
}

int64_t Library::bytes(const_dnnl_memory_desc_t desc) const {
  return static_cast<int64_t>(functions().memory_desc_get_size(desc));
}

bool Library::equal(const_dnnl_memory_desc_t a, const_dnnl_memory_desc_t b) const {
  return functions().memory_desc_equal(a, b) != 0;
}

OpenedLibrary open_library_from(std::span<const fs::path> folders, int threads) {
  OpenedLibrary opened;
  Library::Parts parts;
  parts.openmp = OpenMp::open(threads, opened.refusal);
  if (parts.openmp == nullptr) return opened;
  std::string looked;
  for (const fs::path& folder : folders) {
    const fs::path path = folder / kLibraryName;
    if (!folder.empty() && !fs::exists(path)) {
      looked += (looked.empty() ? "" : ", ") + folder.string();
      continue;
    }
    const std::string problem = open_file(path, parts);
    if (problem.empty()) {
      opened.library = std::make_unique<Library>(std::move(parts));
      return opened;
    }
    if (!folder.empty()) {
      opened.refusal = problem;
      return opened;
    }
    looked += (looked.empty() ? "" : ", ") + std::string("the loader's path (") + problem + ")";
  }
  opened.refusal = fmt::format(
      "{} was not found in {}: convolutions and matrix products run on kernels of "
      "Overt's own",
      kLibraryName, looked);
  return opened;
}

OpenedLibrary open_library(const std::optional<fs::path>& wanted, int threads) {
  if (!wanted) {
    std::vector<fs::path> folders;
    if (const fs::path own = own_folder(); !own.empty()) folders = {own, own.parent_path() / "lib"};
    if (const fs::path built = fs::path(OVERT_ONEDNN_LIBRARY_FOLDER); !built.empty()) folders.push_back(built);
    folders.emplace_back();
    return open_library_from(folders, threads);
  }
  Library::Parts parts;
  std::string problem;
  parts.openmp = OpenMp::open(threads, problem);
  if (parts.openmp != nullptr) problem = open_file(*wanted, parts);
  if (!problem.empty()) {
    fail(ErrorCode::provider_unavailable, "the oneDNN library that was asked for cannot be used: {}", problem);
  }
  return {std::make_unique<Library>(std::move(parts)), {}};
}

}  // namespace overt::cpu::onednn
