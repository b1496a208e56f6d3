#include "models/prefetch/access_queue.h"

#include <gtest/gtest.h>

namespace models {
namespace {

TEST(AccessQueue, SendsInOrderAndIsFullUntilCachesHaveLooked) {
    AccessQueue queue(3);
    EXPECT_TRUE(queue.is_idle());
    for (BlockNumber block = 10; block < 13; ++block) queue.push({block, 7, 1, 2});
    EXPECT_TRUE(queue.full());
    EXPECT_EQ(queue.send().block, 10U);
    EXPECT_EQ(queue.send().block, 11U);
    EXPECT_TRUE(queue.full());  // nobody has looked for them yet
    queue.looked_for(2);
    EXPECT_FALSE(queue.full());
    queue.push({13, 7, 1, 2});
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
    AccessQueue queue(5);
    BlockNumber pushed = 0, sent = 0;
    for (int turn = 0; turn < 1000; ++turn) {
        while (!queue.full()) queue.push({pushed++, 0, 0, 0});
        std::uint32_t count = 0;
        for (; count < 1U + static_cast<unsigned>(turn) % 5 && queue.has_next(); ++count)
            ASSERT_EQ(queue.send().block, sent++);
        queue.looked_for(count);
    }
}

}  // namespace
}  // namespace models
