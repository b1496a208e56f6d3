#include "models/prefetch/history.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/prefetch/prefetcher_bench.h"

namespace models {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(History, ExpectsWhatFollowedTheSameDistanceBefore) {
    History prefetcher({});
    // Distances 1 5 1 5 1: after a 1 came a 5 and a 1, after a 5 a 1 and a 5.
    EXPECT_THAT(wanted_after_each(prefetcher, {miss(1), miss(2), miss(7), miss(8), miss(13), miss(14)}),
                ElementsAre(Blocks{}, Blocks{}, Blocks{}, Blocks{13, 14}, Blocks{14, 19}, Blocks{19, 20}));
}

TEST(History, FollowsARunAtOnceAndThenByItsDegree) {
    History prefetcher({});
    EXPECT_THAT(wanted_after_each(prefetcher, {miss(10), miss(12), miss(14), miss(16), miss(18)}),
                ElementsAre(Blocks{}, Blocks{}, Blocks{16}, Blocks{18, 20}, Blocks{20, 22}));
}

TEST(History, LearnsFromMissesAndFirstAccessesOfPrefetchedLinesOnly) {
    History prefetcher({});
    EXPECT_THAT(wanted_after_each(prefetcher, {miss(10), hit(77), miss(12), hit(14, true), hit(14), miss(16)}),
                ElementsAre(Blocks{}, Blocks{}, Blocks{}, Blocks{16}, Blocks{}, Blocks{18, 20}));
}

TEST(History, HasTheTablesWorkedOutByHand) {
    PrefetchShape shape;
    shape.history_entries = 4;
    shape.history_index = 4;
    History prefetcher(shape);
    wanted_after_each(prefetcher, {miss(1), miss(2), miss(7), miss(8)});  // distances 1 5 1
    EXPECT_EQ(prefetcher.newest(), 4U);
    // 1 and 5 share place 1 of the index table: the 5 pushed out the first 1.
    EXPECT_EQ(prefetcher.indexed(1), 4U);
    EXPECT_EQ(prefetcher.indexed(5), History::nothing);
    EXPECT_EQ(prefetcher.earlier(4), History::nothing);
    wanted_after_each(prefetcher, {miss(9), miss(11), miss(12)});  // distances 1 2 1
    EXPECT_EQ(prefetcher.newest(), 7U);
    EXPECT_EQ(prefetcher.block(7), 12U);
    EXPECT_EQ(prefetcher.block(4), 8U);
    EXPECT_FALSE(prefetcher.is_there(3));
    EXPECT_EQ(prefetcher.indexed(1), 7U);
    EXPECT_EQ(prefetcher.indexed(2), 6U);
    EXPECT_EQ(prefetcher.earlier(7), 5U);
    EXPECT_EQ(prefetcher.earlier(5), 4U);
    wanted_after(prefetcher, miss(14));  // distance 2; the 8 leaves the buffer
    EXPECT_EQ(prefetcher.earlier(8), 6U);
    EXPECT_EQ(prefetcher.earlier(5), History::nothing);
}

TEST(History, ADistanceWhoseBlockHasLeftTheBufferIsNew) {
    PrefetchShape shape;
    shape.history_entries = 3;
    History prefetcher(shape);
    EXPECT_THAT(wanted_after_each(prefetcher, {miss(0), miss(1), miss(3), miss(6), miss(10), miss(11)}),
                Each(IsEmpty()));
}

// All blocks that ever came, and every step spelled out.
struct SlowHistory {
    std::size_t index, entries, degree;
    std::vector<std::int64_t> blocks = {};
    std::map<std::uint32_t, std::pair<std::uint32_t, std::size_t>> newest_by_place = {};  // distance, position
    std::map<std::size_t, std::size_t> linked = {};

    bool is_there(std::size_t position) const { return position + entries >= blocks.size(); }

    Blocks observe(const CacheObservation& access) {
        if (access.result != CacheObservation::Result::missed && !access.prefetched) return {};
        blocks.push_back(access.block);
        const std::size_t now = blocks.size() - 1;
        if (now == 0) return {};
        const auto distance = static_cast<std::uint32_t>(blocks[now] - blocks[now - 1]);
        const auto place = static_cast<std::uint32_t>(distance % index);
        if (newest_by_place.contains(place) && newest_by_place[place].first == distance)
            linked[now] = newest_by_place[place].second;
        newest_by_place[place] = {distance, now};

        Blocks wanted;
        std::size_t from = now;
        for (std::size_t occurrence = 0; occurrence < degree; ++occurrence) {
            if (!linked.contains(from) || !is_there(linked[from])) break;
            from = linked[from];
            Blocks sums;
            std::int64_t sum = access.block;
            for (std::size_t next = from + 1; next <= now && sums.size() < degree; ++next) {
                sum += blocks[next] - blocks[next - 1];
                sums.push_back(static_cast<BlockNumber>(sum));
            }
            for (std::size_t i = wanted.size(); i < sums.size(); ++i) wanted.push_back(sums[i]);
        }
        return wanted;
    }
};

TEST(History, AgreesWithASlowReferenceOverRandomAccesses) {
    for (const std::uint32_t degree : {1U, 2U, 5U}) {
        PrefetchShape shape;
        shape.history_degree = degree;
        History prefetcher(shape);
        SlowHistory reference{shape.history_index, shape.history_entries, degree};
        std::mt19937 random(degree);
        BlockNumber block = 1 << 20U;
        std::size_t wanted = 0;
        for (int i = 0; i < 100'000; ++i) {
            block += static_cast<BlockNumber>(random() % (1 + random() % 30)) - 9;  // more distances than places
            CacheObservation access = miss(block);
            if (random() % 4 == 0) access = hit(block, random() % 2 == 0);
            const Blocks expected = reference.observe(access);
            ASSERT_EQ(wanted_after(prefetcher, access), expected) << "access " << i;
            wanted += expected.size();
        }
        EXPECT_GT(wanted, 10'000U);
    }
}

}  // namespace
}  // namespace models
