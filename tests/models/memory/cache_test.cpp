#include "models/memory/cache.h"

#include <map>
#include <random>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/memory/cache_fixture.h"

namespace models {
namespace {

using engine::Time;
using Outcome = Cache::Outcome;
using testing::ElementsAre;

TEST_F(CacheTest, AMissGoesToMemoryAfterTheLookupAndTheNextReadHits) {
    build();
    read(10, 7, 42);
    read(500, 7);
    simulation.run({});
    EXPECT_THAT(outcomes, ElementsAre(Outcome::waiting, Outcome::hit));
    ASSERT_EQ(memory->seen.size(), 1U);
    EXPECT_EQ(memory->seen[0].first, 10 + lookup + 1);
    EXPECT_EQ(memory->seen[0].second.block, 7U);
    EXPECT_EQ(memory->seen[0].second.client, MemoryClient::vertex);
    EXPECT_EQ(memory->seen[0].second.tag.part, 5);
    EXPECT_THAT(filled, ElementsAre(std::pair<Time, std::uint32_t>{10 + miss_time, 42}));
    EXPECT_EQ(cache->latency(), lookup);
    EXPECT_TRUE(cache->is_idle());
    expect_laws();
}

TEST_F(CacheTest, ReadsOfALineInFlightJoinAndAreServedInTheirOrder) {
    build();
    read(10, 7, 1);
    read(11, 7, 3);
    read(12, 7, 2);
    simulation.run({});
    EXPECT_EQ(memory->seen.size(), 1U);
    EXPECT_EQ(cache->merged.value(), 2U);
    const Time then = 10 + miss_time;
    EXPECT_THAT(filled, ElementsAre(std::pair{then, 1U}, std::pair{then, 3U}, std::pair{then, 2U}));
    expect_laws();
}

TEST_F(CacheTest, RefusesWithoutAnMshr) {
    build();
    for (BlockNumber block = 0; block < 3; ++block) read(10, block);
    read(500, 2);
    simulation.run({});
    EXPECT_THAT(outcomes, ElementsAre(Outcome::waiting, Outcome::waiting, Outcome::refused, Outcome::waiting));
    EXPECT_EQ(cache->refusals.value(), 1U);
    expect_laws();
}

TEST_F(CacheTest, RefusesWithoutRoomToWait) {
    parameters.targets.set("2");
    build();
    for (std::uint32_t waiter = 0; waiter < 3; ++waiter) read(10, 7, waiter);
    simulation.run({});
    EXPECT_THAT(outcomes, ElementsAre(Outcome::waiting, Outcome::waiting, Outcome::refused));
    EXPECT_EQ(filled.size(), 2U);
    expect_laws();
}

TEST_F(CacheTest, RefusesWithoutACredit) {
    build(1);
    read(10, 1);
    read(11, 2);
    read(11, 1);  // needs none
    read(10 + miss_time, 2);
    simulation.run({});
    EXPECT_THAT(outcomes, ElementsAre(Outcome::waiting, Outcome::refused, Outcome::waiting, Outcome::waiting));
    expect_laws();
}

TEST_F(CacheTest, FetchesALineThatIsWrittenInPartAndSendsItBackWhenItIsPushedOut) {
    build();
    write_back_from(0);
    write(10, 0);
    read(500, 2);   // the same set
    read(1000, 4);  // pushes 0 out
    read(1500, 6);  // pushes 2 out, which is clean
    simulation.run({});
    EXPECT_THAT(blocks(MemoryOperation::read), ElementsAre(0, 2, 4, 6));
    EXPECT_THAT(blocks(MemoryOperation::write_line), ElementsAre(0));
    EXPECT_EQ(cache->written_back.value(), 1U);
    EXPECT_EQ(cache->read_accesses.value(), 3U);
    EXPECT_EQ(cache->write_accesses.value(), 1U);
    EXPECT_TRUE(cache->is_clean());
    expect_laws();
}

TEST_F(CacheTest, AReadThatIsJoinedByAWriteBringsAWrittenLine) {
    build();
    read(10, 1);
    write(11, 1);
    read(12, 1);
    write_back_from(400);
    host->at(400, [this](Time) { cache->begin_flush(); });
    simulation.run({});
    EXPECT_THAT(blocks(MemoryOperation::write_line), ElementsAre(1));
}

TEST_F(CacheTest, AFlushSendsEveryWrittenLineOnceAndLeavesNone) {
    build();
    for (const BlockNumber block : {0U, 1U}) write(10, block);
    read(200, 2);
    write(400, 0);  // a hit
    write_back_from(600);
    Time clean_at = 0;
    host->at(600, [this](Time) { cache->begin_flush(); });
    for (Time time = 600; time < 800; ++time)
        host->at(time, [&, this](Time now) {
            if (clean_at == 0 && cache->is_clean()) clean_at = now;
        });
    read(900, 0);  // is gone
    read(900, 2);  // so is what was not written
    simulation.run({});
    EXPECT_THAT(blocks(MemoryOperation::write_line), testing::UnorderedElementsAre(0, 1));
    EXPECT_EQ(clean_at, 601 + miss_time);  // two lines in two cycles
    EXPECT_EQ(outcomes[outcomes.size() - 2], Outcome::waiting);
    EXPECT_EQ(outcomes.back(), Outcome::waiting);
    expect_laws();
}

TEST_F(CacheTest, ForgetsLinesThatOthersHaveWritten) {
    build();
    read(10, 0);
    read(10, 1);
    host->at(500, [this](Time) { cache->invalidate([](BlockNumber block) { return block == 1; }); });
    read(501, 0);
    read(501, 1);
    simulation.run({});
    EXPECT_THAT(outcomes, ElementsAre(Outcome::waiting, Outcome::waiting, Outcome::hit, Outcome::waiting));
    EXPECT_EQ(cache->invalidations.value(), 1U);
}

TEST_F(CacheTest, LosesNoWriteWhateverComesInWhateverOrder) {
    parameters.mshrs.set("3");
    build(4);
    std::mt19937 random(7);
    std::map<BlockNumber, Time> last_write;
    Time time = 0;
    for (int i = 0; i < 5000; ++i) {
        time += static_cast<Time>(random() % 12);
        const auto block = static_cast<BlockNumber>(random() % 12);
        const bool writes = random() % 2 == 0, drains = random() % 3 == 0;
        host->at(time, [=, this, &last_write](Time now) {
            const Outcome outcome = writes ? cache->write(now, block, 0, {}) : cache->read(now, block, 0, {});
            if (writes && Cache::is_served(outcome)) last_write[block] = now;
            if (drains) cache->write_back(now);
        });
    }
    write_back_from(time + 1000);
    host->at(time + 1000, [this](Time) { cache->begin_flush(); });
    simulation.run({});
    EXPECT_TRUE(cache->is_idle());
    EXPECT_GT(cache->refusals.value(), 0U);
    std::map<BlockNumber, Time> last_sent;
    for (const auto& [at, request] : memory->seen)
        if (request.operation == MemoryOperation::write_line) last_sent[request.block] = at;
    for (const auto& [block, at] : last_write) EXPECT_GT(last_sent[block], at) << block;
    EXPECT_EQ(cache->written_back.value(), blocks(MemoryOperation::write_line).size());
    expect_laws();
}

TEST_F(CacheTest, ABankServesOneLookupACycleAndNeighbouringLinesAreInDifferentBanks) {
    parameters.ports.set("1");
    build();  // two banks
    for (const BlockNumber block : {0U, 1U}) read(10, block);
    for (const BlockNumber block : {0U, 1U, 0U}) read(500, block);
    read(501, 0);
    simulation.run({});
    EXPECT_THAT(outcomes, ElementsAre(Outcome::waiting, Outcome::waiting, Outcome::hit, Outcome::hit, Outcome::busy,
                                      Outcome::hit));
    EXPECT_EQ(cache->conflicts.value(), 1U);
    expect_laws();
}

// As with lines of which one core in many is the home (s_nuca).
TEST_F(CacheTest, LinesOfOneLowestBitAreInBothBanksWhereTheyAreInBothSets) {
    parameters.ports.set("1");
    parameters.index.set("folded");
    build();
    for (const BlockNumber block : {0U, 2U}) read(10, block);
    for (const BlockNumber block : {0U, 2U, 3U}) read(500, block);
    simulation.run({});
    EXPECT_THAT(outcomes, ElementsAre(Outcome::waiting, Outcome::waiting, Outcome::hit, Outcome::hit, Outcome::busy));
    expect_laws();
}

TEST_F(CacheTest, AFillKeepsItsBankBusy) {
    parameters.fill_cycles.set("3");
    build();
    read(10, 0);
    for (Time after = 0; after < 4; ++after) {
        read(10 + miss_time + after, 0);  // comes after the answer
        read(10 + miss_time + after, 1);  // the other bank
    }
    simulation.run({});
    std::vector<Outcome> same, other;
    for (std::size_t i = 1; i < outcomes.size(); ++i) (i % 2 == 1 ? same : other).push_back(outcomes[i]);
    EXPECT_THAT(same, ElementsAre(Outcome::busy, Outcome::busy, Outcome::busy, Outcome::hit));
    EXPECT_THAT(other, testing::Not(testing::Contains(Outcome::busy)));
}

TEST_F(CacheTest, DataWaitInTheirMshrWhenTheEvictionBufferIsFullAndAreFoundThere) {
    parameters.eviction_buffer.set("2");
    parameters.mshrs.set("8");
    parameters.banks.set("1");
    build();
    for (const BlockNumber block : {0U, 2U}) write(10, block);       // both ways of a set
    for (const BlockNumber block : {1U, 3U}) write(10, block);       // and of the other one
    for (const BlockNumber block : {4U, 5U, 6U}) write(500, block);  // push out three; the buffer has two places
    for (const BlockNumber block : {4U, 5U, 6U}) read(1000, block);
    host->at(1000, [this](Time) { EXPECT_TRUE(cache->awaits_lines()); });
    write_back_from(1001);
    host->at(2000, [this](Time) { EXPECT_FALSE(cache->awaits_lines()); });
    for (const BlockNumber block : {4U, 5U, 6U}) read(2000, block);
    simulation.run({});
    for (std::size_t i = 7; i < outcomes.size(); ++i) EXPECT_EQ(outcomes[i], Outcome::hit) << i;
    EXPECT_EQ(blocks(MemoryOperation::write_line).size(), 3U);
    expect_laws();
}

TEST_F(CacheTest, ALineThatIsOnItsWayOutIsNotFetchedBeforeItHasLeft) {
    build();
    write(10, 0);
    for (const BlockNumber block : {2U, 4U}) read(500, block);  // 0 goes to the eviction buffer
    read(1000, 0);
    write_back_from(1001);
    read(1002, 0);
    simulation.run({});
    EXPECT_EQ(outcomes[3], Outcome::refused);
    EXPECT_EQ(outcomes[4], Outcome::waiting);
    std::vector<MemoryOperation> of_line;
    for (const auto& [time, request] : memory->seen)
        if (request.block == 0) of_line.push_back(request.operation);
    EXPECT_THAT(of_line, ElementsAre(MemoryOperation::read, MemoryOperation::write_line, MemoryOperation::read));
}

TEST_F(CacheTest, LongLinesBringTwoBlocksAndSectorsOnlyWhatIsAsked) {
    parameters.line.set("128 B");
    build();
    read(10, 6);
    read(500, 7);
    simulation.run({});
    ASSERT_EQ(memory->seen.size(), 1U);
    EXPECT_EQ(memory->seen[0].second.block, 6U);
    EXPECT_EQ(memory->seen[0].second.sectors, 0b1111);
    EXPECT_EQ(outcomes.back(), Outcome::hit);
}

TEST_F(CacheTest, SectorsOfALineComeOneByOne) {
    parameters.line.set("128 B");
    parameters.sector.set("32 B");
    build();
    const auto read_at = [this](Time time, BlockNumber block, SectorMask sectors) {
        host->at(time, [=, this](Time now) { outcomes.push_back(cache->read(now, block, 0, {}, sectors)); });
    };
    read_at(10, 7, 0b01);
    read_at(500, 7, 0b11);
    read_at(1000, 6, 0b10);
    simulation.run({});
    ASSERT_EQ(memory->seen.size(), 3U);
    const std::vector<int> fetched{memory->seen[0].second.sectors, memory->seen[1].second.sectors,
                                   memory->seen[2].second.sectors};
    EXPECT_THAT(fetched, ElementsAre(0b0100, 0b1000, 0b0010));
    EXPECT_TRUE(cache->holds(7));
    EXPECT_FALSE(cache->holds(6));
    EXPECT_EQ(cache->fills.value(), 3U);
}

TEST_F(CacheTest, ASectorOnItsWayIsNotFetchedAgainForThoseWhoWantMore) {
    parameters.sector.set("32 B");
    build();
    const auto read_at = [this](Time time, std::uint32_t waiter, SectorMask sectors) {
        host->at(time, [=, this](Time now) { outcomes.push_back(cache->read(now, 5, waiter, {}, sectors)); });
    };
    read_at(10, 1, 0b01);
    read_at(12, 2, 0b11);
    read_at(14, 3, 0b11);
    simulation.run({});
    ASSERT_EQ(memory->seen.size(), 2U);
    EXPECT_EQ(memory->seen[0].second.sectors, 0b01);
    EXPECT_EQ(memory->seen[1].second.sectors, 0b10);
    EXPECT_THAT(outcomes, ElementsAre(Outcome::waiting, Outcome::waiting_both, Outcome::waiting_both));
    const Time first = 10 + miss_time, second = 12 + miss_time;
    using Filled = std::pair<Time, std::uint32_t>;
    EXPECT_THAT(filled, ElementsAre(Filled{first, 1}, Filled{first, 2}, Filled{first, 3}, Filled{second, 2},
                                    Filled{second, 3}));
    EXPECT_EQ(cache->misses.value(), 2U);
    EXPECT_EQ(cache->merged.value(), 1U);
    EXPECT_TRUE(cache->holds(5));
}

TEST_F(CacheTest, AReadOfASectorThatIsThereAndOneOnItsWayWaitsForThatAlone) {
    parameters.sector.set("32 B");
    build();
    const auto read_at = [this](Time time, SectorMask sectors) {
        host->at(time, [=, this](Time now) { outcomes.push_back(cache->read(now, 5, 0, {}, sectors)); });
    };
    read_at(10, 0b01);
    read_at(500, 0b10);
    read_at(502, 0b11);
    simulation.run({});
    EXPECT_EQ(memory->seen.size(), 2U);
    EXPECT_THAT(outcomes, ElementsAre(Outcome::waiting, Outcome::waiting, Outcome::waiting));
    EXPECT_EQ(cache->merged.value(), 1U);
}

TEST_F(CacheTest, ABlockOfTwoShortLinesWaitsForBoth) {
    parameters.line.set("32 B");
    build();
    read(10, 5, 3);
    simulation.run({});
    EXPECT_THAT(outcomes, ElementsAre(Outcome::waiting_both));
    EXPECT_EQ(Cache::lines_awaited(outcomes[0]), 2);
    EXPECT_THAT(filled, ElementsAre(std::pair<Time, std::uint32_t>{10 + miss_time, 3},
                                    std::pair<Time, std::uint32_t>{11 + miss_time, 3}));
    EXPECT_EQ(memory->seen[0].second.sectors, 0b01);
    EXPECT_EQ(memory->seen[1].second.sectors, 0b10);
    EXPECT_TRUE(cache->holds(5));
}

TEST_F(CacheTest, ForgetsARangeOfBlocks) {
    parameters.line.set("128 B");
    build();
    for (const BlockNumber block : {0U, 2U}) read(10, block);
    host->at(500, [this](Time) { cache->invalidate_range(3, 1); });
    for (const BlockNumber block : {1U, 2U}) read(501, block);
    simulation.run({});
    EXPECT_EQ(outcomes[2], Outcome::hit);
    EXPECT_EQ(outcomes[3], Outcome::waiting);  // the line has block 3, too
}

TEST_F(CacheTest, WritesThroughPassTheCacheAndLeaveItClean) {
    parameters.write_policy.set("write_through");
    build();
    read(10, 0);
    for (const BlockNumber block : {0U, 1U}) write(500, block);
    read(1000, 1);
    simulation.run({});
    EXPECT_THAT(outcomes, ElementsAre(Outcome::waiting, Outcome::hit, Outcome::hit, Outcome::waiting));
    EXPECT_THAT(blocks(MemoryOperation::write_part), ElementsAre(0, 1));
    EXPECT_EQ(cache->dirty_lines(), 0U);
    EXPECT_TRUE(cache->is_clean());
    EXPECT_EQ(cache->written_through.value(), 1U);
    EXPECT_EQ(cache->passed_on.value(), 1U);
    EXPECT_EQ(cache->read_accesses.value(), 2U);
    EXPECT_EQ(cache->write_accesses.value(), 1U);  // the hit: what is passed on writes nothing here
    expect_laws();
}

}  // namespace
}  // namespace models
