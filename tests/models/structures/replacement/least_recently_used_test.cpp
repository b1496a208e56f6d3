#include "models/structures/replacement/least_recently_used.h"

#include <gtest/gtest.h>

namespace models {
namespace {

TEST(LeastRecentlyUsed, ALoopOfOneLineMoreThanThereAreWaysAlwaysEvictsTheNextOne) {
    LeastRecentlyUsed policy(1, 4);
    for (std::uint32_t way = 0; way < 4; ++way) policy.fill(0, way);
    for (std::uint32_t i = 0; i < 12; ++i) {
        EXPECT_EQ(policy.victim(0), i % 4);
        policy.fill(0, i % 4);
    }
}

TEST(LeastRecentlyUsed, AHitKeepsALineFromGoing) {
    LeastRecentlyUsed policy(1, 2);
    policy.fill(0, 0);
    policy.fill(0, 1);
    policy.hit(0, 0);
    EXPECT_EQ(policy.victim(0), 1U);
}

}  // namespace
}  // namespace models
