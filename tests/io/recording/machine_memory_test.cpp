#include "io/recording/machine_memory.h"

#include <fstream>
#include <limits>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/io/temporary_folder.h"
#include "tests/sanitized.h"

namespace io {
namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

class GroupMemory : public testing::Test {
  protected:
    void write(const std::string& file, const std::string& text) const {
        std::filesystem::create_directories((folder_ / file).parent_path());
        std::ofstream(folder_ / file) << text;
    }
    std::uint64_t of(const std::string& membership) const { return group_memory(membership, folder_.path()); }

    const tests::TemporaryFolder folder_;
};

TEST_F(GroupMemory, IsTheLeastOfTheGroupAndThoseAbove) {
    write("memory.max", "max\n");
    write("jobs/memory.max", "4000000\n");
    write("jobs/mine/memory.max", "8000000\n");
    EXPECT_EQ(of("0::/jobs/mine\n"), 4000000U);
    EXPECT_EQ(of("0::/jobs/other\n"), 4000000U);
    EXPECT_EQ(of("0::/\n"), no_limit);
}

TEST_F(GroupMemory, IsReadFromTheControllersOfTheFirstVersion) {
    write("memory/memory.limit_in_bytes", "9223372036854771712\n");
    write("memory/batch/memory.limit_in_bytes", "5000000\n");
    EXPECT_EQ(of("3:cpuset:/batch\n2:memory:/batch\n0::/\n"), 5000000U);
    EXPECT_EQ(of("2:cpu,memory:/batch\n"), 5000000U);
    EXPECT_EQ(of("2:cpuset:/batch\n"), no_limit);
}

TEST_F(GroupMemory, IsUnlimitedWhereNothingIsSaid) {
    EXPECT_EQ(of(""), no_limit);
    EXPECT_EQ(of("no group\n"), no_limit);
    EXPECT_EQ(of("0::/gone\n"), no_limit);
}

TEST(MachineMemory, IsNoMoreThanTheLimitOfAddressSpace) {
    if (tests::is_sanitized) GTEST_SKIP() << "sanitizers need all address space";
    const std::uint64_t whole = machine_memory();
    EXPECT_GT(whole, 64U << 20);
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
    rlimit less = before;
    less.rlim_cur = whole / 2;
    ASSERT_EQ(::setrlimit(RLIMIT_AS, &less), 0);
    EXPECT_EQ(machine_memory(), whole / 2);
    EXPECT_EQ(default_memory_limit(), whole / 4);
    ::setrlimit(RLIMIT_AS, &before);
}

}  // namespace
}  // namespace io
