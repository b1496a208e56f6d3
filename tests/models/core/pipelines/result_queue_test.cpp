#include "models/core/pipelines/result_queue.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace models {
namespace {

TEST(ResultQueue, GivesResultsByTimeAndThoseOfOneTimeAsTheyBecameKnown) {
    ResultQueue queue;
    EXPECT_EQ(queue.next(), engine::never);
    std::uint32_t warp = 0;
    for (const engine::Time at : {9, 4, 9, 4, 1}) queue.push(at, warp++, {}, true, none);
    EXPECT_EQ(queue.next(), 1);
    EXPECT_FALSE(queue.has(0));
    std::vector<int> order;
    while (queue.has(9)) order.push_back(queue.pop().warp);
    EXPECT_THAT(order, testing::ElementsAre(4, 1, 3, 0, 2));
}

TEST(ResultQueue, KeepsWhatAnInstructionIs) {
    ResultQueue queue;
    RegisterUse use;
    use.branches = true;
    use.destination = 6;
    queue.push(3, 2, use, false, 17);
    const Result result = queue.pop();
    EXPECT_EQ(result.at, 3);
    EXPECT_EQ(result.destination, 6);
    EXPECT_EQ(result.traced, 17U);
    EXPECT_EQ(result.flags, Result::branches);
}

}  // namespace
}  // namespace models
