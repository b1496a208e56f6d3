#include "engine/threads/jitter.h"

#include <gtest/gtest.h>

#include "tests/engine/busy_machine.h"

namespace engine {
namespace {

TEST(Jitter, DoesNothingWithoutASeed) {
    Jitter none(0, 3);
    for (int i = 0; i < 1000; ++i) {
        none.delay();
        ASSERT_FALSE(none.skips_poll());
    }
}

TEST(Jitter, SkipsSomePollsButNotAll) {
    for (std::uint64_t seed = 1; seed < 20; ++seed) {
        Jitter jitter(seed, 0);
        int skipped = 0;
        for (int i = 0; i < 1000; ++i) skipped += jitter.skips_poll() ? 1 : 0;
        EXPECT_GT(skipped, 100) << seed;
        EXPECT_LT(skipped, 500) << seed;
    }
}

TEST(Jitter, WorkersOfOneSeedAreDelayedDifferently) {
    Jitter one(7, 0), other(7, 1);
    int same = 0;
    for (int i = 0; i < 1000; ++i) same += one.skips_poll() == other.skips_poll() ? 1 : 0;
    EXPECT_LT(same, 900);
}

TEST(Jitter, ChangesNoResult) {
    const auto digest = [](int threads, std::uint64_t seed, double trial_seconds) {
        busy::Machine machine({.cores = 6, .memories = 3, .requests = 40});
        Plan plan{1, threads, {}};
        for (int i = 0; i < static_cast<int>(machine.simulation.processes().size()); ++i)
            plan.worker.push_back(i % threads);
        return machine.digest(
            machine.simulation.run(plan, {.progress = {}, .trial_seconds = trial_seconds, .fuzz_seed = seed}));
    };
    const std::uint64_t expected = digest(1, 0, -1);
    EXPECT_EQ(digest(1, 9, -1), expected);
    for (const std::uint64_t seed : {1U, 2U})
        for (const int threads : {2, 4}) EXPECT_EQ(digest(threads, seed, seed == 1 ? -1.0 : 0.0), expected);
}

}  // namespace
}  // namespace engine
