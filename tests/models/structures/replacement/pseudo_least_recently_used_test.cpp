#include "models/structures/replacement/pseudo_least_recently_used.h"

#include <gtest/gtest.h>

namespace models {
namespace {

// After accesses of 0, 1, 2, 3 in turn the pointers lead to 0; after one more of 0 the root points to the right half,
// to 2; LRU would choose 1.
TEST(PseudoLeastRecentlyUsed, FollowsThePointersWhereLruWouldKnowBetter) {
    PseudoLeastRecentlyUsed policy(1, 4);
    for (std::uint32_t way = 0; way < 4; ++way) policy.fill(0, way);
    EXPECT_EQ(policy.victim(0), 0U);
    policy.hit(0, 0);
    EXPECT_EQ(policy.victim(0), 2U);
}

TEST(PseudoLeastRecentlyUsed, WithTwoWaysIsLru) {
    PseudoLeastRecentlyUsed policy(1, 2);
    policy.hit(0, 0);
    EXPECT_EQ(policy.victim(0), 1U);
    policy.hit(0, 1);
    EXPECT_EQ(policy.victim(0), 0U);
}

TEST(PseudoLeastRecentlyUsed, NeverChoosesAWayThatThereIsNot) {
    PseudoLeastRecentlyUsed policy(1, 5);
    for (std::uint32_t i = 0; i < 100; ++i) {
        const std::uint32_t victim = policy.victim(0);
        ASSERT_LT(victim, 5U);
        policy.fill(0, victim);
        policy.hit(0, i * 3 % 5);
    }
}

}  // namespace
}  // namespace models
