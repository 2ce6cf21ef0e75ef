#ifndef OVERT_BASE_CPUS_H_
#define OVERT_BASE_CPUS_H_

#include <filesystem>
#include <optional>

namespace overt {

/// How many threads can run at once in this process: the CPUs of its affinity mask, or fewer where a control
/// group's quota allows less (rounded down, as a thread above the quota would stop all of them for parts of each
/// period). At least 1. Cannot fail: what cannot be read is taken as no limit.
int usable_cpus();

/// The CPU time that the process's control groups (version 1 or 2, and their parents) allow, in CPUs; nothing
/// where there is no limit. `root` is "/", or a folder that holds proc/self/cgroup and sys/fs/cgroup.
std::optional<double> cgroup_cpu_quota(const std::filesystem::path& root);

}  // namespace overt

#endif  // OVERT_BASE_CPUS_H_
