#include "engine/instruments/sync_cost.h"

#include <cmath>

#include <gtest/gtest.h>

namespace engine {
namespace {

constexpr double ns = 1e-9;

TEST(SyncCost, IsWhatTwoWorkersNeedBeyondOne) {
    // A window 200 ns, a batch 50, a message 10, a link 5; what one worker needs for itself is not part of it.
    const SyncCost cost = sync_cost({.empty = {230 * ns, 30 * ns},
                                     .few = {(350 + 70) * ns, (80 + 70) * ns},
                                     .many = {(490 + 900) * ns, (80 + 900) * ns},
                                     .hop = 100 * ns,
                                     .hop_of_many = 140 * ns});
    EXPECT_NEAR(cost.window, 200 * ns, 1e-15);
    EXPECT_NEAR(cost.batch, 50 * ns, 1e-15);
    EXPECT_NEAR(cost.message, 10 * ns, 1e-15);
    EXPECT_NEAR(cost.link, 5 * ns, 1e-15);
}

TEST(SyncCost, OfTimingsThatNoiseHasTurnedRoundIsNothingButTheLeastWindow) {
    const SyncCost cost =
        sync_cost({.empty = {20 * ns, 30 * ns}, .few = {10 * ns, 30 * ns}, .many = {5 * ns, 30 * ns}, .hop = 8 * ns});
    EXPECT_EQ(cost.window, ns);
    EXPECT_EQ(cost.batch, 0);
    EXPECT_EQ(cost.message, 0);
    EXPECT_EQ(cost.link, 0);
}

TEST(SyncCost, IsMeasuredInSeconds) {
    const SyncCost cost = measure_sync_cost();
    for (const double seconds : {cost.window, cost.link, cost.batch, cost.message}) {
        EXPECT_TRUE(std::isfinite(seconds));
        EXPECT_LT(seconds, 1);
    }
}

}  // namespace
}  // namespace engine
