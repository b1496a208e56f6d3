#include "models/quad_distribution.h"

#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "models/machine_parameters.h"

namespace models {
namespace {

using Policy = QuadDistribution::Policy;

TEST(QuadDistribution, RoundRobinSkipsProcessorsWithoutCredit) {
    QuadDistribution distribution(Policy::round_robin, 3, 3);
    for (int expected = 0; expected < 3; ++expected) {
        ASSERT_EQ(distribution.choose(0, 0), expected);
        distribution.take(expected);
    }
    EXPECT_EQ(distribution.choose(0, 0), -1);
    distribution.give_back(1, 1);
    EXPECT_EQ(distribution.choose(0, 0), 1);
}

TEST(QuadDistribution, ByPositionGivesAPlaceAlwaysToTheSameProcessorAndNeighboursToDifferentOnes) {
    QuadDistribution distribution(Policy::position, 32, 32);
    std::set<int> seen;
    for (std::uint32_t y = 0; y < 8; ++y)
        for (std::uint32_t x = 0; x < 4; ++x) seen.insert(distribution.choose(x, y));
    EXPECT_EQ(seen.size(), 32U);
    EXPECT_EQ(distribution.choose(5, 9), distribution.choose(1, 1));
    const int processor = distribution.choose(1, 1);
    distribution.take(processor);
    EXPECT_EQ(distribution.choose(1, 1), -1);
    EXPECT_NE(distribution.choose(2, 1), -1);
}

TEST(QuadDistribution, LeastLoadedTakesTheProcessorWithMostCredits) {
    QuadDistribution distribution(Policy::least_loaded, 3, 12);
    distribution.take(0);
    distribution.take(0);
    distribution.take(1);
    EXPECT_EQ(distribution.choose(0, 0), 2);
    distribution.take(2);
    distribution.take(2);
    distribution.take(2);
    EXPECT_EQ(distribution.choose(0, 0), 1);
}

TEST(QuadDistribution, IsCompleteOnlyWhenAllCreditsAreBack) {
    QuadDistribution distribution(Policy::round_robin, 2, 4);
    EXPECT_TRUE(distribution.complete());
    distribution.take(1);
    EXPECT_FALSE(distribution.complete());
    distribution.give_back(1, 1);
    EXPECT_TRUE(distribution.complete());
}

TEST(QuadDistribution, SharesOutEveryEntry) {
    for (const Policy policy : {Policy::round_robin, Policy::least_loaded})
        for (const int entries : {33, 64, 65, 66, 95}) {
            QuadDistribution distribution(policy, 33, entries);
            std::vector<int> taken(33);
            for (int processor = 0; (processor = distribution.choose(0, 0)) >= 0; distribution.take(processor))
                ++taken[static_cast<std::size_t>(processor)];
            for (int i = 0; i < 33; ++i)
                EXPECT_EQ(taken[static_cast<std::size_t>(i)], share_of(entries, 33, i)) << entries << " entries, " << i;
            EXPECT_EQ(std::accumulate(taken.begin(), taken.end(), 0), entries);
        }
}

}  // namespace
}  // namespace models
