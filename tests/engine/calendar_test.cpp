#include "engine/calendar.h"

#include <algorithm>
#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace engine {
namespace {

using testing::UnorderedElementsAre;

std::vector<Time> open(Calendar& calendar, Time window) {
    std::vector<Time> times;
    std::vector<std::uint32_t> places;
    calendar.open(window, [&](const Envelope& envelope, std::uint32_t place) {
        times.push_back(envelope.time);
        places.push_back(place);
    });
    for (const std::uint32_t place : places) calendar.release(place);
    return times;
}

TEST(Calendar, GivesTheMessagesOfAWindowAndKeepsTheOthers) {
    Calendar calendar{Windows(10)};
    for (const Time time : {25, 3, 29, 30, 20}) calendar.add(time);
    EXPECT_EQ(calendar.next_window(), 0);
    EXPECT_THAT(open(calendar, 0), UnorderedElementsAre(3));
    EXPECT_EQ(calendar.next_window(), 2);
    EXPECT_THAT(open(calendar, 2), UnorderedElementsAre(25, 29, 20));
    EXPECT_THAT(open(calendar, 3), UnorderedElementsAre(30));
    EXPECT_EQ(calendar.next_window(), never);
}

TEST(Calendar, KeepsWhatIsFarAwayInOrderToo) {
    Calendar calendar{Windows(1)};
    const std::vector<Time> times{
        5, 1023, 1024, 5000, 1048575, 1048576, 3'000'000, 1'000'000'000'000, 1'000'000'000'001};
    for (auto time = times.rbegin(); time != times.rend(); ++time) calendar.add(*time);
    for (const Time time : times) {
        EXPECT_EQ(calendar.next_window(), time);
        EXPECT_THAT(open(calendar, time), UnorderedElementsAre(time));
    }
    EXPECT_EQ(calendar.next_window(), never);
}

TEST(Calendar, APlaceIsUsedAgainOnlyWhenReleased) {
    Calendar calendar{Windows(10)};
    Envelope& first = calendar.add(1);
    first.order = 42;
    std::uint32_t place = 0;
    calendar.open(0, [&](const Envelope&, std::uint32_t p) { place = p; });
    for (int i = 0; i < 200; ++i) calendar.add(11).order = 1;
    EXPECT_EQ(calendar.at(place).order, 42U);
    calendar.release(place);
    calendar.add(11).order = 43;
    EXPECT_EQ(calendar.at(place).order, 43U);
}

TEST(Calendar, DoesNotGrowBeyondTheHighWaterMark) {
    Calendar calendar{Windows(10)};
    for (Time window = 0; window < 5000; ++window) {
        for (int i = 0; i < 60; ++i) calendar.add((window + 1) * 10 + i % 10);
        if (window > 0) {
            EXPECT_EQ(open(calendar, window).size(), 60U);
        }
    }
    EXPECT_EQ(calendar.high_water_mark(), 128U);
}

// Against a map of windows, with every mixture of near and far, as a run goes on.
RC_GTEST_PROP(Calendar, HoldsWhatAMapOfWindowsHolds, ()) {
    const Time length = *rc::gen::element<Time>(1, 3, 16);
    Calendar calendar{Windows(length)};
    std::map<Time, std::vector<Time>> expected;
    Time now = 0;
    const auto steps = *rc::gen::container<std::vector<std::pair<int, unsigned>>>(
        rc::gen::pair(rc::gen::inRange(0, 26), rc::gen::arbitrary<unsigned>()));
    for (const auto& [far, number] : steps) {
        const Time time = now + static_cast<Time>(number % (1U << far));
        calendar.add(time);
        expected[time / length].push_back(time);
        if (number % 3 != 0) continue;
        RC_ASSERT(calendar.next_window() == expected.begin()->first);
        std::vector<Time> found = open(calendar, calendar.next_window());
        std::sort(found.begin(), found.end());
        std::vector<Time>& wanted = expected.begin()->second;
        std::sort(wanted.begin(), wanted.end());
        RC_ASSERT(found == wanted);
        now = (expected.begin()->first + 1) * length;
        expected.erase(expected.begin());
    }
    for (const auto& [window, times] : expected) {
        RC_ASSERT(calendar.next_window() == window);
        RC_ASSERT(open(calendar, window).size() == times.size());
    }
    RC_ASSERT(calendar.next_window() == never);
}

}  // namespace
}  // namespace engine
