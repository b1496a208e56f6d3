#include "engine/meeting.h"

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace engine {
namespace {

struct Table {
    explicit Table(int participants) : seats(static_cast<std::size_t>(participants)) {
        for (int seat = 0; seat < participants; ++seat)
            meetings.emplace_back(*memory, seats.data(), seat, participants, false);
    }
    // Calls f(meeting, seat) on a thread for each participant.
    void all(const std::function<void(Meeting&, int)>& f) {
        std::vector<std::thread> threads;
        for (std::size_t seat = 0; seat < meetings.size(); ++seat)
            threads.emplace_back([&, seat] { f(meetings[seat], static_cast<int>(seat)); });
        for (std::thread& thread : threads) thread.join();
    }
    std::unique_ptr<MeetingMemory> memory = std::make_unique<MeetingMemory>();
    std::vector<MeetingSeat> seats;
    std::vector<Meeting> meetings;
};

Meeting::Outcome hold(Meeting& meeting, Time next, Change change = Change::none) {
    double waited = 0;
    meeting.arrive([] {}, waited);
    return meeting.agree(
        {.next = next, .reached = 0, .change = change}, [] {}, waited);
}

TEST(Meeting, AllLearnTheLeastOfWhatAllBringEveryTime) {
    for (const int participants : {1, 2, 5}) {
        Table table(participants);
        std::vector<int> wrong(static_cast<std::size_t>(participants));
        table.all([&](Meeting& meeting, int seat) {
            for (Time round = 0; round < 200; ++round) {
                const Time offset = (seat + round) % participants;  // 0 for one of them
                if (hold(meeting, 1000 * round + offset).next != 1000 * round) ++wrong[static_cast<std::size_t>(seat)];
            }
        });
        EXPECT_EQ(wrong, std::vector<int>(static_cast<std::size_t>(participants)));
        for (const Meeting& meeting : table.meetings) EXPECT_EQ(meeting.held(), 200U);
    }
}

TEST(Meeting, TheEarliestWindowThatAnybodyStopsAfterCountsForAll) {
    Table table(3);
    EXPECT_EQ(table.meetings[0].last_window(), never);
    table.all([](Meeting& meeting, int seat) {
        if (seat > 0) meeting.stop_after(10 - seat);
        EXPECT_EQ(hold(meeting, never).last_window, 8);
    });
}

TEST(Meeting, OneWhoWantsAChangeIsHeardByAll) {
    Table table(3);
    table.all([](Meeting& meeting, int seat) {
        for (const Change change : {Change::one_alone, Change::none, Change::deal_anew})
            EXPECT_EQ(hold(meeting, 1, seat == 1 ? change : Change::none).change, change);
    });
}

TEST(Meeting, IsWantedByAllUntilItIsHeld) {
    Table table(2);
    EXPECT_FALSE(table.meetings[1].wanted());
    table.meetings[0].want();
    table.meetings[0].want();
    EXPECT_TRUE(table.meetings[1].wanted());
    table.all([](Meeting& meeting, int) { hold(meeting, 1); });
    for (const Meeting& meeting : table.meetings) EXPECT_FALSE(meeting.wanted());
}

TEST(Meeting, WhoArrivesEarlyCanDoSomethingMeanwhile) {
    Table table(2);
    std::atomic<int> done = 0;
    table.all([&](Meeting& meeting, int seat) {
        while (seat == 1 && done == 0) std::this_thread::yield();  // comes only when the other one has done something
        double waited = 0;
        meeting.arrive([&] { ++done; }, waited);
    });
    EXPECT_GT(done, 0);
}

}  // namespace
}  // namespace engine
