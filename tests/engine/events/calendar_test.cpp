#include "engine/events/calendar.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace engine {
namespace {

using testing::UnorderedElementsAre;

// A message whose bytes say when it arrives.
void add(Calendar& calendar, Time time) {
    std::ranges::fill(calendar.add(time).payload, static_cast<std::byte>(time));
}

std::vector<Time> open(Calendar& calendar, Time window) {
    std::vector<Time> times;
    calendar.open(window, [&](const Envelope& message, std::uint32_t place) {
        times.push_back(message.time);
        for (const std::byte byte : message.payload) EXPECT_EQ(byte, static_cast<std::byte>(message.time));
        calendar.pool().release(place);
    });
    return times;
}

TEST(Calendar, GivesTheMessagesOfAWindowAndKeepsTheOthers) {
    Calendar calendar{Windows(10)};
    for (const Time time : {25, 3, 29, 30, 20}) add(calendar, time);
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
        5, 127, 128, 1024, 5000, 16383, 16384, 1048576, 3'000'000, 1'000'000'000'000, 1'000'000'000'001};
    for (auto time = times.rbegin(); time != times.rend(); ++time) add(calendar, *time);
    for (const Time time : times) {
        EXPECT_EQ(calendar.next_window(), time);
        EXPECT_THAT(open(calendar, time), UnorderedElementsAre(time));
    }
    EXPECT_EQ(calendar.next_window(), never);
}

TEST(Calendar, AMessageStaysInThePoolUntilItsPlaceIsReleased) {
    Calendar calendar{Windows(10)};
    calendar.add(1).order = 42;
    std::uint32_t place = 0;
    calendar.open(0, [&](const Envelope&, std::uint32_t p) { place = p; });
    for (int i = 0; i < 200; ++i) calendar.add(11).order = 1;
    EXPECT_EQ(calendar.pool()[place].order, 42U);
    calendar.pool().release(place);
    calendar.add(11).order = 43;
    EXPECT_EQ(calendar.pool()[place].order, 43U);
}

TEST(Calendar, DoesNotGrowBeyondTheHighWaterMark) {
    Calendar calendar{Windows(10)};
    for (Time window = 0; window < 5000; ++window) {
        for (int i = 0; i < 60; ++i) add(calendar, (window + 1) * 10 + i % 10);
        if (window > 0) {
            EXPECT_EQ(open(calendar, window).size(), 60U);
        }
    }
    EXPECT_EQ(calendar.pool().size(), 128U);
}

TEST(Calendar, GivesAwayAllItHolds) {
    Calendar calendar{Windows(10)}, next{Windows(10)};
    for (Time time = 0; time < 100; ++time) add(calendar, time * 1000);
    std::vector<Envelope> all;
    calendar.take_all(all);
    for (const Envelope& envelope : all) next.add(envelope);
    EXPECT_EQ(calendar.next_window(), never);
    for (Time time = 0; time < 100; ++time) EXPECT_THAT(open(next, time * 100), UnorderedElementsAre(time * 1000));
    EXPECT_EQ(next.next_window(), never);
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
        add(calendar, time);
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
