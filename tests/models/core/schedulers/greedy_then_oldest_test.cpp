#include "models/core/schedulers/greedy_then_oldest.h"

#include "tests/models/core/schedulers/scheduler_fixture.h"

namespace models {
namespace {

using testing::ElementsAre;

class GreedyThenOldestTest : public SchedulerFixture<GreedyThenOldest> {};

TEST_F(GreedyThenOldestTest, TheLastOneGoesOnForAsLongAsItCan) {
    make();
    begin(4);
    EXPECT_THAT(issue({0b1100, 0b1111, 0b1111, 0b1011, 0b1111, 0b1111}), ElementsAre(2, 2, 2, 0, 0, 0));
}

TEST_F(GreedyThenOldestTest, AnotherWarpInItsSlotIsNotTheLastOne) {
    make();
    begin(8);
    EXPECT_THAT(issue({0b1}), ElementsAre(0));
    leave(0);
    begin(1);  // in slot 0 again, now the youngest
    EXPECT_THAT(issue({0xff}), ElementsAre(1));
}

}  // namespace
}  // namespace models
