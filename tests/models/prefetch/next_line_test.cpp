#include "models/prefetch/next_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/prefetch/prefetcher_bench.h"

namespace models {
namespace {

using testing::ElementsAre;

TEST(NextLine, FollowsMissesAndFirstAccessesOfPrefetchedLines) {
    NextLine prefetcher({});
    EXPECT_THAT(wanted_after_each(prefetcher, {miss(7), hit(7), hit(8, true), hit(8)}),
                ElementsAre(Blocks{8}, Blocks{}, Blocks{9}, Blocks{}));
}

TEST(NextLine, BringsAsManyAsItsDegree) {
    PrefetchShape shape;
    shape.next_line_degree = 3;
    NextLine prefetcher(shape);
    EXPECT_EQ(wanted_after(prefetcher, miss(7)), (Blocks{8, 9, 10}));
}

TEST(PrefetchQueue, CountsWhatIsWantedAndWhatFindsNoRoom) {
    PrefetchShape shape;
    shape.next_line_degree = 5;
    NextLine prefetcher(shape);
    PrefetchQueue queue(3);
    prefetcher.observe(miss(7), queue);
    const PrefetchQueue::Counts counts = queue.take_counts();
    EXPECT_EQ(counts.wanted, 5U);
    EXPECT_EQ(counts.dropped, 2U);
    EXPECT_EQ(queue.size(), 3U);
    EXPECT_EQ(queue.take_counts().wanted, 0U);
}

}  // namespace
}  // namespace models
