#include "engine/threads/thread_placement.h"

#include <functional>
#include <thread>

#include <gtest/gtest.h>
#include <sched.h>

namespace engine {
namespace {

cpu_set_t allowed_here() {
    cpu_set_t set;
    EXPECT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
    return set;
}

void allow(const cpu_set_t& set) {
    EXPECT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
}

cpu_set_t only(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    return set;
}

int first_allowed() {
    const cpu_set_t set = allowed_here();
    int cpu = 0;
    while (!CPU_ISSET(cpu, &set)) ++cpu;
    return cpu;
}

// Calls f on a thread of its own until it says true: on a machine with other work the system, too, moves threads at any
// time, but not every time.
bool on_some_thread(const std::function<bool()>& f) {
    bool result = false;
    for (int i = 0; i < 20 && !result; ++i) std::thread([&] { result = f(); }).join();
    return result;
}

TEST(ThreadPlacement, MovesAThreadOffTheCpuOfAnotherOneAndKeepsItNowhere) {
    const cpu_set_t all = allowed_here();
    if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "one CPU";
    const int cpu = first_allowed();
    ThreadPlacement spread(2);
    EXPECT_TRUE(on_some_thread([&] {
        allow(only(cpu));
        const ThreadPlacement::Member first(spread, 0);
        return on_some_thread([&] {  // starts where the first one is
            allow(all);
            const ThreadPlacement::Member second(spread, 1);
            const int now = sched_getcpu();
            const cpu_set_t after = allowed_here();
            EXPECT_TRUE(CPU_EQUAL(&after, &all));
            return now != cpu;
        });
    }));
}

TEST(ThreadPlacement, ForgetsWhereAThreadWasThatIsNoLongerOneOfThem) {
    const cpu_set_t all = allowed_here();
    const int cpu = first_allowed();
    ThreadPlacement spread(2);
    EXPECT_TRUE(on_some_thread([&] {
        allow(only(cpu));
        {
            const ThreadPlacement::Member first(spread, 0);
        }
        return on_some_thread([&] {
            allow(all);
            const ThreadPlacement::Member second(spread, 1);
            return sched_getcpu() == cpu;
        });
    }));
}

TEST(ThreadPlacement, SettlesForTheInnermostOfSeveralAndForNone) {
    const cpu_set_t all = allowed_here();
    if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "one CPU";
    const int cpu = first_allowed();
    ThreadPlacement outer(2), inner(1);
    EXPECT_TRUE(on_some_thread([&] {
        allow(only(cpu));
        ThreadPlacement::settle();
        const ThreadPlacement::Member first(outer, 0);
        return on_some_thread([&] {
            const ThreadPlacement::Member second(outer, 1);
            bool stayed = false;
            {
                const ThreadPlacement::Member alone(inner, 0);
                allow(all);
                ThreadPlacement::settle();
                stayed = sched_getcpu() == cpu;
            }
            ThreadPlacement::settle();
            return stayed && sched_getcpu() != cpu;
        });
    }));
}

TEST(ThreadPlacement, LeavesAThreadWhereItIsThatMayNotRunElsewhere) {
    const int cpu = first_allowed();
    ThreadPlacement spread(2);
    EXPECT_TRUE(on_some_thread([&] {
        allow(only(cpu));
        const ThreadPlacement::Member first(spread, 0);
        return on_some_thread([&] {
            const ThreadPlacement::Member second(spread, 1);
            const cpu_set_t after = allowed_here();
            return sched_getcpu() == cpu && CPU_COUNT(&after) == 1;
        });
    }));
}

}  // namespace
}  // namespace engine
