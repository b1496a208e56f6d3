#include "models/base/time_account.h"

#include <array>
#include <random>

#include <gtest/gtest.h>

namespace models {
namespace {

constexpr std::array<UnitState, 3> names{
    {{"idle", Activity::starved, "source"}, {"busy", Activity::busy}, {"waits", Activity::blocked, "sink"}}};

TEST(TimeAccount, CountsEveryCycleInTheStateThatWasEnteredBefore) {
    engine::CounterList list;
    TimeAccount<3> time(&list, names, 2);
    time.enter(10, 1);  // five cycles idle
    time.enter(12, 1);
    time.enter(14, 2);
    time.settle(34);
    EXPECT_EQ(time.cycles[0].value(), 5U);
    EXPECT_EQ(time.cycles[1].value(), 2U);
    EXPECT_EQ(time.cycles[2].value(), 10U);
    EXPECT_EQ(list.all().at(1).name, "cycles_busy");
}

// Whenever it is settled it has counted what a slow one has that counts at every call.
TEST(TimeAccount, AddsUpToAllCyclesWhereverItIsSettled) {
    std::mt19937 random(1);
    for (const engine::Time period : {1, 2, 3, 7}) {
        engine::CounterList list;
        TimeAccount<3> time(&list, names, period);
        std::array<std::uint64_t, 3> expected = {};
        engine::Time now = 0, since = 0;
        std::size_t state = 0;
        for (int i = 0; i < 1000; ++i) {
            now += static_cast<engine::Time>(random() % 20);  // frames may end between two edges
            const engine::Time cycles = (now - since) / period;
            expected[state] += static_cast<std::uint64_t>(cycles);
            since += cycles * period;
            if (random() % 4 != 0) {
                state = random() % 3;
                time.enter(now, state);
                continue;
            }
            time.settle(now);
            for (std::size_t s = 0; s < expected.size(); ++s) ASSERT_EQ(time.cycles[s].value(), expected[s]);
            ASSERT_EQ(expected[0] + expected[1] + expected[2], static_cast<std::uint64_t>(now / period));
        }
    }
}

TEST(TimeAccount, LeavesAStateAtTheEdgeThatWasSaid) {
    engine::CounterList list;
    TimeAccount<3> time(&list, names, 2);
    time.enter(10, 1, 16, 2);  // three cycles, then the next state
    time.settle(12);
    EXPECT_EQ(time.cycles[1].value(), 1U);
    time.settle(20);
    EXPECT_EQ(time.cycles[1].value(), 3U);
    EXPECT_EQ(time.cycles[2].value(), 2U);
    time.enter(20, 1, 30, 2);
    time.enter(24, 0);         // before
    time.enter(40, 1, 40, 2);  // no time at all
    time.settle(50);
    EXPECT_EQ(time.cycles[0].value(), 5U + 8);
    EXPECT_EQ(time.cycles[1].value(), 3U + 2);
    EXPECT_EQ(time.cycles[2].value(), 2U + 5);
}

TEST(TimeAccount, SaysOfEveryStateWhatTheUnitDoesAndForWhomItWaits) {
    engine::CounterList list;
    const engine::Counter other(&list, "other", "1", "of something else");
    const TimeAccount<3> time(&list, names, 2);
    ASSERT_EQ(list.all().size(), 4U);
    EXPECT_EQ(list.all()[0].time, (engine::CounterTime{}));
    EXPECT_EQ(list.all()[1].time, (engine::CounterTime{"starved", "source"}));
    EXPECT_EQ(list.all()[2].time, (engine::CounterTime{"busy", ""}));
    EXPECT_EQ(list.all()[3].time, (engine::CounterTime{"blocked", "sink"}));
}

TEST(TimeAccount, GoesOnInItsStateAfterItWasSaved) {
    engine::CounterList list, other_list;
    TimeAccount<3> time(&list, names, 2), other(&other_list, names, 2);
    time.enter(10, 2);
    std::vector<std::byte> bytes;
    engine::Archive writer(&bytes);
    writer(time);
    engine::Archive reader{std::span<const std::byte>(bytes)};
    reader(other);
    other.settle(20);
    EXPECT_EQ(other.cycles[2].value(), 5U);
    EXPECT_EQ(other.cycles[0].value(), 0U);
}

TEST(TimeAccount, StaysLongerInAStateThatItEntersAgain) {
    engine::CounterList list;
    TimeAccount<3> time(&list, names, 2);
    time.enter(10, 1, 16, 0);  // five cycles idle before
    time.enter(16, 1, 20, 0);
    time.enter(18, 1, 24, 0);  // busy for seven without a gap
    time.enter(30, 1, 32, 0);  // three idle, one busy
    time.settle(32);           // a frame ends, and the next begins at once
    time.enter(32, 1, 36, 0);
    time.settle(40);
    EXPECT_EQ(time.cycles[0].value(), 5U + 3 + 2);
    EXPECT_EQ(time.cycles[1].value(), 7U + 1 + 2);
}

}  // namespace
}  // namespace models
