#include "engine/instruments/meter.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace engine {
namespace {

using testing::ElementsAre;

// Which of so many windows are measured, with two processes each; so many are run together.
std::vector<Time> measured(Meter& meter, Time windows, unsigned together = 1) {
    std::vector<Time> list;
    for (Time window = 0; window < windows; window += together) {
        if (meter.begin(window, 0)) {
            list.push_back(window);
            meter.collected();
            for (const int process : {0, 1}) meter.advanced(process, 3);
        }
        meter.end(0, together);
    }
    return list;
}

TEST(Meter, MeasuresEveryNthWindowAfterTheFirstOnes) {
    Meter meter(2);
    meter.set_up(10, nullptr, nullptr, 0);
    EXPECT_THAT(measured(meter, 50), ElementsAre(16, 26, 36, 46));
    EXPECT_GT(meter.work(), 0U);
    EXPECT_EQ(meter.work(), meter.work_of()[0] + meter.work_of()[1]);
}

TEST(Meter, CountsEachOfTheWindowsThatAreRunTogether) {
    Meter meter(2);
    meter.set_up(10, nullptr, nullptr, 0);
    EXPECT_THAT(measured(meter, 50, 2), ElementsAre(16, 28, 40));
}

TEST(Meter, MeasuresEveryWindowFromTheFirstOnIfToldSo) {
    Meter meter(2);
    WorkLog log;
    meter.set_up(1, &log, nullptr, 0);
    EXPECT_THAT(measured(meter, 3), ElementsAre(0, 1, 2));
    ASSERT_EQ(log.windows.size(), 3U);
    EXPECT_EQ(log.windows[2].number, 2);
    EXPECT_EQ(log.windows[2].first, 4U);
    EXPECT_EQ(log.entries[5].process, 1U);
    EXPECT_EQ(log.entries[5].messages, 3U);
}

TEST(Meter, CountsNoStretchInWhichTheWorkerWaited) {
    Meter meter(1);
    meter.set_up(1, nullptr, nullptr, 0);
    meter.begin(0, 2.5);
    meter.end(4.5, 1);
    EXPECT_EQ(meter.idle(), 0U);
    EXPECT_EQ(meter.messages(), 0U);
    meter.begin(1, 4.5);
    meter.end(4.5, 1);
    EXPECT_GT(meter.messages(), 0U);
}

TEST(CycleCount, ScalesToSecondsOfTheSteadyClock) {
    CycleScale scale;
    const auto begin = Clock::now();
    const CycleCount first = read_cycle_counter();
    while (seconds_since(begin) < 2e-3) {
    }
    const CycleCount last = read_cycle_counter();
    const double seconds = seconds_since(begin);
    scale.end();
    EXPECT_GT(scale.seconds(last - first), 1e-3);
    EXPECT_LT(scale.seconds(last - first), 2 * seconds);
    EXPECT_NEAR(static_cast<double>(scale.nanoseconds_at(last) - scale.nanoseconds_at(first)) * 1e-9,
                scale.seconds(last - first), 1e-6);
    EXPECT_GT(cycle_counter_cost(), 0U);
}

}  // namespace
}  // namespace engine
