#include "models/core/schedulers/two_level.h"

#include "tests/models/core/schedulers/scheduler_fixture.h"

namespace models {
namespace {

using testing::ElementsAre;

class TwoLevelTest : public SchedulerFixture<TwoLevel> {};

TEST_F(TwoLevelTest, AFewTakeTurnsAndTheOthersWait) {
    make(2);
    begin(4);
    EXPECT_THAT(issue({0b1111, 0b1111, 0b1111, 0b1100}), ElementsAre(0, 1, 0, -1));
}

TEST_F(TwoLevelTest, OneThatWaitsForATextureMakesRoomForTheOldestThatDoesNot) {
    make(2);
    begin(5);
    scheduler->parked(2, warps);  // not active: no room is made
    EXPECT_THAT(issue({0b11111, 0b11111}), ElementsAre(0, 1));
    scheduler->parked(0, warps);
    EXPECT_THAT(issue({0b11111, 0b11111, 0b11111}), ElementsAre(3, 1, 3));
    scheduler->unparked(0, warps);  // there is no room for it
    EXPECT_THAT(issue({0b11111, 0b11111}), ElementsAre(1, 3));
    scheduler->parked(1, warps);
    EXPECT_THAT(issue({0b11111, 0b11111}), ElementsAre(0, 3));
}

TEST_F(TwoLevelTest, OneThatHasLeftMakesRoom) {
    make(2);
    begin(4);
    leave(0);
    EXPECT_THAT(issue({0b1110, 0b1110, 0b1110}), ElementsAre(1, 2, 1));
}

TEST_F(TwoLevelTest, WhereAllWaitThereIsRoomForWhoComesBackFirst) {
    make(1);
    begin(3);
    for (std::uint32_t slot = 0; slot < 3; ++slot) scheduler->parked(slot, warps);
    EXPECT_THAT(issue({0b111}), ElementsAre(-1));
    scheduler->unparked(2, warps);
    scheduler->unparked(0, warps);
    EXPECT_THAT(issue({0b111, 0b111}), ElementsAre(2, 2));
}

}  // namespace
}  // namespace models
