#include "models/memory/cache_study.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/counter_rng.h"

namespace models {
namespace {

CacheShape shape_of(std::uint32_t sets, std::uint32_t ways) {
    CacheShape shape;
    shape.array = {sets, ways};
    shape.mshrs = 2;
    shape.targets = 2;
    return shape;
}

TEST(CacheStudy, TellsWhyItMisses) {
    CacheStudy study(shape_of(2, 1));
    const auto read = [&](std::initializer_list<Address> lines) {
        for (const Address line : lines) study.access(line * 64, false);
    };
    read({0, 0});     // cold, hit
    read({2, 0});     // cold, conflict: two lines fit, but not these
    read({1, 3, 0});  // cold, cold, hit
    read({1});        // a conflict with 3: of two other lines accessed since, so capacity
    const CacheFigures figures = study.figures();
    EXPECT_EQ(figures.accesses, 8U);
    EXPECT_EQ(figures.hits, 2U);
    EXPECT_EQ(figures.cold, 4U);
    EXPECT_EQ(figures.conflict, 1U);
    EXPECT_EQ(figures.capacity, 1U);
    EXPECT_EQ(figures.bytes_fetched, 6U * 64);
    EXPECT_EQ(figures.first_accesses, 4U);
    EXPECT_EQ(figures.reuse[0], 1U);  // 0, 0
    EXPECT_EQ(figures.reuse[1], 1U);  // 0 after 2
    EXPECT_EQ(figures.reuse[2], 2U);  // 0 after 1, 3; 1 after 3, 0
}

TEST(CacheStudy, AFullyAssociativeLruCacheHasNoConflicts) {
    CacheStudy study(shape_of(1, 8));
    engine::CounterRng draws(3, 0);
    for (int i = 0; i < 5000; ++i) study.access(Address{draws.below(20)} * 64, false);
    const CacheFigures figures = study.figures();
    EXPECT_EQ(figures.conflict, 0U);
    EXPECT_EQ(figures.cold, 20U);
    EXPECT_NEAR(static_cast<double>(figures.hits) / 5000, 8.0 / 20, 0.02);
}

TEST(CacheStudy, CountsWhatGoesBehindTheCache) {
    CacheStudy study(shape_of(1, 1));
    study.access(0, true);
    study.access(64, false);  // the written line goes
    study.access(0, false);
    const CacheFigures figures = study.figures();
    EXPECT_EQ(figures.writes, 1U);
    EXPECT_EQ(figures.bytes_fetched, 3U * 64);
    EXPECT_EQ(figures.bytes_written, 64U);
    EXPECT_EQ(figures.lines_written_back, 1U);
    EXPECT_EQ(figures.lines_left_dirty, 0U);
    study.access(0, true);
    EXPECT_EQ(study.figures().lines_left_dirty, 1U);
    EXPECT_EQ(study.figures().bytes_written, 64U);
}

TEST(CacheStudy, WritesThatAreSentOnLeaveNothingDirty) {
    CacheShape shape = shape_of(2, 2);
    shape.write_policy = WritePolicy::write_through;
    CacheStudy study(shape);
    study.access(0, true);   // not kept
    study.access(0, false);  // in time, but absent
    study.access(0, true);
    const CacheFigures figures = study.figures();
    EXPECT_EQ(figures.hits, 1U);
    EXPECT_EQ(figures.cold, 1U);
    EXPECT_EQ(figures.conflict, 1U);
    EXPECT_EQ(figures.bytes_fetched, 64U);
    EXPECT_EQ(figures.bytes_written, 64U);  // two sectors of 32 bytes
    EXPECT_EQ(figures.lines_written_back, 0U);
    EXPECT_EQ(figures.lines_left_dirty, 0U);
}

// A loop of one line too many: LRU always evicts what comes next; the optimum keeps all but one, and misses once in
// every seven accesses after the first eight.
TEST(CacheStudy, ALoopThatDoesNotFitIsTheWorstForLru) {
    CacheStudy study(shape_of(1, 8));
    for (int i = 0; i < 9 * 57; ++i) study.access(static_cast<Address>(i % 9) * 64, false);
    const CacheFigures figures = study.figures();
    EXPECT_EQ(figures.hits, 0U);
    EXPECT_EQ(figures.cold, 9U);
    EXPECT_EQ(figures.capacity, 9U * 56);
    EXPECT_EQ(figures.reuse[4], 9U * 56);  // 8 to 15
    EXPECT_EQ(figures.optimal_hits, 9U * 56 - 9U * 56 / 8);
}

CacheFigures figures_of(const CacheShape& shape, Address offset, Address scale = 1) {
    CacheStudy study(shape);
    engine::CounterRng draws(7, 0);
    for (int i = 0; i < 20000; ++i) {
        const Address address = Address{draws.below(1 << 14)} + (Address{draws.below(4)} << 20U) * scale;
        EXPECT_TRUE(study.access(offset + address, draws.below(3) == 0));
    }
    return study.figures();
}

void expect_equal(const CacheFigures& a, const CacheFigures& b) {
    EXPECT_GT(a.hits, 0U);
    EXPECT_GT(a.conflict, 0U);
    EXPECT_EQ(a.hits, b.hits);
    EXPECT_EQ(a.cold, b.cold);
    EXPECT_EQ(a.capacity, b.capacity);
    EXPECT_EQ(a.optimal_hits, b.optimal_hits);
    EXPECT_EQ(a.bytes_fetched, b.bytes_fetched);
    EXPECT_EQ(a.bytes_written, b.bytes_written);
    EXPECT_EQ(a.reuse, b.reuse);
}

TEST(CacheStudy, MemoryMayBeAnywhereIn64Bits) {
    for (const std::uint32_t line : {32U, 64U, 128U}) {
        CacheShape shape = shape_of(32, 2);
        shape.line_bytes = shape.sector_bytes = line;
        const CacheFigures low = figures_of(shape, 0);
        expect_equal(low, figures_of(shape, Address{0x7fff} << 32U));
        expect_equal(low, figures_of(shape, 0, 1 << 20));  // four regions, 2^40 bytes apart
    }
}

// Neighbours stay neighbours and no others become it: a prefetcher foresees nothing of what comes at random.
TEST(CacheStudy, FindsNoStrideInRandomRegions) {
    CacheShape shape = shape_of(16, 64);
    const auto& names = Prefetcher::names;
    shape.prefetcher = static_cast<std::size_t>(std::find(names.begin(), names.end(), "stride") - names.begin());
    CacheStudy study(shape);
    engine::CounterRng draws(7, 0);
    for (int i = 0; i < 2000; ++i) study.access(Address{draws.below(1 << 30)} << 20U, false);
    EXPECT_LT(study.figures().hits, 100U);
}

// Arrays so far apart that their sets are told from one another by the bits above those of the sets.
TEST(CacheStudy, FoldsTheBitsOfAddressesAsTheyAre) {
    CacheShape shape = shape_of(1024, 8);
    shape.array.index = SetIndex::folded;
    CacheStudy study(shape);
    std::vector<std::vector<std::uint32_t>> sets(1024);  // by set the lines, the latest last
    std::uint64_t hits = 0;
    for (int round = 0; round < 3; ++round)
        for (std::uint32_t i = 0; i < 128; ++i)
            for (std::uint32_t array = 0; array < 24; ++array) {
                const std::uint32_t line = (array << 20U) + i;  // 64 MiB apart
                study.access(Address{line} * 64, false);
                auto& set = sets[shape.array.set_of(line)];
                const auto found = std::find(set.begin(), set.end(), line);
                hits += found != set.end() ? 1 : 0;
                if (found != set.end() || set.size() == 8) set.erase(found != set.end() ? found : set.begin());
                set.push_back(line);
            }
    EXPECT_EQ(study.figures().hits, hits);
}

TEST(CacheStudy, HasRoomForSoManyRegions) {
    CacheStudy study(shape_of(2, 2));
    const Address bytes = study.regions().bytes();
    EXPECT_EQ(bytes, Address{1} << 20U);
    for (Address i = 0; i < study.regions().most(); ++i) ASSERT_TRUE(study.access(i * 3 * bytes, false));
    EXPECT_FALSE(study.access(~Address{0}, false));
    EXPECT_TRUE(study.access(5, false));
    EXPECT_EQ(study.figures().accesses, study.regions().most() + 1U);
    EXPECT_EQ(study.figures().cold, study.regions().most());
}

TEST(CacheStudy, WhatIsThereForTheSakeOfTimeChangesNothing) {
    for (const WritePolicy policy : {WritePolicy::write_back, WritePolicy::no_allocate, WritePolicy::write_through}) {
        CacheShape shape = shape_of(32, 2);
        shape.write_policy = policy;
        const CacheFigures plain = figures_of(shape, 0);
        shape.banks = 4;
        shape.ports = 3;
        shape.mshrs = 16;
        shape.targets = 1;
        shape.eviction_buffer = 9;
        shape.latency = 17;
        shape.miss_latency = 18;
        shape.fill_time = 40;
        expect_equal(plain, figures_of(shape, 0));
    }
}

TEST(CacheStudy, ASectorThatIsAbsentIsAMissOfItsLine) {
    CacheShape shape = shape_of(2, 2);
    shape.line_bytes = 128;
    shape.sector_bytes = 32;
    CacheStudy study(shape);
    for (const Address address : {0U, 32U, 64U, 0U}) study.access(address, false);
    const CacheFigures figures = study.figures();
    EXPECT_EQ(figures.cold, 3U);
    EXPECT_EQ(figures.hits, 1U);
    EXPECT_EQ(figures.bytes_fetched, 96U);
}

RC_GTEST_PROP(CacheStudy, MissesAddUpAndTheOptimumIsNeverBelow, ()) {
    CacheShape shape = shape_of(1U << *rc::gen::inRange(1, 4), *rc::gen::inRange(1U, 5U));
    shape.line_bytes = *rc::gen::element(32U, 64U, 128U);
    shape.sector_bytes = shape.line_bytes;
    shape.array.replacement = *rc::gen::inRange<std::size_t>(0, Replacement::names.size());
    shape.write_policy =
        *rc::gen::element(WritePolicy::write_back, WritePolicy::no_allocate, WritePolicy::write_through);
    CacheStudy study(shape);
    const auto addresses = *rc::gen::container<std::vector<Address>>(1000, rc::gen::inRange<Address>(0, 8192));
    for (const Address address : addresses) study.access(address, address % 3 == 0);
    const CacheFigures figures = study.figures();
    RC_ASSERT(figures.accesses == addresses.size());
    RC_ASSERT(figures.hits + figures.misses == figures.accesses);
    RC_ASSERT(figures.cold + figures.capacity + figures.conflict == figures.misses);
    RC_ASSERT(figures.optimal_hits >= figures.hits);
    std::uint64_t reused = figures.first_accesses;
    for (const std::uint64_t count : figures.reuse) reused += count;
    RC_ASSERT(reused == figures.accesses);
}

}  // namespace
}  // namespace models
