#include "models/prefetch/stride.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/prefetch/prefetcher_bench.h"

namespace models {
namespace {

using State = Stride::State;
using testing::ElementsAre;

TEST(Stride, WantsTwoStridesAheadOnceAStrideHasRepeated) {
    Stride prefetcher({});
    EXPECT_THAT(wanted_after_each(prefetcher, {miss(10), miss(13), miss(16), hit(19)}),
                ElementsAre(Blocks{}, Blocks{}, Blocks{19, 22}, Blocks{22, 25}));
}

TEST(Stride, GoesThroughItsStatesAsChenAndBaerSay) {
    Stride prefetcher({});
    struct Step {
        BlockNumber block;
        Stride::Entry after;
    };
    const std::vector<Step> steps{
        {100, {100, 0, State::initial}},   {104, {104, 4, State::transient}},
        {108, {108, 4, State::steady}},    {108, {108, 4, State::steady}},     // the same block says nothing
        {112, {112, 4, State::steady}},    {200, {200, 4, State::initial}},    // the stride stays
        {204, {204, 4, State::steady}},    {300, {300, 4, State::initial}},    //
        {301, {301, 1, State::transient}}, {303, {303, 2, State::irregular}},  //
        {306, {306, 3, State::irregular}}, {309, {309, 3, State::transient}},  //
        {312, {312, 3, State::steady}},
    };
    for (const Step& step : steps) {
        wanted_after(prefetcher, miss(step.block));
        ASSERT_NE(prefetcher.entry(0), nullptr);
        EXPECT_EQ(*prefetcher.entry(0), step.after) << "after block " << step.block;
    }
}

TEST(Stride, GoesBackwards) {
    Stride prefetcher({});
    EXPECT_THAT(wanted_after_each(prefetcher, {miss(50), miss(48), miss(46)}),
                ElementsAre(Blocks{}, Blocks{}, Blocks{44, 42}));
}

TEST(Stride, TellsProgramCountersApartAndForgetsTheOneNotUsedForLongest) {
    PrefetchShape shape;
    shape.stride_entries = 2;
    Stride prefetcher(shape);
    wanted_after_each(prefetcher, {miss(10, 1), miss(500, 2), miss(11, 1), miss(900, 3)});
    EXPECT_EQ(*prefetcher.entry(1), (Stride::Entry{11, 1, State::transient}));
    EXPECT_EQ(prefetcher.entry(2), nullptr);
    EXPECT_EQ(*prefetcher.entry(3), (Stride::Entry{900, 0, State::initial}));
}

// The table of the header, row by row.
struct SlowStride {
    struct Known {
        BlockNumber last;
        std::int64_t stride = 0;
        std::string state = "initial";
    };
    SlowTable<std::uint16_t, Known> table{48};

    Blocks observe(const CacheObservation& access) {
        Known* known = table.use(access.attribution.program_counter);
        if (known == nullptr) {
            table.insert(access.attribution.program_counter, {access.block});
            return {};
        }
        if (known->last == access.block) return {};
        const std::int64_t stride = std::int64_t{access.block} - std::int64_t{known->last};
        const bool as_predicted = stride == known->stride;
        known->last = access.block;
        if (known->state == "initial")
            known->state = as_predicted ? "steady" : "transient";
        else if (known->state == "transient")
            known->state = as_predicted ? "steady" : "irregular";
        else if (known->state == "irregular")
            known->state = as_predicted ? "transient" : "irregular";
        else if (!as_predicted) {
            known->state = "initial";
            return {};
        }
        known->stride = stride;
        if (known->state != "steady") return {};
        return {static_cast<BlockNumber>(access.block + stride), static_cast<BlockNumber>(access.block + 2 * stride)};
    }
};

TEST(Stride, AgreesWithASlowReferenceOverRandomAccesses) {
    PrefetchShape shape;
    shape.stride_entries = 20;  // fewer than there are program counters
    Stride prefetcher(shape);
    SlowStride reference;
    reference.table = SlowTable<std::uint16_t, SlowStride::Known>(20);
    expect_agreement(prefetcher, reference, RandomAccesses(1));
}

}  // namespace
}  // namespace models
