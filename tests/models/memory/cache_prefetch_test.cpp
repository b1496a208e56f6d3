// What becomes of lines that a cache brings before they are asked for, and of caches that need none of that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/memory/cache_fixture.h"

namespace models {
namespace {

using engine::Time;
using Outcome = Cache::Outcome;
using testing::ElementsAre;

TEST_F(CacheTest, TellsUsedLateAndUselessPrefetchesApart) {
    parameters.mshrs.set("8");
    build();
    const auto prefetch = [&](Time time, BlockNumber block) {
        host->at(time, [=, this](Time now) { EXPECT_NE(cache->prefetch(now, block, {}), Cache::Prefetched::put_off); });
    };
    prefetch(10, 0);  // used
    prefetch(10, 1);  // late
    prefetch(10, 2);  // useless
    read(20, 1);
    read(500, 0);
    read(501, 0);
    for (const BlockNumber block : {4U, 6U}) read(1000, block);  // push out 0 and 2
    prefetch(1500, 4);                                           // there already
    simulation.run({});
    EXPECT_EQ(cache->prefetches.value(), 3U);
    EXPECT_EQ(cache->prefetches_used.value(), 1U);
    EXPECT_EQ(cache->prefetches_late.value(), 1U);
    EXPECT_EQ(cache->prefetches_useless.value(), 1U);
    EXPECT_EQ(outcomes[0], Outcome::waiting);  // joined
    EXPECT_EQ(outcomes[1], Outcome::hit);
    expect_laws();
}

TEST_F(CacheTest, TellsEarlyAndPollutingPrefetches) {
    parameters.mshrs.set("8");
    build();
    const auto prefetch = [&](Time time, BlockNumber block) {
        host->at(time, [=, this](Time now) { EXPECT_NE(cache->prefetch(now, block, {}), Cache::Prefetched::put_off); });
    };
    prefetch(10, 0);
    for (const BlockNumber block : {2U, 4U}) read(500 * Time{block}, block);  // push out 0
    read(2500, 0);                                                            // it went too early
    read(3000, 2);                                                            // went as well, but for the 0
    for (const BlockNumber block : {1U, 3U}) read(4000, block);
    prefetch(5000, 5);  // pushes out 1
    read(5500, 1);      // pushes out 3
    read(6000, 3);      // went for the 1, which was asked for; pushes out 5
    simulation.run({});
    cache->end_frame();
    EXPECT_EQ(cache->prefetches_early.value(), 1U);
    EXPECT_EQ(cache->prefetches_polluting.value(), 1U);
    EXPECT_EQ(cache->prefetches_useless.value(), 2U);
    expect_laws();
}

TEST_F(CacheTest, PrefetchedLinesThatAreForgottenAreUselessNotEarly) {
    parameters.mshrs.set("8");
    build();
    host->at(10, [this](Time now) {
        for (const BlockNumber block : {0U, 1U, 2U})
            EXPECT_NE(cache->prefetch(now, block, {}), Cache::Prefetched::put_off);
    });
    host->at(500, [this](Time) { cache->invalidate_range(0, 1); });
    read(600, 0);
    host->at(1000, [this](Time) { cache->begin_flush(); });
    read(1100, 1);
    simulation.run({});
    cache->end_frame();
    EXPECT_EQ(cache->prefetches_useless.value(), 3U);
    EXPECT_EQ(cache->prefetches_early.value(), 0U);
    expect_laws();
}

TEST_F(CacheTest, LeavesAnMshrThatIsNotForPrefetches) {
    build();  // two of them
    host->at(10, [this](Time now) {
        EXPECT_EQ(cache->prefetch(now, 0, {}), Cache::Prefetched::requested);
        EXPECT_EQ(cache->prefetch(now, 1, {}), Cache::Prefetched::put_off);
    });
    read(10, 1);
    simulation.run({});
    EXPECT_THAT(outcomes, ElementsAre(Outcome::waiting));
}

TEST_F(CacheTest, APerfectOneHitsAlwaysAndSendsNothing) {
    parameters.perfect.set("true");
    parameters.prefetcher.set("next_line");
    parameters.ports.set("1");
    build(0);  // no credit is needed
    read(10, 7);
    read(10, 9);  // its bank is taken
    read(11, 9);
    write(12, 7);
    host->at(13, [this](Time now) {
        outcomes.push_back(
            cache->access(now, {3, block_sectors, Cache::Kind::write_line, MemoryClient::vertex, 0, Attribution{}}));
    });
    write_back_from(14);
    host->at(20, [this](Time now) { EXPECT_EQ(cache->prefetch(now, 100, {}), Cache::Prefetched::there); });
    host->at(30, [this](Time) { cache->begin_flush(); });
    simulation.run({});
    cache->end_frame();
    EXPECT_THAT(outcomes, ElementsAre(Outcome::hit, Outcome::busy, Outcome::hit, Outcome::hit, Outcome::hit));
    EXPECT_TRUE(memory->seen.empty());
    EXPECT_EQ(cache->hits.value(), 4U);
    EXPECT_EQ(cache->conflicts.value(), 1U);
    EXPECT_TRUE(cache->holds(12345));
    EXPECT_TRUE(cache->is_idle());
    expect_laws();
}

TEST_F(CacheTest, APerfectOneOfShortLinesCountsBoth) {
    parameters.perfect.set("true");
    parameters.line.set("32 B");
    build(0);
    read(10, 7);
    host->at(11, [this](Time now) { outcomes.push_back(cache->read(now, 7, 0, {}, SectorMask{2})); });
    simulation.run({});
    EXPECT_THAT(outcomes, ElementsAre(Outcome::hit, Outcome::hit));
    EXPECT_EQ(cache->accesses.value(), 3U);
    expect_laws();
}

TEST_F(CacheTest, WhatIsWrittenPastAPerfectOneGoesOn) {
    parameters.perfect.set("true");
    build();
    host->at(10, [this](Time) { EXPECT_TRUE(cache->write_around(7, block_sectors, MemoryClient::colour)); });
    write_back_from(11);
    simulation.run({});
    EXPECT_THAT(blocks(MemoryOperation::write_line), ElementsAre(7U));
    EXPECT_TRUE(cache->is_idle());
    expect_laws();
}

TEST_F(CacheTest, WithoutAPrefetcherBringsNothingThatNobodyAskedFor) {
    build();
    for (BlockNumber block = 0; block < 10; ++block) read(10 + 200 * Time{block}, block);
    simulation.run({});
    EXPECT_EQ(memory->seen.size(), 10U);
    EXPECT_EQ(cache->prefetches.value(), 0U);
}

}  // namespace
}  // namespace models
