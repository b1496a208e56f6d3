#include "engine/transport/lane.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace engine::transport {
namespace {

Envelope envelope(Time time) {
    return {time, 0, {}, static_cast<std::int32_t>(time)};
}

std::vector<Time> drained(Lane& lane) {
    std::vector<Time> times;
    lane.drain([&](const Envelope& e) { times.push_back(e.time); });
    std::sort(times.begin(), times.end());
    return times;
}

std::vector<Time> first(int count) {
    std::vector<Time> times(static_cast<std::size_t>(count));
    std::iota(times.begin(), times.end(), Time{0});
    return times;
}

TEST(Lane, KeepsWhatDoesNotFitItsRing) {
    Lane lane(8);
    for (int round = 0; round < 3; ++round) {
        for (Time t = 0; t < 100; ++t) lane.post(envelope(t));
        EXPECT_EQ(drained(lane), first(100));
        EXPECT_TRUE(drained(lane).empty());
    }
}

TEST(Lane, KnowsTheEarliestArrivalSinceItWasAsked) {
    Lane lane(8);
    EXPECT_EQ(lane.take_least(), never);
    for (const Time t : {9, 4, 7}) lane.post(envelope(t));
    EXPECT_EQ(lane.take_least(), 4);
    EXPECT_EQ(lane.take_least(), never);
}

TEST(Lane, LosesNothingWhenWriterAndReaderRunAtOnce) {
    constexpr int count = 20000;
    Lane lane(16);
    std::atomic<bool> done = false;
    std::thread writer([&] {
        for (Time t = 0; t < count; ++t) lane.post(envelope(t));
        done = true;
    });
    std::vector<Time> all;
    for (bool last = false; !last;) {
        last = done;
        for (const Time t : drained(lane)) all.push_back(t);
    }
    writer.join();
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, first(count));
}

}  // namespace
}  // namespace engine::transport
