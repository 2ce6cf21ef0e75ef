#include "base/cpus.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <thread>

namespace overt {
namespace {

namespace fs = std::filesystem;

class CgroupQuota : public testing::Test {
 protected:
  CgroupQuota() : root_(fs::path(testing::TempDir()) / ("cpus_" + std::to_string(getpid()))) {
    fs::remove_all(root_);
  }
  ~CgroupQuota() override { fs::remove_all(root_); }

  void write(const fs::path& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  fs::path root_;
};

TEST_F(CgroupQuota, version_two_reads_quota_over_period) {
  write("proc/self/cgroup", "0::/app\n");
  write("sys/fs/cgroup/app/cpu.max", "250000 100000\n");
  EXPECT_EQ(cgroup_cpu_quota(root_), 2.5);
}

TEST_F(CgroupQuota, version_two_takes_the_least_of_the_parents) {
  write("proc/self/cgroup", "0::/a/b\n");
  write("sys/fs/cgroup/a/cpu.max", "100000 100000\n");
  write("sys/fs/cgroup/a/b/cpu.max", "400000 100000\n");
  EXPECT_EQ(cgroup_cpu_quota(root_), 1.0);
}

TEST_F(CgroupQuota, max_is_no_limit) {
  write("proc/self/cgroup", "0::/a\n");
  write("sys/fs/cgroup/a/cpu.max", "max 100000\n");
  EXPECT_EQ(cgroup_cpu_quota(root_), std::nullopt);
}

TEST_F(CgroupQuota, version_one_finds_the_cpu_controller_among_others) {
  write("proc/self/cgroup", "5:memory:/x\n4:cpu,cpuacct:/docker/1\n");
  write("sys/fs/cgroup/cpu,cpuacct/docker/1/cpu.cfs_quota_us", "150000\n");
  write("sys/fs/cgroup/cpu,cpuacct/docker/1/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cgroup_cpu_quota(root_), 1.5);
}

TEST_F(CgroupQuota, a_container_sees_its_group_as_the_mount) {
  write("proc/self/cgroup", "4:cpu:/docker/1\n");
  write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "300000\n");
  write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cgroup_cpu_quota(root_), 3.0);
}

TEST_F(CgroupQuota, minus_one_and_missing_files_are_no_limit) {
  EXPECT_EQ(cgroup_cpu_quota(root_), std::nullopt);
  write("proc/self/cgroup", "nonsense\n4:cpu:/\n");
  write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cgroup_cpu_quota(root_), std::nullopt);
}

TEST(UsableCpus, lies_between_one_and_the_machines_count) {
  EXPECT_GE(usable_cpus(), 1);
  EXPECT_LE(usable_cpus(), static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace
}  // namespace overt
