#include "engine/calendar.h"

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

constexpr std::size_t small = 8, big = message_capacity;  // bytes

// A message whose bytes say when it arrives, and whose order how many there are.
void add(Calendar& calendar, Time time, std::size_t size = small) {
    Waiting& message = calendar.add(time, size);
    message.order = size;
    std::fill_n(message.payload(), size, static_cast<std::byte>(time));
}

std::vector<Time> open(Calendar& calendar, Time window) {
    std::vector<Time> times;
    std::vector<std::pair<std::uint32_t, std::size_t>> places;
    calendar.open(window, [&](const Waiting& message, std::uint32_t place) {
        times.push_back(message.time);
        places.emplace_back(place, message.order);
        for (std::size_t i = 0; i < message.order; ++i)
            EXPECT_EQ(message.payload()[i], static_cast<std::byte>(message.time));
    });
    for (const auto& [place, size] : places) calendar.release(place, size);
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
        5, 1023, 1024, 5000, 1048575, 1048576, 3'000'000, 1'000'000'000'000, 1'000'000'000'001};
    for (auto time = times.rbegin(); time != times.rend(); ++time) add(calendar, *time);
    for (const Time time : times) {
        EXPECT_EQ(calendar.next_window(), time);
        EXPECT_THAT(open(calendar, time), UnorderedElementsAre(time));
    }
    EXPECT_EQ(calendar.next_window(), never);
}

TEST(Calendar, APlaceIsUsedAgainOnlyWhenReleased) {
    for (const std::size_t size : {small, big}) {
        Calendar calendar{Windows(10)};
        Waiting& first = calendar.add(1, size);
        first.order = 42;
        std::uint32_t place = 0;
        calendar.open(0, [&](const Waiting&, std::uint32_t p) { place = p; });
        for (int i = 0; i < 200; ++i) calendar.add(11, i % 2 == 0 ? small : big).order = 1;
        EXPECT_EQ(calendar.at(place).order, 42U);
        calendar.release(place, size);
        calendar.add(11, size).order = 43;
        EXPECT_EQ(calendar.at(place).order, 43U);
    }
}

TEST(Calendar, AMessageOfFewBytesTakesHalfACacheLineAndOthersAWholeOne) {
    Calendar calendar{Windows(10)};
    for (int i = 0; i < 100; ++i) {
        const auto line_of = [](const Waiting& message) { return reinterpret_cast<std::uintptr_t>(&message) / 64; };
        const auto last_line_of = [](const Waiting& message, std::size_t size) {
            return (reinterpret_cast<std::uintptr_t>(message.payload() + size) - 1) / 64;
        };
        const Waiting& first = calendar.add(1, small);
        EXPECT_EQ(last_line_of(first, small), line_of(first));
        const Waiting& whole = calendar.add(1, big);
        EXPECT_EQ(last_line_of(whole, big), line_of(whole));
        EXPECT_NE(line_of(whole), line_of(first));
    }
    EXPECT_EQ(calendar.high_water_mark(), 256U + 50U);  // 150 lines, 50 of them for two messages each
}

TEST(Calendar, DoesNotGrowBeyondTheHighWaterMark) {
    for (const auto& [size, mark] : {std::pair{small, 124U}, {big, 128U}}) {
        Calendar calendar{Windows(10)};
        for (Time window = 0; window < 5000; ++window) {
            for (int i = 0; i < 60; ++i) add(calendar, (window + 1) * 10 + i % 10, size);
            if (window > 0) {
                EXPECT_EQ(open(calendar, window).size(), 60U);
            }
        }
        EXPECT_EQ(calendar.high_water_mark(), mark);
    }
}

TEST(Calendar, HandsOnWhatItHolds) {
    Calendar calendar{Windows(10)}, next{Windows(10)};
    for (Time time = 0; time < 100; ++time) add(calendar, time * 1000, time % 2 == 0 ? small : big);
    calendar.hand_on(0, [&](const Envelope& envelope) { next.add(envelope); });
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
        add(calendar, time, number % 5 == 0 ? big : small);
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
