#include "experiments/tessera/bottleneck.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using experiments::unit_times;
using testing::HasSubstr;

// Two frames of 100 cycles. The memory is busy or opens rows; of two cores one works a little, and one waits for memory
// and for the raster. The texture cache has no states.
io::Results two_frames() {
    io::Results results;
    results.frames.resize(2);
    io::KindResults cores{"core", false, {4, 7}, {}};
    cores.counters = {{"cycles_issue", "cycle", "", {30, 0, 30, 0}, {"busy", ""}},
                      {"cycles_dependency", "cycle", "", {10, 0, 30, 0}, {"starved", "core"}},
                      {"cycles_empty", "cycle", "", {60, 40, 40, 0}, {"starved", "raster"}},
                      {"cycles_fetch", "cycle", "", {0, 20, 0, 100}, {"starved", "memory"}},
                      {"cycles_full", "cycle", "", {0, 40, 0, 0}, {"blocked", "memory"}}};
    io::KindResults caches{"texture_cache", false, {0}, {}};
    caches.counters = {{"hits", "1", "", {7, 8}}};
    io::KindResults memory{"memory", true, {0}, {}};
    memory.counters = {{"cycles_transfer", "cycle", "", {70, 90}, {"busy", ""}},
                       {"cycles_banks", "cycle", "", {20, 10}, {"starved", "memory"}},
                       {"cycles_idle", "cycle", "", {10, 0}, {"starved", "requesters"}}};
    results.kinds = {cores, caches, memory};
    return results;
}

TEST(Bottleneck, SharesAreOfTheTimeOfAllUnitsOfAKind) {
    const auto times = unit_times(two_frames(), 0, 2);
    ASSERT_EQ(times.size(), 2U);
    EXPECT_EQ(times[0].kind, "core");
    EXPECT_EQ(times[0].units, 2U);
    EXPECT_DOUBLE_EQ(times[0].busy, 60.0 / 400);
    EXPECT_DOUBLE_EQ(times[0].starved, 300.0 / 400);
    EXPECT_DOUBLE_EQ(times[0].blocked, 40.0 / 400);
    ASSERT_EQ(times[0].starved_by.size(), 3U);
    EXPECT_EQ(times[0].starved_by[0].by, "raster");
    EXPECT_DOUBLE_EQ(times[0].starved_by[0].share, 140.0 / 400);
    EXPECT_DOUBLE_EQ(times[0].waits_for("memory"), (120.0 + 40) / 400);
    EXPECT_EQ(times[0].waits_for("nobody"), 0);
}

TEST(Bottleneck, TheBusiestUnitWorksOrWaitsForItself) {
    const auto times = unit_times(two_frames(), 0, 2);
    EXPECT_DOUBLE_EQ(times[0].busiest, 100.0 / 200);
    EXPECT_DOUBLE_EQ(times[0].busiest_busy, 60.0 / 200);
    EXPECT_EQ(times[0].busiest_index, 4U);
    EXPECT_DOUBLE_EQ(times[1].busiest, 190.0 / 200);
    EXPECT_EQ(experiments::busiest_unit(times), "memory 95 %");
}

TEST(Bottleneck, FramesAreTakenByThemselves) {
    EXPECT_EQ(experiments::busiest_unit(unit_times(two_frames(), 0, 1)), "memory 90 %");
    EXPECT_EQ(experiments::busiest_unit(unit_times(two_frames(), 1, 2)), "memory 100 %");
    EXPECT_DOUBLE_EQ(unit_times(two_frames(), 1, 2)[0].busy, 30.0 / 200);
}

TEST(Bottleneck, TheTableSaysWhoKeepsWhomWaiting) {
    const std::string table = experiments::bottleneck_table(two_frames());
    EXPECT_THAT(table, HasSubstr("core        2   15.0 %   50.0 %   75.0 %  raster 35.0, memory 30.0, itself 10.0"));
    EXPECT_THAT(table, HasSubstr(" 10.0 %  memory\n"));
    EXPECT_THAT(table, HasSubstr("bottleneck  memory, at work 95.0 % of the time (busy 80.0 %, else its own latency); "
                                 "for it wait core 40.0 %\n"));
}

TEST(Bottleneck, WhereNobodyIsBusyNobodyIsToBlame) {
    io::Results results = two_frames();
    results.kinds.pop_back();
    EXPECT_THAT(experiments::bottleneck_table(results),
                HasSubstr("bottleneck  none, latencies: the busiest, core[4], is at work 50.0 % of the time "
                          "(busy 30.0 %, else its own latency)\n"));
}

TEST(Bottleneck, OfResultsWithoutStatesOrFramesNothingIsSaid) {
    io::Results results = two_frames();
    results.kinds = {results.kinds[1]};
    EXPECT_EQ(experiments::bottleneck_table(results), "");
    EXPECT_EQ(experiments::busiest_unit(unit_times(results, 0, 2)), "-");
    EXPECT_EQ(experiments::busiest_unit(unit_times(two_frames(), 0, 0)), "-");
}

}  // namespace
