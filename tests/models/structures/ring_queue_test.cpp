#include "models/structures/ring_queue.h"

#include <deque>

#include <gtest/gtest.h>

namespace models {
namespace {

TEST(RingQueue, GivesItemsInTheOrderTheyCame) {
    RingQueue<int> queue(3);
    std::deque<int> reference;
    int next = 0;
    for (int round = 0; round < 100; ++round) {
        while (!queue.full() && (round + next) % 7 != 0) {
            queue.push(next);
            reference.push_back(next++);
        }
        if (queue.empty()) queue.push(next), reference.push_back(next++);
        ASSERT_EQ(queue.size(), reference.size());
        ASSERT_EQ(queue.front(), reference.front());
        ASSERT_EQ(queue.back(), reference.back());
        queue.pop();
        reference.pop_front();
    }
}

TEST(RingQueue, IsFullAtItsCapacityAlsoWhenThatIsNoPowerOfTwo) {
    RingQueue<int> queue(5);
    for (int i = 0; i < 5; ++i) {
        EXPECT_FALSE(queue.full());
        EXPECT_EQ(queue.room(), static_cast<unsigned>(5 - i));
        queue.push(i);
    }
    EXPECT_TRUE(queue.full());
}

TEST(RingQueue, FindsAnItemByItsNumberWhileItIsThere) {
    RingQueue<int> queue(4);
    for (int i = 0; i < 10; ++i) {
        queue.push(i * 10);
        const std::uint32_t number = queue.end_number() - 1;
        EXPECT_EQ(queue.numbered(number), i * 10);
        EXPECT_EQ(queue.numbered(number & 0x7fffffffU), i * 10);
        queue.pop();
    }
}

}  // namespace
}  // namespace models
