#include "providers/cpu/onednn/openmp.h"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

namespace overt::cpu::onednn {
namespace {

constexpr const char* kLibrary = "libgomp.so.1";
constexpr const char* kSpinVariable = "GOMP_SPINCOUNT";
constexpr const char* kPolicyVariable = "OMP_WAIT_POLICY";

/// Opens libgomp with the spin count in the environment for as long as its start-up code reads it, so that
/// programs which this process starts do not inherit it.
void* open_bounded() {
  const bool ours = std::getenv(kSpinVariable) == nullptr && std::getenv(kPolicyVariable) == nullptr;
  if (ours) setenv(kSpinVariable, kSpinCount, 1);
  void* const handle = dlopen(kLibrary, RTLD_NOW | RTLD_NODELETE);
  if (ours) unsetenv(kSpinVariable);
  return handle;
}

template <typename Function>
bool find(void* handle, Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(dlsym(handle, name));
  return function != nullptr;
}

}  // namespace

std::unique_ptr<OpenMp> OpenMp::open(int threads, std::string& refusal) {
  // Libgomp reads its settings once, when it enters the process; so who brought it is a fact of the process.
  static std::atomic<bool> brought_by_us = false;
  void* handle = dlopen(kLibrary, RTLD_NOW | RTLD_NOLOAD);
  if (handle == nullptr) {
    handle = open_bounded();
    brought_by_us = handle != nullptr;
  }
  if (handle == nullptr) {
    refusal = dlerror();
    return nullptr;
  }
  Table table;
  if (!find(handle, table.parallel, "GOMP_parallel") || !find(handle, table.thread_num, "omp_get_thread_num") ||
      !find(handle, table.num_threads, "omp_get_num_threads") ||
      !find(handle, table.set_num_threads, "omp_set_num_threads")) {
    refusal = std::string(kLibrary) + " lacks GOMP_parallel or one of omp_get_thread_num, omp_get_num_threads, " +
              "omp_set_num_threads";
    return nullptr;
  }
  return std::make_unique<OpenMp>(table, threads, brought_by_us);
}

void OpenMp::run(int parts, FunctionRef<void(int part)> body) {
  if (count_ == 1 || parts < 2) {
    for (int part = 0; part < parts; ++part) body(part);
    return;
  }
  struct Region {
    const Table& table;
    FunctionRef<void(int)> body;
    int parts;
  } region{table_, body, parts};
  // libgomp may give fewer threads than were asked for (a limit of the user's, a region within a region).
  const auto enter = [](void* data) {
    const Region& shared = *static_cast<const Region*>(data);
    const int threads = shared.table.num_threads();
    for (int part = shared.table.thread_num(); part < shared.parts; part += threads) shared.body(part);
  };
  table_.parallel(enter, &region, static_cast<unsigned>(std::min(parts, count_)), 0);
}

}  // namespace overt::cpu::onednn
