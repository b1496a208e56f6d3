#include "engine/inbox.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/busy_machine.h"

namespace engine {
namespace {

std::int64_t payload(const Slot& slot) {
    return slot.get<std::int64_t>();
}

void add(Inbox& inbox, Time time, int port, std::uint64_t position, std::int64_t value) {
    std::memcpy(inbox.add(time, first_order(port) + position).payload, &value, sizeof value);
}

TEST(Inbox, OrdersByTimeThenInputPortThenPositionInTheChannel) {
    Inbox inbox;
    add(inbox, 7, 0, 9, 3);
    add(inbox, 5, 2, 0, 1);
    add(inbox, 5, 3, 0, 2);
    add(inbox, 7, 1, 1, 5);
    add(inbox, 7, 1, 0, 4);
    add(inbox, 4, 9, 4, 0);
    for (std::int64_t expected = 0; expected < 6; ++expected) EXPECT_EQ(payload(inbox.take()), expected);
    EXPECT_TRUE(inbox.empty());
}

TEST(Inbox, OrderDoesNotDependOnTheOrderOfArrival) {
    struct Entry {
        Time time;
        int port;
        std::uint64_t position;
    };
    std::vector<Entry> entries;
    for (std::uint64_t i = 0; i < 500; ++i)
        entries.push_back({static_cast<Time>(busy::mix(i) % 40), static_cast<int>(busy::mix(i) >> 8U) % 6 & 7, i});
    std::vector<std::int64_t> first;
    for (std::uint64_t round = 0; round < 4; ++round) {
        std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
            return busy::mix(a.position + round * 1000) < busy::mix(b.position + round * 1000);
        });
        Inbox inbox;
        std::vector<std::int64_t> taken;
        for (const Entry& e : entries) add(inbox, e.time, e.port, e.position, static_cast<std::int64_t>(e.position));
        while (!inbox.empty()) taken.push_back(payload(inbox.take()));
        if (round == 0) first = taken;
        EXPECT_EQ(taken, first);
    }
}

TEST(Inbox, NextTimeIsThatOfTheFirstMessageOrNever) {
    Inbox inbox;
    EXPECT_EQ(inbox.next_time(), never);
    add(inbox, 9, 0, 0, 0);
    add(inbox, 3, 0, 1, 0);
    EXPECT_EQ(inbox.next_time(), 3);
    inbox.take();
    EXPECT_EQ(inbox.next_time(), 9);
    inbox.take();
    EXPECT_EQ(inbox.next_time(), never);
}

TEST(Inbox, KeepsPayloadsApartWhilePlacesAreUsedAgain) {
    Inbox inbox;
    std::int64_t in = 0, out = 0;
    for (int round = 0; round < 300; ++round) {
        for (int i = 0; i < 1 + round % 5; ++i, ++in) add(inbox, in, 0, static_cast<std::uint64_t>(in), in);
        for (int i = 0; i < 1 + round % 4 && !inbox.empty(); ++i) EXPECT_EQ(payload(inbox.take()), out++);
    }
}

TEST(Inbox, TakesEnvelopesWithAllTheirBytes) {
    Envelope envelope{12, first_order(3) + 5, {}, 0};
    for (std::size_t i = 0; i < message_capacity; ++i) envelope.payload[i] = static_cast<std::byte>(i + 1);
    Inbox inbox;
    inbox.add(envelope);
    const Slot& slot = inbox.take();
    EXPECT_EQ(slot.time, 12);
    EXPECT_EQ(input_port(slot.order), 3);
    EXPECT_TRUE(std::equal(std::begin(slot.payload), std::end(slot.payload), std::begin(envelope.payload)));
}

}  // namespace
}  // namespace engine
