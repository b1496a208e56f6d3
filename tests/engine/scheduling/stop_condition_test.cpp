#include "engine/scheduling/stop_condition.h"

#include <thread>

#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(StopCondition, WithoutASignalAndALimitNothingIsAsked) {
    StopCondition condition(nullptr, -1);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(condition.asked(), 0);
}

TEST(StopCondition, ASignalIsAskedForAsLongAsItStands) {
    std::atomic<int> signal = 0;
    StopCondition condition(&signal, 1000);
    EXPECT_EQ(condition.asked(), 0);
    signal = 15;
    EXPECT_EQ(condition.asked(), 15);
    signal = 0;
    EXPECT_EQ(condition.asked(), 0);
}

TEST(StopCondition, WhenTheTimeIsUpTheTrialIsOverForEver) {
    StopCondition condition(nullptr, 1e-3);
    EXPECT_EQ(condition.asked(), 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    int calls = 0;
    while (condition.asked() == 0) ASSERT_LT(++calls, 16);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(condition.asked(), StopCondition::end_of_trial);
    EXPECT_GE(condition.seconds(), 1e-3);
}

}  // namespace
}  // namespace engine
