#include "engine/transport/reduction.h"

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace engine {
namespace {

struct Table {
    explicit Table(int participants) : slots(static_cast<std::size_t>(participants)) {
        for (int slot = 0; slot < participants; ++slot)
            reductions.emplace_back(*memory, slots.data(), slot, participants, false);
    }
    // Calls f(reduction, slot) on a thread for each participant.
    void all(const std::function<void(Reduction&, int)>& f) {
        std::vector<std::thread> threads;
        for (std::size_t slot = 0; slot < reductions.size(); ++slot)
            threads.emplace_back([&, slot] { f(reductions[slot], static_cast<int>(slot)); });
        for (std::thread& thread : threads) thread.join();
    }
    std::unique_ptr<ReductionMemory> memory = std::make_unique<ReductionMemory>();
    std::vector<ReductionSlot> slots;
    std::vector<Reduction> reductions;
};

Reduction::Result hold(Reduction& reduction, Time next) {
    double waited = 0;
    reduction.arrive([] {}, waited);
    return reduction.reduce({.next = next, .last_run = 0}, [] {}, waited);
}

TEST(Reduction, AllLearnTheLeastOfWhatAllBringEveryTime) {
    for (const int participants : {1, 2, 5}) {
        Table table(participants);
        std::vector<int> wrong(static_cast<std::size_t>(participants));
        table.all([&](Reduction& reduction, int slot) {
            for (Time round = 0; round < 200; ++round) {
                const Time offset = (slot + round) % participants;  // 0 for one of them
                if (hold(reduction, 1000 * round + offset).next != 1000 * round)
                    ++wrong[static_cast<std::size_t>(slot)];
            }
        });
        EXPECT_EQ(wrong, std::vector<int>(static_cast<std::size_t>(participants)));
        for (const Reduction& reduction : table.reductions) EXPECT_EQ(reduction.held(), 200U);
    }
}

TEST(Reduction, TheEarliestWindowThatOneStopsAfterCountsForAll) {
    Table table(3);
    EXPECT_EQ(table.reductions[0].last_window(), never);
    table.all([](Reduction& reduction, int slot) {
        if (slot > 0) reduction.stop_after(10 - slot);
        EXPECT_EQ(hold(reduction, never).last_window, 8);
    });
}

TEST(Reduction, IsRequestedForAllUntilItIsHeld) {
    Table table(2);
    EXPECT_FALSE(table.reductions[1].requested());
    table.reductions[0].request();
    table.reductions[0].request();
    EXPECT_TRUE(table.reductions[1].requested());
    table.all([](Reduction& reduction, int) { hold(reduction, 1); });
    for (const Reduction& reduction : table.reductions) EXPECT_FALSE(reduction.requested());
}

TEST(Reduction, AParticipantThatArrivesEarlyCanDoSomethingMeanwhile) {
    Table table(2);
    std::atomic<int> done = 0;
    table.all([&](Reduction& reduction, int slot) {
        while (slot == 1 && done == 0) std::this_thread::yield();  // comes only when the other one has done something
        double waited = 0;
        reduction.arrive([&] { ++done; }, waited);
    });
    EXPECT_GT(done, 0);
}

}  // namespace
}  // namespace engine
