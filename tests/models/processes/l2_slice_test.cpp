#include "models/processes/l2_slice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/processes/l2_slice_fixture.h"

namespace models {
namespace {

using testing::ElementsAre;

TEST_F(L2SliceTest, AnswersAHitAfterItsLatency) {
    build();
    request(10, 5);
    request(1000, 5);
    simulation.run({});
    EXPECT_EQ(answers()[1], 1018);
    EXPECT_EQ(counter("hits"), 1U);
    EXPECT_EQ(counter("misses"), 1U);
}

TEST_F(L2SliceTest, AnswersAMissAfterItsLatencyPlusTheTimeOfDram) {
    build();
    request(10, 5);
    simulation.run({});
    // 6 cycles of tags, a tick there, 500 ticks, a tick back, 12 cycles of data: 18 cycles and 502 ticks.
    EXPECT_THAT(sink.times(), ElementsAre((10 + 18) * period + 502 + 1));
    ASSERT_EQ(dram->seen.size(), 1U);
    EXPECT_EQ(dram->seen[0].first, (10 + 6) * period + 1);
    EXPECT_EQ(dram->seen[0].second.block, 5U);
}

TEST_F(L2SliceTest, KnowsTheLatenciesOfHitsAndMisses) {
    observed.latency = true;
    observed.period = period;
    build();
    request(10, 5);
    request(1000, 5);
    request(1000, 6, MemoryOperation::write_line);  // a cycle later
    simulation.run({});
    const auto of_bin = [&](const std::string& name, std::uint64_t value) {
        for (const engine::CounterInfo& info : slice->counters().all())
            if (info.name == name && info.bins->bin_of(value) == info.bin) return *info.value;
        return std::uint64_t{0};
    };
    EXPECT_EQ(counter("hit_latency_texture"), 2U);
    EXPECT_EQ(of_bin("hit_latency_texture", 18), 2U);  // 18 and 19
    EXPECT_EQ(counter("miss_latency_texture"), 1U);
    EXPECT_EQ(of_bin("miss_latency_texture", 18 + 502 / period), 1U);
    EXPECT_EQ(counter("hit_latency_colour"), 0U);
    expect_laws();
}

TEST_F(L2SliceTest, SaysWhoseRequestsWaitedForALine) {
    build();
    request(10, 5, MemoryOperation::read, 0, 1);
    request(12, 5, MemoryOperation::read, 1, 2);  // joins
    request(1000, 5, MemoryOperation::read, 1, 3);
    request(1001, 6, MemoryOperation::write_line, 0, 4);
    simulation.run({});
    std::vector<int> late;
    for (const auto& [time, reply] : sink.arrivals)
        if (reply.has_waited != 0) late.push_back(reply.tag.entry);
    EXPECT_THAT(late, ElementsAre(1, 2));
    EXPECT_EQ(sink.arrivals.size(), 4U);
    EXPECT_EQ(counter("waited"), 2U);
}

TEST_F(L2SliceTest, ServesOneRequestACycleInOrder) {
    build();
    for (BlockNumber block = 0; block < 4; ++block) request(10, block);
    simulation.run({});
    for (BlockNumber block = 0; block < 4; ++block)
        request(1000, block, MemoryOperation::read, 0, static_cast<std::uint16_t>(block));
    simulation.run({});
    std::vector<Time> hits = answers();
    hits.erase(hits.begin(), hits.begin() + 4);
    EXPECT_THAT(hits, ElementsAre(1018, 1019, 1020, 1021));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(sink.arrivals[4 + i].message.tag.entry, i);
}

TEST_F(L2SliceTest, FetchesALineOnceForSeveralRequesters) {
    build();
    request(10, 5, MemoryOperation::read, 0, 1);
    request(12, 5, MemoryOperation::read, 1, 2);
    simulation.run({});
    EXPECT_EQ(dram->seen.size(), 1U);
    EXPECT_EQ(counter("merged"), 1U);
    ASSERT_EQ(answers(1).size(), 1U);
    EXPECT_EQ(sink.arrivals[1].message.tag.entry, 2U);
    EXPECT_EQ(answers(1)[0], answers(0)[0] + 1);
}

TEST_F(L2SliceTest, AnswersWhoWantsTwoSectorsThatComeApartOnceAndWhenBothAreThere) {
    parameters.l2.sector.set("32 B");
    build();
    request(10, 5, MemoryOperation::read, 0, 1, MemoryClient::vertex, 0b01);
    request(20, 5, MemoryOperation::read, 1, 2, MemoryClient::vertex, 0b11);
    simulation.run({});
    ASSERT_EQ(dram->seen.size(), 2U);
    EXPECT_EQ(dram->seen[1].second.sectors, 0b10);
    ASSERT_EQ(answers(1).size(), 1U);
    EXPECT_EQ(answers(1)[0], answers(0)[0] + 10);
    expect_laws();
}

TEST_F(L2SliceTest, DoesNotFetchALineThatIsWrittenWhole) {
    build();
    request(10, 5, MemoryOperation::write_line);
    simulation.run({});
    EXPECT_TRUE(dram->seen.empty());
    EXPECT_THAT(answers(), ElementsAre(28));
    EXPECT_EQ(slice->cache().dirty_lines(), 1U);
    EXPECT_EQ(counter("allocations"), 1U);
}

TEST_F(L2SliceTest, FetchesALineThatIsWrittenInPart) {
    build();
    request(10, 5, MemoryOperation::write_part);
    simulation.run({});
    EXPECT_EQ(dram->seen.size(), 1U);
    EXPECT_FALSE(dram->seen[0].second.write);
    EXPECT_EQ(slice->cache().dirty_lines(), 1U);
}

TEST_F(L2SliceTest, WritesADirtyLineBackThroughTheEvictionBuffer) {
    parameters.l2.capacity.set("4 KiB");  // 8 sets of 8 ways
    build();
    for (BlockNumber way = 0; way < 8; ++way) request(10 + 100 * way, way * 8, MemoryOperation::write_line);
    request(1000, 64);
    request(2000, 128, MemoryOperation::write_line);
    simulation.run({});
    ASSERT_EQ(dram->seen.size(), 3U);
    EXPECT_FALSE(dram->seen[0].second.write);  // somebody waits for it
    EXPECT_EQ(dram->seen[0].second.block, 64U);
    EXPECT_TRUE(dram->seen[1].second.write);
    EXPECT_EQ(dram->seen[1].second.block, 0U);
    EXPECT_TRUE(dram->seen[2].second.write);
    EXPECT_EQ(dram->seen[2].second.block, 8U);
    EXPECT_EQ(counter("write_backs"), 2U);
    EXPECT_EQ(counter("write_acknowledgements"), 2U);
    expect_laws();
}

TEST_F(L2SliceTest, WritesThroughWithoutAPlaceInTheCacheAndAnswersAtOnce) {
    build();
    request(10, 5, MemoryOperation::write_through);
    request(1000, 5);
    simulation.run({});
    ASSERT_EQ(dram->seen.size(), 2U);
    EXPECT_TRUE(dram->seen[0].second.write);
    EXPECT_EQ(answers()[0], 10 + 18);
    EXPECT_EQ(counter("misses"), 1U);
    EXPECT_EQ(counter("written_around"), 1U);
    EXPECT_EQ(slice->cache().dirty_lines(), 0U);
    expect_laws();
}

TEST_F(L2SliceTest, ForgetsALineThatIsWrittenThrough) {
    build();
    request(10, 5, MemoryOperation::write_line);
    request(100, 6);
    request(1000, 5, MemoryOperation::write_through);
    request(1001, 6, MemoryOperation::write_through);
    request(2000, 5);
    request(2001, 6);
    simulation.run({});
    EXPECT_EQ(counter("overwritten"), 1U);
    EXPECT_EQ(counter("write_backs"), 2U);  // of the two written past the cache
    EXPECT_EQ(counter("misses"), 3U);
    expect_laws();
}

// What was read before the driver's write is what it wrote: a driver is ahead of the GPU.
TEST_F(L2SliceTest, DropsWhatTheDriverWritesBeforeTheFrameAndKeepsItWhenTheWriteComes) {
    build();
    request(10, 5, MemoryOperation::write_line);
    request(100, 6);
    request(110, 7);
    simulation.run({});
    BlockRuns written;
    written.add({5, 2});
    written.settle();
    slice->drop(written);
    EXPECT_EQ(counter("overwritten"), 1U);
    EXPECT_EQ(counter("invalidations"), 2U);
    EXPECT_EQ(slice->cache().dirty_lines(), 0U);
    request(1000, 5);
    request(1001, 6);
    for (const BlockNumber block : {5U, 6U})
        request(2000, block, MemoryOperation::write_through, 0, 0, MemoryClient::upload);
    for (const BlockNumber block : {5U, 6U, 7U}) request(3000, block);
    simulation.run({});
    EXPECT_EQ(counter("misses"), 4U);
    EXPECT_EQ(counter("hits"), 3U);
    EXPECT_EQ(counter("written_around"), 2U);
    expect_laws();
}

TEST_F(L2SliceTest, KeepsTheWrittenHalfOfALongLineWhoseOtherHalfIsWrittenThrough) {
    parameters.l2.line.set("128 B");
    build();
    request(10, 6, MemoryOperation::write_part);  // fetches the line
    request(1000, 7, MemoryOperation::write_through);
    request(2000, 6);
    request(2001, 7);
    simulation.run({});
    ASSERT_EQ(dram->seen.size(), 3U);
    EXPECT_EQ(dram->seen[2].second.sectors, 0b1100);  // alone is absent
    EXPECT_EQ(slice->cache().dirty_lines(), 1U);
    EXPECT_EQ(counter("overwritten"), 0U);
    EXPECT_EQ(counter("merged"), 1U);  // without sectors a line is needed whole
    expect_laws();
}

TEST_F(L2SliceTest, LosesBothHalvesOfALongLineThatIsReadOnly) {
    parameters.l2.line.set("128 B");
    build();
    request(10, 6);
    request(1000, 7, MemoryOperation::write_through);
    request(2000, 6);
    simulation.run({});
    EXPECT_EQ(counter("misses"), 2U);
    EXPECT_EQ(counter("invalidations"), 1U);
    expect_laws();
}

TEST_F(L2SliceTest, LeavesALineInFlightThatIsWrittenThroughToThoseWhoWaitForIt) {
    build();
    request(10, 5);
    request(20, 5, MemoryOperation::write_through);
    simulation.run({});
    EXPECT_EQ(answers().size(), 2U);
    EXPECT_EQ(answers()[0], 20 + 18);
    expect_laws();
}

TEST_F(L2SliceTest, PutsOffWritesWhenTheEvictionBufferIsFull) {
    parameters.l2.eviction_buffer.set("2");
    build(1);
    for (BlockNumber block = 0; block < 6; ++block) request(10, block, MemoryOperation::write_through);
    simulation.run({});
    // The first leaves at once, two more have places; from then on one goes with every answer of DRAM.
    const std::vector<Time> times = answers();
    ASSERT_EQ(times.size(), 6U);
    EXPECT_THAT(std::vector<Time>(times.begin(), times.begin() + 3), ElementsAre(28, 29, 30));
    for (std::size_t i = 4; i < 6; ++i) EXPECT_GE(times[i] - times[i - 1], dram_time / period);
    EXPECT_EQ(counter("put_off"), 3U);
    EXPECT_EQ(counter("blocked"), 0U);
    expect_laws();
}

// Room in the DRAM queue goes to who waits for data before it goes to lines that are written.
TEST_F(L2SliceTest, AReadDoesNotWaitForAStreamOfWritesThrough) {
    parameters.l2.eviction_buffer.set("16");
    build(1);
    for (BlockNumber block = 0; block < 15; ++block) request(10, 100 + block, MemoryOperation::write_through);
    request(12, 5, MemoryOperation::read, 1);
    simulation.run({});
    EXPECT_LT(answers(1).at(0), 12 + 3 * dram_time / period);
    EXPECT_EQ(answers(0).size(), 15U);
    expect_laws();
}

TEST_F(L2SliceTest, AnEvictionThatFindsNoRoomWaits) {
    parameters.l2.capacity.set("4 KiB");  // 8 sets of 8 ways
    parameters.l2.eviction_buffer.set("2");
    build(1);
    for (BlockNumber way = 0; way < 8; ++way) request(10 + way, way * 8, MemoryOperation::write_line);
    for (BlockNumber next = 8; next < 14; ++next) request(1000, next * 8, MemoryOperation::write_line);
    simulation.run({});
    EXPECT_EQ(answers().size(), 14U);
    EXPECT_EQ(counter("write_backs"), 6U);
    EXPECT_GT(counter("put_off"), 0U);
    expect_laws();
}

// Without a place for a second line in flight, hits go on; a request for the line that waits does not pass it.
TEST_F(L2SliceTest, HitsPassAMissThatCannotBeServed) {
    parameters.l2.mshrs.set("1");
    build();
    request(10, 1);  // there from here on
    request(1000, 2);
    request(1001, 3, MemoryOperation::read, 0, 7);  // no MSHR
    request(1002, 1, MemoryOperation::read, 1);
    request(1003, 3, MemoryOperation::read, 0, 8);
    request(1004, 1, MemoryOperation::read, 1);
    simulation.run({});
    EXPECT_THAT(answers(1), ElementsAre(1002 + 18, 1004 + 18));
    EXPECT_THAT(tags(0), ElementsAre(0, 0, 7, 8));
    EXPECT_EQ(counter("put_off"), 2U);
    expect_laws();
}

TEST_F(L2SliceTest, NoMoreThanTheMissQueueHoldsIsPassed) {
    parameters.l2.mshrs.set("1");
    parameters.l2.miss_queue.set("2");
    build();
    request(10, 1);
    for (const BlockNumber block : {2U, 3U, 4U, 5U}) request(1000, block);
    request(1010, 1, MemoryOperation::read, 1);
    simulation.run({});
    ASSERT_EQ(answers(1).size(), 1U);
    EXPECT_GT(answers(1)[0], 1010 + dram_time / period);  // waits behind 5, for which there is no room
    EXPECT_GT(counter("blocked"), 0U);
    expect_laws();
}

// Slices take turns by lines: of two of them one has the even lines, which are neighbours there.
TEST_F(L2SliceTest, NeighbouringLinesOfASliceAreInDifferentBanks) {
    parameters.l2.slices.set("2");
    parameters.l2.banks.set("2");
    parameters.l2.fill_cycles.set("64");
    build();
    for (const BlockNumber block : {2U, 4U}) request(10, block);
    request(1000, 0);  // its line fills a bank when it comes, half-way to 1300
    request(1300, 2);
    simulation.run({});
    EXPECT_EQ(counter("bank_conflicts"), 0U);
    EXPECT_EQ(answers().at(3), 1300 + 18);
    request(2000, 6);
    request(2300, 2);
    simulation.run({});
    EXPECT_GT(counter("bank_conflicts"), 0U);
}

TEST_F(L2SliceTest, TwoBlocksOfALongLineAreFetchedTogether) {
    parameters.l2.line.set("128 B");
    build();
    request(10, 6);
    request(1000, 7);
    simulation.run({});
    ASSERT_EQ(dram->seen.size(), 1U);
    EXPECT_EQ(dram->seen[0].second.block, 6U);
    EXPECT_EQ(dram->seen[0].second.sectors, 0b1111);
    EXPECT_EQ(counter("hits"), 1U);
    expect_laws();
}

TEST_F(L2SliceTest, HandsDramTheClientWhoMadeTheLineDirty) {
    parameters.l2.capacity.set("4 KiB");
    build();
    MemoryRequest message;
    message.operation = MemoryOperation::write_line;
    message.client = MemoryClient::tile_lists;
    source.send_at(10 * period - 1, message);
    for (BlockNumber way = 1; way < 9; ++way) request(100 * Time{way}, way * 8);
    simulation.run({});
    ASSERT_EQ(counter("write_backs"), 1U);
    for (const auto& [time, request] : dram->seen)
        EXPECT_EQ(request.client, request.write ? MemoryClient::tile_lists : MemoryClient::texture);
    EXPECT_EQ(counter("misses_texture"), 8U);
    EXPECT_EQ(counter("requests_tile_lists"), 1U);
}

TEST_F(L2SliceTest, WaitsForAnMshrAndThenGoesOn) {
    parameters.l2.mshrs.set("1");
    build();
    request(10, 1);
    request(10, 2);
    simulation.run({});
    ASSERT_EQ(dram->seen.size(), 2U);
    EXPECT_GE(dram->seen[1].first, dram->seen[0].first + dram_time);
    EXPECT_EQ(answers().size(), 2U);
    EXPECT_EQ(counter("put_off"), 1U);
}

TEST_F(L2SliceTest, NeverHasMoreThanItsShareOfTheDramQueueInFlight) {
    build(2);
    for (BlockNumber block = 0; block < 6; ++block) request(10 + block, block);
    simulation.run({});
    ASSERT_EQ(dram->seen.size(), 6U);
    for (std::size_t i = 2; i < 6; ++i) EXPECT_GE(dram->seen[i].first, dram->seen[i - 2].first + dram_time);
}

TEST_F(L2SliceTest, SendsALineThroughANarrowLinkInSeveralCycles) {
    build(32, 16);
    for (const BlockNumber block : {1U, 2U}) request(10 + block, block);
    for (const BlockNumber block : {1U, 2U}) request(1000, block);
    simulation.run({});
    EXPECT_EQ(answers()[2], 1018);
    EXPECT_EQ(answers()[3], 1022);
}

// A line takes the answer port for four cycles.
TEST_F(L2SliceTest, SaysWhereItsTimeGoes) {
    build(1, 16);
    request(10, 5);                                     // tag lookup, then it waits for DRAM
    request(11, 6);                                     // no room there
    for (Time i = 0; i < 8; ++i) request(2000 + i, 5);  // hits
    simulation.run({});
    slice->end_frame();
    const auto cycles = [&](const char* state) { return counter(std::string("cycles_") + state); };
    EXPECT_GE(cycles("waits_memory"), dram_time / period);  // of the second while the first is there
    EXPECT_LT(cycles("waits_memory"), dram_time / period + 40);
    EXPECT_GE(cycles("waits_lines"), dram_time / period);
    EXPECT_LT(cycles("waits_lines"), dram_time / period + 40);
    EXPECT_GE(cycles("serve"), 2U + 8 * 4);
    EXPECT_LE(cycles("serve"), 2U + 8 * 4 + 2 * 4);
    Laws laws;
    slice->time.add_laws(laws, slice->name());
    const Ledger ledger(simulation.processes(), simulation.collect_counters());
    EXPECT_TRUE(ledger.violations(laws, 0, slice->now()).empty());
}

}  // namespace
}  // namespace models
