#include "models/prefetch/access_queue.h"

#include <algorithm>
#include <deque>
#include <random>

#include <gtest/gtest.h>

namespace models {
namespace {

constexpr std::uint16_t nobody = AccessQueue::no_cache;

AccessQueue::Entry entry_of(BlockNumber block, std::uint16_t cache = 2) {
    AccessQueue::Entry entry;
    entry.block = block;
    entry.quad = 7;
    entry.program_counter = 1;
    entry.cache = cache;
    return entry;
}

TEST(AccessQueue, SendsInOrderAndIsFullUntilCachesHaveLooked) {
    AccessQueue queue({3});
    EXPECT_TRUE(queue.is_idle());
    for (BlockNumber block = 10; block < 13; ++block) queue.push(entry_of(block));
    EXPECT_TRUE(queue.full());
    EXPECT_EQ(queue.send().block, 10U);
    EXPECT_EQ(queue.send().block, 11U);
    EXPECT_TRUE(queue.full());  // nobody has looked for them yet
    queue.looked_for(2);
    EXPECT_FALSE(queue.full());
    queue.push(entry_of(13));
    EXPECT_EQ(queue.send().block, 12U);
    const AccessQueue::Entry last = queue.send();
    EXPECT_EQ(last.block, 13U);
    EXPECT_EQ(last.quad, 7U);
    EXPECT_EQ(last.program_counter, 1);
    EXPECT_EQ(last.cache, 2);
    EXPECT_FALSE(queue.has_next());
    EXPECT_FALSE(queue.is_idle());
    queue.looked_for(2);
    EXPECT_TRUE(queue.is_idle());
}

TEST(AccessQueue, GoesRoundManyTimes) {
    AccessQueue queue({5});
    BlockNumber pushed = 0, sent = 0;
    for (int turn = 0; turn < 1000; ++turn) {
        while (!queue.full()) queue.push(entry_of(pushed++));
        std::uint32_t count = 0;
        for (; count < 1U + static_cast<unsigned>(turn) % 5 && queue.has_next(); ++count)
            ASSERT_EQ(queue.send().block, sent++);
        queue.looked_for(count);
    }
}

// Figure 5 of paper 000: block 8 for cache 1 while block 8 for cache 0 is in the queue.
TEST(AccessQueue, NamesTheOtherCacheThatTheBlockWasForLast) {
    AccessQueue queue({4});
    EXPECT_EQ(queue.push(entry_of(8, 0)).source, nobody);
    EXPECT_EQ(queue.push(entry_of(8, 1)).source, 0);
    EXPECT_EQ(queue.push(entry_of(8, 2)).source, 1);
    EXPECT_EQ(queue.push(entry_of(8, 2)).source, 1);  // not its own
}

TEST(AccessQueue, ComparesLowBitsAlone) {
    AccessQueue eight({4}), all({4, 32});
    for (AccessQueue* queue : {&eight, &all}) queue->push(entry_of(0x1005, 0));
    EXPECT_EQ(eight.push(entry_of(0x2005, 1)).source, 0);
    EXPECT_EQ(all.push(entry_of(0x2005, 1)).source, nobody);
    EXPECT_EQ(eight.push(entry_of(0x2015, 1)).source, nobody);
}

TEST(AccessQueue, RemembersEntriesUntilTheyAreWrittenOver) {
    for (const bool old : {true, false}) {
        AccessQueue queue({2, 8, old});
        queue.push(entry_of(1, 0));
        queue.send();
        queue.looked_for(1);
        EXPECT_EQ(queue.push(entry_of(1, 1)).source, old ? 0 : nobody);
        queue.push(entry_of(2, 0));  // over the first
        queue.send();
        queue.looked_for(1);
        EXPECT_EQ(queue.push(entry_of(1, 1)).source, nobody);
    }
}

TEST(AccessQueue, NamesTheSourcesThatASlowSearchFinds) {
    std::mt19937 random(1);
    for (const bool old : {true, false}) {
        const std::size_t entries = 1 + random() % 20;
        AccessQueue queue({entries, 4, old});
        std::deque<AccessQueue::Entry> ever;  // the newest first
        std::size_t waiting = 0, on_way = 0;
        for (int step = 0; step < 10'000; ++step) {
            if (!queue.full() && random() % 2 == 0) {
                const AccessQueue::Entry entry =
                    entry_of(static_cast<BlockNumber>(random() % 40), static_cast<std::uint16_t>(random() % 5));
                std::uint16_t expected = nobody;
                const std::size_t window = old ? entries : waiting + on_way;
                for (std::size_t i = 0; i < std::min(window, ever.size()) && expected == nobody; ++i)
                    if (ever[i].block % 16 == entry.block % 16 && ever[i].cache != entry.cache)
                        expected = ever[i].cache;
                ASSERT_EQ(queue.push(entry).source, expected);
                ever.push_front(entry);
                ++waiting;
            } else if (waiting > 0 && random() % 2 == 0) {
                queue.send();
                --waiting;
                ++on_way;
            } else if (on_way > 0) {
                queue.looked_for(1);
                --on_way;
            }
        }
    }
}

}  // namespace
}  // namespace models
