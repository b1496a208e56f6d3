#include "engine/transport/shared_block.h"

#include <thread>

#include <gtest/gtest.h>
#include <sched.h>

#include "engine/threads/allowed_cpus.h"

namespace engine::transport {
namespace {

TEST(Nodes, HaveCpusForAsManyThreadsAsMayRun) {
    const Nodes nodes(true);
    const int cpus = cpu_count(allowed_cpus());
    EXPECT_TRUE(nodes.have_cpus(1));
    EXPECT_TRUE(nodes.have_cpus(cpus));
    EXPECT_FALSE(nodes.have_cpus(cpus + 1));
}

TEST(Nodes, CountNoCpusThatALauncherKeepsFromThem) {
    std::thread([] {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(sched_getcpu(), &one);
        ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
        const Nodes nodes(true);
        EXPECT_TRUE(nodes.have_cpus(1));
        EXPECT_FALSE(nodes.have_cpus(2));
    }).join();
}

}  // namespace
}  // namespace engine::transport
