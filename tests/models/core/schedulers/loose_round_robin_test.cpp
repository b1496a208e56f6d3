#include "models/core/schedulers/loose_round_robin.h"

#include "tests/models/core/schedulers/scheduler_fixture.h"

namespace models {
namespace {

using testing::ElementsAre;

class LooseRoundRobinTest : public SchedulerFixture<LooseRoundRobin> {};

TEST_F(LooseRoundRobinTest, EveryWarpInTurnAndThoseThatAreNotReadyMissTheirs) {
    make();
    begin(4);
    EXPECT_THAT(issue({0b1111, 0b1111, 0b1111, 0b1111, 0b1111}), ElementsAre(0, 1, 2, 3, 0));
    EXPECT_THAT(issue({0b1001, 0b1001, 0b1001, 0b0010, 0}), ElementsAre(3, 0, 3, 1, -1));
}

TEST_F(LooseRoundRobinTest, NobodyWaitsLongerThanAllOthersTogether) {
    make();
    begin(8);
    std::vector<int> waits(8);
    for (int cycle = 0; cycle < 200; ++cycle) {
        const int slot = issue({0xff})[0];
        for (int& wait : waits) ++wait;
        EXPECT_LE(waits[static_cast<std::size_t>(slot)], 8);
        waits[static_cast<std::size_t>(slot)] = 0;
    }
}

}  // namespace
}  // namespace models
