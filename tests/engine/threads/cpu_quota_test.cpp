#include "engine/threads/cpu_quota.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "engine/threads/allowed_cpus.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

class CpuQuota : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "cpu_quota_XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        root_ = name;
    }
    void TearDown() override { fs::remove_all(root_); }
    void write(const fs::path& file, const std::string& text) const {
        fs::create_directories((root_ / file).parent_path());
        std::ofstream(root_ / file) << text;
    }
    fs::path root_;
};

TEST_F(CpuQuota, IsNoneWhereThereAreNoControlGroups) {
    EXPECT_EQ(cpu_quota(root_.string()), std::nullopt);
}

TEST_F(CpuQuota, IsThatOfTheGroupInWholeCpus) {
    write("proc/self/cgroup", "0::/box\n");
    write("sys/fs/cgroup/box/cpu.max", "max 100000\n");
    EXPECT_EQ(cpu_quota(root_.string()), std::nullopt);
    write("sys/fs/cgroup/box/cpu.max", "350000 100000\n");
    EXPECT_EQ(cpu_quota(root_.string()), 3);
    write("sys/fs/cgroup/box/cpu.max", "50000 100000\n");
    EXPECT_EQ(cpu_quota(root_.string()), 1);
}

TEST_F(CpuQuota, IsTheLeastOfAllGroupsAround) {
    write("proc/self/cgroup", "0::/pods/pod/box\n");
    write("sys/fs/cgroup/pods/cpu.max", "800000 100000\n");
    write("sys/fs/cgroup/pods/pod/cpu.max", "200000 100000\n");
    write("sys/fs/cgroup/pods/pod/box/cpu.max", "max 100000\n");
    EXPECT_EQ(cpu_quota(root_.string()), 2);
}

TEST_F(CpuQuota, OfVersionOneIsThatOfTheCpuController) {
    write("proc/self/cgroup", "9:name=systemd:/\n4:memory:/m\n2:cpu,cpuacct:/docker/box\n1:cpuset:/\n");
    write("sys/fs/cgroup/cpu/docker/box/cpu.cfs_quota_us", "-1\n");
    write("sys/fs/cgroup/cpu/docker/box/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(cpu_quota(root_.string()), std::nullopt);
    write("sys/fs/cgroup/cpu/docker/box/cpu.cfs_quota_us", "400000\n");
    EXPECT_EQ(cpu_quota(root_.string()), 4);
}

// A container sees its own group as the top one, under the name that it has outside.
TEST_F(CpuQuota, OfAContainerThatDoesNotSeeItsNameIsAtTheTop) {
    write("proc/self/cgroup", "2:cpu:/docker/0123\n");
    write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "600000\n");
    write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "200000\n");
    EXPECT_EQ(cpu_quota(root_.string()), 3);
}

TEST_F(CpuQuota, IsNoneWhereItCannotBeRead) {
    write("proc/self/cgroup", "nonsense\n0::/../outside\n0::/box\n");
    write("sys/fs/cgroup/box/cpu.max", "much\n");
    EXPECT_EQ(cpu_quota(root_.string()), std::nullopt);
}

TEST(UsableCpus, AreAtMostThoseAllowed) {
    EXPECT_GE(usable_cpus(allowed_cpus()), 1);
    EXPECT_LE(usable_cpus(allowed_cpus()), cpu_count(allowed_cpus()));
}

}  // namespace
}  // namespace engine
