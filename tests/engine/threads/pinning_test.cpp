#include "engine/threads/pinning.h"

#include <gtest/gtest.h>
#include <sched.h>

namespace engine {
namespace {

cpu_set_t allowed_here() {
    cpu_set_t set;
    CPU_ZERO(&set);
    EXPECT_EQ(::sched_getaffinity(0, sizeof set, &set), 0);
    return set;
}

TEST(Pinning, KeepsAThreadOnOneCoreForAWhile) {
    const Cores cores;
    ASSERT_GE(cores.count(), 1);
    const cpu_set_t before = allowed_here();
    for (int i = 0; i < cores.count(); ++i) {
        const Cores::Pin pin(cores, i);
        const cpu_set_t now = allowed_here();
        cpu_set_t common;
        CPU_AND(&common, &now, &before);
        EXPECT_TRUE(CPU_EQUAL(&common, &now));
        // A core is one or more logical processors, but not all of them where there are more cores.
        EXPECT_GE(CPU_COUNT(&now), 1);
        if (cores.count() > 1) {
            EXPECT_LT(CPU_COUNT(&now), CPU_COUNT(&before));
        }
    }
    const cpu_set_t after = allowed_here();
    EXPECT_TRUE(CPU_EQUAL(&after, &before));
}

TEST(Pinning, GivesThreadsDifferentCoresAsFarAsThereAreSome) {
    const Cores cores;
    if (cores.count() < 2) GTEST_SKIP() << "one core";
    cpu_set_t first, second, again;
    {
        const Cores::Pin pin(cores, 0);
        first = allowed_here();
    }
    {
        const Cores::Pin pin(cores, 1);
        second = allowed_here();
    }
    {
        const Cores::Pin pin(cores, cores.count());
        again = allowed_here();
    }
    EXPECT_FALSE(CPU_EQUAL(&first, &second));
    EXPECT_TRUE(CPU_EQUAL(&first, &again));
}

}  // namespace
}  // namespace engine
