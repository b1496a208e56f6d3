#include "engine/threads/allowed_cpus.h"

#include <thread>

#include <gtest/gtest.h>
#include <sched.h>

namespace engine {
namespace {

TEST(AllowedCpus, AreThoseOfTheThreadThatAsks) {
    const CpuSet before = allowed_cpus();
    ASSERT_GE(cpu_count(before), 1);
    CpuSet narrowed;
    int here = -1;
    std::thread([&] {
        here = sched_getcpu();
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(here, &one);
        if (sched_setaffinity(0, sizeof one, &one) == 0) narrowed = allowed_cpus();
    }).join();
    ASSERT_EQ(cpu_count(narrowed), 1);
    const auto cpu = static_cast<std::size_t>(here);
    EXPECT_EQ(narrowed[cpu / 64], std::uint64_t{1} << cpu % 64);
    EXPECT_EQ(allowed_cpus(), before);
}

TEST(AllowedCpus, AreCountedInAllWords) {
    EXPECT_EQ(cpu_count({}), 0);
    EXPECT_EQ(cpu_count({0b101, 0, ~std::uint64_t{0}}), 66);
}

}  // namespace
}  // namespace engine
