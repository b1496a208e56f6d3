#include "engine/chaos.h"

#include <gtest/gtest.h>

#include "tests/engine/busy_machine.h"

namespace engine {
namespace {

TEST(Chaos, DoesNothingWithoutASeed) {
    Chaos none(0, 3);
    for (int i = 0; i < 1000; ++i) {
        none.strike();
        ASSERT_FALSE(none.is_blind());
    }
}

TEST(Chaos, OverlooksSomeOfWhatOthersSentButNotAll) {
    for (std::uint64_t seed = 1; seed < 20; ++seed) {
        Chaos chaos(seed, 0);
        int blind = 0;
        for (int i = 0; i < 1000; ++i) blind += chaos.is_blind() ? 1 : 0;
        EXPECT_GT(blind, 100) << seed;
        EXPECT_LT(blind, 500) << seed;
    }
}

TEST(Chaos, WorkersOfOneSeedAreDelayedDifferently) {
    Chaos one(7, 0), other(7, 1);
    int same = 0;
    for (int i = 0; i < 1000; ++i) same += one.is_blind() == other.is_blind() ? 1 : 0;
    EXPECT_LT(same, 900);
}

TEST(Chaos, ChangesNoResult) {
    const auto digest = [](int threads, std::uint64_t chaos, double trial_seconds) {
        busy::Machine machine({.cores = 6, .memories = 3, .requests = 40});
        Plan plan{1, threads, {}};
        for (int i = 0; i < static_cast<int>(machine.simulation.processes().size()); ++i)
            plan.worker.push_back(i % threads);
        return machine.digest(
            machine.simulation.run(plan, {.progress = {}, .trial_seconds = trial_seconds, .chaos = chaos}));
    };
    const std::uint64_t expected = digest(1, 0, -1);
    EXPECT_EQ(digest(1, 9, -1), expected);
    for (const std::uint64_t seed : {1U, 2U})
        for (const int threads : {2, 4}) EXPECT_EQ(digest(threads, seed, seed == 1 ? -1.0 : 0.0), expected);
}

}  // namespace
}  // namespace engine
