#include "models/quad_distribution.h"

#include <set>

#include <gtest/gtest.h>

namespace models {
namespace {

using Policy = QuadDistribution::Policy;

TEST(QuadDistribution, RoundRobinSkipsProcessorsWithoutCredit) {
    QuadDistribution distribution(Policy::round_robin, 3, 1);
    for (int expected = 0; expected < 3; ++expected) {
        ASSERT_EQ(distribution.choose(0, 0), expected);
        distribution.take(expected);
    }
    EXPECT_EQ(distribution.choose(0, 0), -1);
    distribution.give_back(1, 1);
    EXPECT_EQ(distribution.choose(0, 0), 1);
}

TEST(QuadDistribution, ByPositionGivesAPlaceAlwaysToTheSameProcessorAndNeighboursToDifferentOnes) {
    QuadDistribution distribution(Policy::position, 32, 1);
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
    QuadDistribution distribution(Policy::least_loaded, 3, 4);
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
    QuadDistribution distribution(Policy::round_robin, 2, 2);
    EXPECT_TRUE(distribution.complete());
    distribution.take(1);
    EXPECT_FALSE(distribution.complete());
    distribution.give_back(1, 1);
    EXPECT_TRUE(distribution.complete());
}

}  // namespace
}  // namespace models
