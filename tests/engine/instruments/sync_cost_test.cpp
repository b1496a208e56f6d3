#include "engine/instruments/sync_cost.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(SyncCost, IsMeasuredInSeconds) {
    const SyncCost cost = measure_sync_cost();
    EXPECT_GT(cost.window, 1e-9);  // light comes 30 cm far
    EXPECT_LT(cost.window, 1);
    EXPECT_GE(cost.link, 0);
    EXPECT_LT(cost.link, 1);
    EXPECT_GE(cost.message, 0);
    EXPECT_LT(cost.message, 1);
}

}  // namespace
}  // namespace engine
