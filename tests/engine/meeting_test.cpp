#include "engine/meeting.h"

#include <vector>

#include <gtest/gtest.h>

#include "engine/together.h"
#include "tests/engine/busy_machine.h"

namespace engine {
namespace {

// What worker `thread` brings to its round-th meeting.
Time brought(int thread, int round) {
    return static_cast<Time>(
        busy::mix(static_cast<std::uint64_t>(thread) * 100000 + static_cast<std::uint64_t>(round)) % 1000000);
}

TEST(Meeting, EveryWorkerLearnsTheLeastOfAllOfTheSameRound) {
    for (const int threads : {1, 2, 5}) {
        for (const bool spin : {false, true}) {
            Meeting meeting(threads, nullptr, spin);
            std::vector<int> wrong(static_cast<std::size_t>(threads));
            constexpr int rounds = 400;
            run_together(threads, [&](int thread) {
                for (int round = 0; round < rounds; ++round) {
                    Time least = never;
                    for (int other = 0; other < threads; ++other) least = std::min(least, brought(other, round));
                    wrong[static_cast<std::size_t>(thread)] += meeting.agree(thread, brought(thread, round)) != least;
                }
            });
            EXPECT_EQ(wrong, std::vector<int>(static_cast<std::size_t>(threads), 0));
            EXPECT_EQ(meeting.held(), static_cast<std::uint64_t>(rounds));
        }
    }
}

TEST(Meeting, WhatAWorkerDidBeforeIsVisibleToAllAfter) {
    constexpr int threads = 3;
    Meeting meeting(threads, nullptr, true);
    std::vector<int> written(threads), seen(threads);
    run_together(threads, [&](int thread) {
        const auto me = static_cast<std::size_t>(thread);
        for (int round = 1; round <= 200; ++round) {
            written[me] = round;
            meeting.agree(thread, 0);
            for (const int value : written) seen[me] += value == round;
            meeting.agree(thread, 0);
        }
    });
    for (const int count : seen) EXPECT_EQ(count, 200 * threads);
}

TEST(Meeting, OneThatCannotGoOnIsHeardByAll) {
    Meeting meeting(2, nullptr, false);
    std::vector<Time> outcomes(2);
    run_together(2, [&](int thread) {
        outcomes[static_cast<std::size_t>(thread)] = meeting.agree(thread, thread == 1 ? failure : Time{0});
    });
    EXPECT_EQ(outcomes, std::vector<Time>(2, failure));
    EXPECT_TRUE(meeting.failed());
}

}  // namespace
}  // namespace engine
