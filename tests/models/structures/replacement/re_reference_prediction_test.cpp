#include "models/structures/replacement/re_reference_prediction.h"

#include <gtest/gtest.h>

namespace models {
namespace {

// Lines that are accessed again survive a scan of lines that are not; LRU would evict them.
TEST(ReReferencePrediction, AScanDoesNotPushOutWhatIsUsed) {
    ReReferencePrediction policy(1, 4);
    for (const std::uint32_t way : {0U, 1U}) {
        policy.fill(0, way);
        policy.hit(0, way);
    }
    policy.fill(0, 2);
    policy.fill(0, 3);
    for (int i = 0; i < 2; ++i)
        for (const std::uint32_t way : {2U, 3U}) {
            EXPECT_EQ(policy.victim(0), way);
            policy.fill(0, way);
        }
}

TEST(ReReferencePrediction, WhatIsNeverAccessedAgainGoesAtLast) {
    ReReferencePrediction policy(1, 2);
    for (const std::uint32_t way : {0U, 1U}) {
        policy.fill(0, way);
        policy.hit(0, way);
    }
    EXPECT_EQ(policy.victim(0), 0U);  // both have grown to 3
    policy.fill(0, 0);
    EXPECT_EQ(policy.victim(0), 1U);
}

}  // namespace
}  // namespace models
