#include "models/structures/pass_tracker.h"

#include <gtest/gtest.h>

namespace models {
namespace {

TEST(PassTracker, TellsOfAPassOnceItHasEndedAndAllItsTilesAreStored) {
    PassTracker passes;
    std::uint32_t pass = 99;
    passes.begin_pass(4);
    EXPECT_FALSE(passes.take_stored(pass));  // there may be tiles to come
    passes.begin_tile(4);
    passes.begin_tile(4);
    passes.store_tile(4);
    passes.end_pass(4);
    EXPECT_FALSE(passes.take_stored(pass));
    passes.store_tile(4);
    EXPECT_TRUE(passes.take_stored(pass));
    EXPECT_EQ(pass, 4U);
    EXPECT_FALSE(passes.take_stored(pass));
    EXPECT_TRUE(passes.is_empty());
}

TEST(PassTracker, TellsOfPassesInTheOrderInWhichTheyBegan) {
    PassTracker passes;
    std::uint32_t pass = 99;
    for (std::uint32_t p = 0; p < 3; ++p) {
        passes.begin_pass(p);
        if (p != 1) passes.begin_tile(p);  // the second renders nothing
        passes.end_pass(p);
    }
    passes.store_tile(2);
    EXPECT_FALSE(passes.take_stored(pass));
    passes.store_tile(0);
    for (std::uint32_t p = 0; p < 3; ++p) {
        EXPECT_TRUE(passes.take_stored(pass));
        EXPECT_EQ(pass, p);
    }
    EXPECT_FALSE(passes.take_stored(pass));
}

TEST(PassTracker, HasRoomForSoManyPassesUnderWay) {
    PassTracker passes;
    std::uint32_t pass = 0;
    for (std::uint32_t p = 0; p < PassTracker::most; ++p) {
        EXPECT_FALSE(passes.is_full());
        passes.begin_pass(p);
        passes.end_pass(p);
    }
    EXPECT_TRUE(passes.is_full());
    EXPECT_TRUE(passes.take_stored(pass));
    EXPECT_FALSE(passes.is_full());
}

}  // namespace
}  // namespace models
