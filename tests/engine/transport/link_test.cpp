#include "engine/transport/link.h"

#include <memory>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/transport/outgoing.h"

namespace engine::transport {
namespace {

using testing::ElementsAre;

struct Ends {
    std::unique_ptr<LinkMemory> memory = std::make_unique<LinkMemory>();
    Outgoing outgoing{*memory};
    Incoming incoming{*memory, 3, 7};
    Calendar calendar{Windows(10)};

    void send(Time time, std::uint64_t order = 0) {
        Envelope& envelope = outgoing.add(time);
        envelope.order = order;
        envelope.receiver = 5;
        for (std::size_t i = 0; i < message_capacity; ++i) envelope.payload[i] = static_cast<std::byte>(order + i);
    }
    // Drains, and gives the times in the first window that holds any.
    std::vector<Time> received() {
        incoming.drain(calendar);
        std::vector<Time> times;
        if (calendar.next_window() == never) return times;
        calendar.open(calendar.next_window(),
                      [&](const Envelope& message, std::uint32_t) { times.push_back(message.time); });
        return times;
    }
};

TEST(Link, HandsMessagesOverWhenFlushedAndNotBefore) {
    Ends ends;
    ends.send(3);
    ends.send(1);
    EXPECT_THAT(ends.received(), ElementsAre());
    EXPECT_TRUE(ends.outgoing.flush());
    EXPECT_THAT(ends.received(), testing::UnorderedElementsAre(3, 1));
    EXPECT_EQ(ends.outgoing.messages(), 2U);
}

TEST(Link, CarriesMessagesWithAllTheirBytes) {
    Ends ends;
    ends.send(4, 77);
    ends.outgoing.flush();
    ends.incoming.drain(ends.calendar);
    int count = 0;
    ends.calendar.open(0, [&](const Envelope& message, std::uint32_t) {
        ++count;
        EXPECT_EQ(message.time, 4);
        EXPECT_EQ(message.order, 77U);
        EXPECT_EQ(message.receiver, 5);
        for (std::size_t i = 0; i < message_capacity; ++i)
            EXPECT_EQ(message.payload[i], static_cast<std::byte>(77 + i));
    });
    EXPECT_EQ(count, 1);
}

TEST(Link, KeepsWhatTheRingHasNoRoomForUntilTheReaderMakesRoom) {
    Ends ends;
    constexpr std::size_t count = 5000;
    for (std::size_t i = 0; i < count; ++i) ends.send(1);
    std::size_t received = 0;
    int rounds = 0;
    for (bool flushed = false; !flushed; ++rounds) {
        flushed = ends.outgoing.flush();
        received += ends.received().size();
    }
    EXPECT_GT(rounds, 1);
    EXPECT_EQ(received, count);
    EXPECT_EQ(ends.outgoing.messages(), count);
    EXPECT_EQ(ends.outgoing.most_gathered(), count - 1024);  // the ring took what it has room for meanwhile
}

TEST(Link, ClocksOnlyGrow) {
    Ends ends;
    EXPECT_EQ(ends.incoming.clock(), 0);
    ends.outgoing.set_clock(5);
    ends.outgoing.set_clock(4);
    EXPECT_EQ(ends.incoming.clock(), 5);
    EXPECT_EQ(ends.outgoing.null_messages(), 1U);
}

TEST(Link, WhatWasSentBeforeAClockWasSetIsThereWhenTheClockIsRead) {
    Ends ends;
    Calendar calendar{Windows(1)};
    constexpr Time last = 20000;
    std::thread sender([&] {
        for (Time time = 1; time <= last; ++time) {
            ends.send(time);
            while (!ends.outgoing.flush()) std::this_thread::yield();
            ends.outgoing.set_clock(time);
        }
    });
    Time clock = 0, seen = 0;
    while (clock < last) {
        clock = ends.incoming.clock();
        ends.incoming.drain(calendar);
        while (calendar.next_window() != never)
            calendar.open(calendar.next_window(), [&](const Envelope& message, std::uint32_t place) {
                seen = std::max(seen, message.time);
                calendar.pool().release(place);
            });
        ASSERT_GE(seen, clock);
    }
    sender.join();
}

}  // namespace
}  // namespace engine::transport
