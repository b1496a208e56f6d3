// What follows from the timing by hand, as ../shared/data/dram/README.md has it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/memory/dram/dram_fixture.h"

namespace models {
namespace {

using engine::Time;

// Latencies of reads of these addresses, each after the one before.
std::vector<Time> latencies(const TestDram& memory, const std::vector<Address>& addresses) {
    std::vector<Time> all;
    DramDriver driver(memory.dram);
    DramLoad load;
    load.arrival = DramArrival::chase;
    load.next = [&addresses, next = std::size_t{0}]() mutable -> std::optional<DramAccess> {
        if (next == addresses.size()) return {};
        return DramAccess{addresses[next++], false, 0};
    };
    return driver.play(load).latencies;
}

// Sorted: the latencies of a hit, of a closed bank, of a conflict. A cycle is spent in the queue.
TEST(ClosedForms, OfAnIdleMemoryHold) {
    TestDram wide("lpddr3-1600", 1, 64);
    wide.set("refresh", "off");
    const std::vector<Address> addresses{0, 64, 65536};
    EXPECT_EQ(latencies(wide, addresses), (std::vector<Time>{17, 32, 47}));  // 21.25, 40, 58.75 ns
    TestDram narrow("lpddr3-1600", 1, 32);
    narrow.set("refresh", "off");
    EXPECT_EQ(latencies(narrow, addresses), (std::vector<Time>{21, 36, 51}));  // a second burst
}

TEST(ClosedForms, FourActivatesAWindowBoundRandomReads) {
    TestDram memory("lpddr3-1600", 1, 64);
    memory.set("refresh", "off");
    const DramFigures figures = memory.play(memory.pattern(DramOrder::random, 20'000));
    const double opening = figures.bandwidth * (1 - figures.row_hit_ratio);  // of reads that have a row opened
    EXPECT_LE(opening, 5.12e9);
    EXPECT_GE(opening, 0.99 * 5.12e9);
}

TEST(ClosedForms, RefreshTakesItsShareOfAStream) {
    TestDram with("lpddr3-1600", 1, 64), without("lpddr3-1600", 1, 64);
    without.set("refresh", "off");
    const DramPattern stream = with.pattern(DramOrder::sequential, 100'000);
    const double full = without.play(stream).bandwidth;
    EXPECT_NEAR(full, 12.8e9, 0.003 * 12.8e9);
    const double loss = 1 - with.play(stream).bandwidth / full;  // the refresh, and closing and opening rows
    EXPECT_GE(loss, 168.0 / 3120);
    EXPECT_LE(loss, (168.0 + 17 + 15 + 12) / 3120);
}

TEST(ClosedForms, TheRowHitRatioOfAStrideIsTheShareOfARowThatItLeaves) {
    TestDram memory("lpddr3-1600", 1, 64);
    memory.set("refresh", "off");
    for (const std::uint64_t stride : {64U, 128U, 512U, 2048U, 4096U, 8192U}) {
        DramPattern pattern = memory.pattern(DramOrder::stride, 16'384);
        pattern.stride = stride;
        EXPECT_NEAR(memory.play(pattern).row_hit_ratio, 1 - static_cast<double>(stride) / 8192, 1e-9) << stride;
    }
}

// Of a bank that was read just before, the row is still being closed: the next activate waits for tRC. Between two
// activates there are otherwise 33 cycles, the latency and one.
TEST(ClosedForms, AClosedPageMakesEveryRandomReadAMiss) {
    TestDram memory("lpddr3-1600", 1, 64);
    memory.set("refresh", "off");
    memory.set("page", "closed");
    DramPattern chase = memory.pattern(DramOrder::random, 1000);
    chase.is_chase = true;
    const DramFigures figures = memory.play(chase);
    for (const Time latency : figures.latencies) EXPECT_THAT(latency, testing::AnyOf(32, 32 + 49 - 33));
    EXPECT_EQ(figures.latency_percentile(80), 32);
    EXPECT_EQ(figures.row_hit_ratio, 0);
}

// A stream over all bank groups moves a burst every tCCD_S, one within a row every tCCD_L.
TEST(ClosedForms, BankGroupsHalveAStreamThatDoesNotChangeThem) {
    TestDram memory("lpddr5-6400");
    memory.set("refresh", "off");
    DramPattern stream = memory.pattern(DramOrder::sequential, 50'000);
    EXPECT_NEAR(memory.play(stream).bandwidth, 12.8e9, 0.01 * 12.8e9);
    memory.set("mapping", "row_bank_column");
    stream.footprint = 2048;
    EXPECT_NEAR(memory.play(stream).bandwidth, 6.4e9, 0.001 * 6.4e9);
}

TEST(ClosedForms, RefreshOfBanksInTurnDisturbsLess) {
    TestDram all("lpddr3-1600"), turns("lpddr3-1600");
    turns.set("refresh", "per_bank");
    DramPattern load = all.pattern(DramOrder::random, 50'000);
    load.load = 0.3;
    EXPECT_LT(turns.play(load).latency_percentile(99), all.play(load).latency_percentile(99));
}

}  // namespace
}  // namespace models
