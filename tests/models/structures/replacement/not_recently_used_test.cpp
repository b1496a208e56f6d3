#include "models/structures/replacement/not_recently_used.h"

#include <gtest/gtest.h>

namespace models {
namespace {

TEST(NotRecentlyUsed, ChoosesTheFirstWayThatHasNotBeenAccessed) {
    NotRecentlyUsed policy(1, 4);
    policy.hit(0, 0);
    policy.hit(0, 2);
    EXPECT_EQ(policy.victim(0), 1U);
}

TEST(NotRecentlyUsed, ForgetsTheOthersWhenAllWouldBeRecent) {
    NotRecentlyUsed policy(1, 4);
    for (const std::uint32_t way : {0U, 1U, 2U, 3U}) policy.hit(0, way);
    EXPECT_EQ(policy.victim(0), 0U);  // only 3 counts
    policy.hit(0, 0);
    EXPECT_EQ(policy.victim(0), 1U);
}

TEST(NotRecentlyUsed, OfSixtyFourWaysAndOfOne) {
    NotRecentlyUsed many(1, 64), one(1, 1);
    for (std::uint32_t way = 0; way < 63; ++way) many.hit(0, way);
    EXPECT_EQ(many.victim(0), 63U);
    one.hit(0, 0);
    EXPECT_EQ(one.victim(0), 0U);
}

}  // namespace
}  // namespace models
