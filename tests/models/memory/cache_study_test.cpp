#include "models/memory/cache_study.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/draws.h"

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
    engine::Draws draws(3, 0);
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
}

TEST(CacheStudy, ASectorThatIsAbsentIsAMissOfItsLine) {
    CacheShape shape = shape_of(2, 2);
    shape.line_bytes = 128;
    shape.sector_bytes = 32;
    CacheStudy study(shape);
    for (const Address address : {0, 32, 64, 0}) study.access(address, false);
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
    CacheStudy study(shape);
    const auto addresses = *rc::gen::container<std::vector<Address>>(rc::gen::inRange<Address>(0, 8192));
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
