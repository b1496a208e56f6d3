#include "models/prefetch/thread_aware.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/prefetch/prefetcher_bench.h"

namespace models {
namespace {

using testing::ElementsAre;

constexpr std::uint16_t a_counter = 5;

// All that is wanted is issued, always.
PrefetchShape without_throttle() {
    PrefetchShape shape;
    shape.throttle.degree = 0;
    shape.throttle.period = engine::never;
    return shape;
}
CacheObservation by(std::uint16_t warp, BlockNumber block) {
    return miss(block, a_counter, warp);
}

TEST(ThreadAware, AWarpsStrideIsTrainedByTwoEqualDistances) {
    ThreadAware prefetcher(without_throttle());
    EXPECT_THAT(wanted_after_each(prefetcher, {by(1, 10), by(1, 14), by(1, 18), by(1, 18), by(1, 19)}),
                ElementsAre(Blocks{}, Blocks{}, Blocks{22}, Blocks{}, Blocks{}));
    EXPECT_EQ(*prefetcher.warp_stride(a_counter, 1), (ThreadAware::WarpStride{19, 1, 0}));
    EXPECT_EQ(prefetcher.warp_stride(a_counter, 2), nullptr);
    EXPECT_EQ(prefetcher.global_stride(a_counter), nullptr);
}

TEST(ThreadAware, AStrideThatThreeWarpsHaveBecomesThatOfAll) {
    ThreadAware prefetcher(without_throttle());
    // Interleaved so that the warps have no stride among themselves.
    EXPECT_THAT(wanted_after_each(prefetcher, {by(1, 100), by(1, 104), by(1, 108), by(2, 907), by(2, 911), by(2, 915)}),
                ElementsAre(Blocks{}, Blocks{}, Blocks{112}, Blocks{}, Blocks{}, Blocks{919}));
    EXPECT_EQ(*prefetcher.warp_stride(a_counter, 1), (ThreadAware::WarpStride{108, 4, 1}));
    EXPECT_EQ(*prefetcher.warp_stride(a_counter, 2), (ThreadAware::WarpStride{915, 4, 1}));
    EXPECT_THAT(wanted_after_each(prefetcher, {by(3, 500), by(3, 504), by(3, 508)}),
                ElementsAre(Blocks{}, Blocks{}, Blocks{512}));
    ASSERT_NE(prefetcher.global_stride(a_counter), nullptr);
    EXPECT_EQ(*prefetcher.global_stride(a_counter), 4U);
    for (const std::uint32_t warp : {1U, 2U, 3U}) EXPECT_EQ(prefetcher.warp_stride(a_counter, warp), nullptr);
    EXPECT_EQ(wanted_after(prefetcher, by(9, 3000)), Blocks{3004});  // which has never come before
}

TEST(ThreadAware, ADistanceAmongThreeWarpsIsExpectedOfTheNext) {
    ThreadAware prefetcher(without_throttle());
    EXPECT_THAT(wanted_after_each(prefetcher, {by(1, 40), by(2, 43), by(3, 46), by(4, 49), by(5, 60)}),
                ElementsAre(Blocks{}, Blocks{}, Blocks{49}, Blocks{52}, Blocks{}));
    EXPECT_EQ(*prefetcher.neighbour_stride(a_counter), (ThreadAware::NeighbourStride{60, 11, 0, 5, 4}));
}

TEST(ThreadAware, TwoWarpsInTurnAreNotThree) {
    ThreadAware prefetcher(without_throttle());
    EXPECT_THAT(wanted_after_each(prefetcher, {by(1, 40), by(2, 43), by(1, 46)}),
                ElementsAre(Blocks{}, Blocks{}, Blocks{}));
    EXPECT_EQ(*prefetcher.neighbour_stride(a_counter), (ThreadAware::NeighbourStride{46, 3, 0, 1, 2}));
}

TEST(ThreadAware, AStrideOfAllGoesBeforeThatOfNeighbours) {
    ThreadAware prefetcher(without_throttle());
    for (std::uint16_t warp = 1; warp <= 3; ++warp)
        wanted_after_each(prefetcher, {by(warp, 1000U * warp * warp), by(warp, 1000U * warp * warp + 4),
                                       by(warp, 1000U * warp * warp + 8)});
    ASSERT_NE(prefetcher.global_stride(a_counter), nullptr);
    EXPECT_THAT(wanted_after_each(prefetcher, {by(4, 40), by(5, 47), by(6, 54)}),
                ElementsAre(Blocks{44}, Blocks{51}, Blocks{58}));
    EXPECT_EQ(prefetcher.neighbour_stride(a_counter)->trained, 1U);
}

TEST(ThreadAware, GoesFurtherWithDistanceAndDegree) {
    PrefetchShape shape = without_throttle();
    shape.thread_aware_distance = 3;
    shape.thread_aware_degree = 2;
    ThreadAware prefetcher(shape);
    wanted_after_each(prefetcher, {by(1, 10), by(1, 12)});
    EXPECT_EQ(wanted_after(prefetcher, by(1, 14)), (Blocks{20, 22}));
}

// The three tables as lists, and every rule of the header spelled out. Without the throttle.
struct SlowThreadAware {
    struct Own {
        std::int64_t last, stride = 0;
        bool trained = false;
    };
    struct Neighbours {
        std::vector<std::pair<int, std::int64_t>> seen;  // warps and their blocks, the last three of them
        bool trained = false;
    };
    SlowTable<std::pair<int, int>, Own> own{16};
    SlowTable<int, std::int64_t> all{16};
    SlowTable<int, Neighbours> neighbours{16};

    std::int64_t from_neighbours(int counter, int warp, std::int64_t block) {
        Neighbours* known = neighbours.use(counter);
        if (known == nullptr) {
            neighbours.insert(counter, {{{warp, block}}});
            return 0;
        }
        auto& seen = known->seen;
        if (seen.back().first != warp) {
            seen.emplace_back(warp, block);
            if (seen.size() > 3) seen.erase(seen.begin());
            const std::size_t n = seen.size();
            const std::int64_t stride = seen[n - 1].second - seen[n - 2].second;
            const bool again = n == 3 && stride != 0 && stride == seen[1].second - seen[0].second;
            if (!again) known->trained = false;
            if (again && seen[0].first != seen[2].first) known->trained = true;
        }
        const std::size_t n = seen.size();
        return known->trained ? seen[n - 1].second - seen[n - 2].second : 0;
    }
    std::int64_t from_own(int counter, int warp, std::int64_t block) {
        Own* known = own.use({counter, warp});
        if (known == nullptr) {
            own.insert({counter, warp}, {block});
            return 0;
        }
        if (known->last == block) return 0;
        known->trained = block - known->last == known->stride;
        known->stride = block - known->last;
        known->last = block;
        if (!known->trained) return 0;
        const std::int64_t stride = known->stride;
        const auto is_alike = [=](const auto& one) {
            return one.first.first == counter && one.second.trained && one.second.stride == stride;
        };
        if (std::count_if(own.all.begin(), own.all.end(), is_alike) >= 3) {
            std::erase_if(own.all, is_alike);
            all.insert(counter, stride);
        }
        return stride;
    }
    Blocks observe(const CacheObservation& access) {
        const int counter = access.attribution.program_counter, warp = access.attribution.warp;
        const std::int64_t neighbour = from_neighbours(counter, warp, access.block);
        const std::int64_t* const common = all.use(counter);
        std::int64_t stride = 0;
        if (common != nullptr)
            stride = *common;
        else if (neighbour != 0)
            stride = neighbour;
        else
            stride = from_own(counter, warp, access.block);
        return stride == 0 ? Blocks{} : Blocks{static_cast<BlockNumber>(access.block + stride)};
    }
};

TEST(ThreadAware, AgreesWithASlowReferenceOverRandomAccesses) {
    PrefetchShape shape = without_throttle();
    shape.warp_entries = 64;  // of 144 warps and program counters
    ThreadAware prefetcher(shape);
    SlowThreadAware reference;
    reference.own = SlowTable<std::pair<int, int>, SlowThreadAware::Own>(64);
    expect_agreement(prefetcher, reference, RandomAccesses(2));
    EXPECT_FALSE(reference.all.all.empty());
}

}  // namespace
}  // namespace models
