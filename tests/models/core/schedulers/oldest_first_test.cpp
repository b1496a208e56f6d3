#include "models/core/schedulers/oldest_first.h"

#include "tests/models/core/schedulers/scheduler_fixture.h"

namespace models {
namespace {

using testing::ElementsAre;

class OldestFirstTest : public SchedulerFixture<OldestFirst> {};

TEST_F(OldestFirstTest, TheOldestThatIsReadyIssues) {
    make();
    begin(4);
    EXPECT_THAT(issue({0b1111, 0b1111, 0b1110, 0b1000, 0b1111, 0}), ElementsAre(0, 0, 1, 3, 0, -1));
}

TEST_F(OldestFirstTest, AgeIsWhenAWarpBeganNotItsSlot) {
    make();
    begin(8);
    leave(0);
    begin(1);  // in slot 0 again
    EXPECT_THAT(issue({0b11111111, 0b10000001}), ElementsAre(1, 7));
}

TEST_F(OldestFirstTest, OneThatCannotIssueLetsTheNextOldestTry) {
    make();
    begin(3);
    std::vector<std::uint32_t> asked;
    const int slot = scheduler->pick(0b111, warps, [&](std::uint32_t candidate) {
        asked.push_back(candidate);
        return candidate == 2;
    });
    EXPECT_EQ(slot, 2);
    EXPECT_THAT(asked, ElementsAre(0U, 1U, 2U));
}

}  // namespace
}  // namespace models
