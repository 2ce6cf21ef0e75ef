#include "base/cpus.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

namespace overt {
namespace {

namespace fs = std::filesystem;

/// "200000 100000" or "max 100000" (version 2).
std::optional<double> read_v2(const fs::path& folder) {
  std::ifstream file(folder / "cpu.max");
  double quota = 0;
  double period = 0;
  if (!(file >> quota >> period) || quota <= 0 || period <= 0) return std::nullopt;
  return quota / period;
}

/// One number per file; a quota of -1 is no limit (version 1).
std::optional<double> read_v1(const fs::path& folder) {
  std::ifstream quota_file(folder / "cpu.cfs_quota_us");
  std::ifstream period_file(folder / "cpu.cfs_period_us");
  double quota = 0;
  double period = 0;
  if (!(quota_file >> quota) || !(period_file >> period) || quota <= 0 || period <= 0) return std::nullopt;
  return quota / period;
}

std::optional<double> smaller(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

/// The least quota of `group` and its parents under `mount`. In a container the path of the group may lie outside
/// of what is mounted; the mount itself is then the group.
template <typename Read>
std::optional<double> least_quota(const fs::path& mount, fs::path group, Read read) {
  std::optional<double> least = read(mount);
  for (group = group.relative_path(); !group.empty(); group = group.parent_path()) {
    least = smaller(least, read(mount / group));
  }
  return least;
}

bool lists_cpu(const std::string& controllers) {
  return ("," + controllers + ",").find(",cpu,") != std::string::npos;
}

int affinity_cpus() {
  // The mask is as long as the kernel's, which may be configured for more CPUs than cpu_set_t holds.
  for (int size = 1024; size <= (1 << 20); size *= 2) {
    const size_t bytes = CPU_ALLOC_SIZE(size);
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> mask(CPU_ALLOC(size), [](cpu_set_t* m) { CPU_FREE(m); });
    if (mask == nullptr) break;
    if (sched_getaffinity(0, bytes, mask.get()) == 0) return std::max(1, CPU_COUNT_S(bytes, mask.get()));
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

std::optional<double> cgroup_cpu_quota(const fs::path& root) {
  std::ifstream groups(root / "proc/self/cgroup");
  const fs::path mounts = root / "sys/fs/cgroup";
  std::optional<double> least;
  // Lines are "number:controllers:path"; version 2 has the one line "0::path".
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (controllers.empty()) least = smaller(least, least_quota(mounts, group, read_v2));
    if (lists_cpu(controllers)) least = smaller(least, least_quota(mounts / controllers, group, read_v1));
  }
  return least;
}

int usable_cpus() {
  const int cpus = affinity_cpus();
  const std::optional<double> quota = cgroup_cpu_quota("/");
  if (!quota) return cpus;
  return std::clamp(static_cast<int>(std::min(*quota, 1e6)), 1, cpus);
}

}  // namespace overt
