#include "engine/interleaving.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

// Seconds that a window takes either way.
struct Costs {
    double in_turn, side_by_side;
};

// How many of the next windows are run side by side.
int count_side_by_side(Interleaving& interleaving, int windows, Costs costs) {
    int count = 0;
    for (int i = 0; i < windows; ++i) {
        const bool side_by_side = interleaving.side_by_side();
        count += side_by_side ? 1 : 0;
        interleaving.done(side_by_side ? costs.side_by_side : costs.in_turn);
    }
    return count;
}

constexpr int beginning = 400, most = 999;  // windows: with the first trial; of a thousand, all but a trial

TEST(Interleaving, BeginsInTurnAndTriesBothWays) {
    Interleaving interleaving;
    EXPECT_FALSE(interleaving.side_by_side());
    const int tried = count_side_by_side(interleaving, beginning, {1, 2});
    EXPECT_GT(tried, 30);
    EXPECT_LT(tried, 50);
}

TEST(Interleaving, KeepsTheFasterWay) {
    Interleaving in_turn, side_by_side;
    count_side_by_side(in_turn, beginning, {1, 2});
    count_side_by_side(side_by_side, beginning, {2, 1});
    EXPECT_EQ(count_side_by_side(in_turn, most, {1, 2}), 0);
    EXPECT_EQ(count_side_by_side(side_by_side, most, {2, 1}), most);
}

TEST(Interleaving, ChangesWhenTheOtherWayBecomesFaster) {
    Interleaving interleaving;
    count_side_by_side(interleaving, beginning, {1, 2});
    count_side_by_side(interleaving, 10'000, {2, 1});
    EXPECT_TRUE(interleaving.side_by_side());
}

TEST(Interleaving, IsNotMisledByOneWindowThatWasInterrupted) {
    Interleaving interleaving;
    for (int i = 0; i < beginning; ++i) {
        const bool trial = interleaving.is_trial();
        const double interruption = trial && i == 300 ? 1000 : 0;
        interleaving.done((interleaving.side_by_side() ? 2 : 1) + interruption);
    }
    EXPECT_EQ(count_side_by_side(interleaving, most, {1, 2}), 0);
}

TEST(Interleaving, TriesEverMoreRarelyWhileNothingChanges) {
    Interleaving interleaving;
    const auto trials = [&](int windows) {
        int count = 0;
        for (int i = 0; i < windows; ++i) {
            count += interleaving.is_trial() ? 1 : 0;
            interleaving.done(interleaving.side_by_side() ? 2 : 1);
        }
        return count;
    };
    const int early = trials(100'000);
    EXPECT_LT(trials(100'000), early);
}

}  // namespace
}  // namespace engine
