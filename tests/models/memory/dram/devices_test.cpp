#include "models/memory/dram/devices.h"

#include <gtest/gtest.h>

#include "models/memory/dram/dram_parameters.h"

namespace models {
namespace {

double peak(const DramDevice& device) {  // GB/s
    return static_cast<double>(device.burst_bytes() * device.clock) / device.timing.burst * 1e-9;
}

// Of what is in its name, and of data sheets.
TEST(DramDevices, AreWhatTheyAreCalled) {
    const struct {
        const DramDevice& device;
        double bandwidth;
        std::int64_t megabits;
    } expected[] = {{lpddr3_800, 3.2, 8192},     {lpddr3_1600, 6.4, 8192},  {lpddr4_3200, 6.4, 4096},
                    {lpddr4x_4266, 8.532, 4096}, {lpddr5_6400, 12.8, 8192}, {lpddr5_6400_8b, 12.8, 8192}};
    ASSERT_EQ(std::size(expected), dram_devices.size());
    for (const auto& each : expected) {
        SCOPED_TRACE(each.device.name);
        EXPECT_DOUBLE_EQ(peak(each.device), each.bandwidth);
        EXPECT_EQ(each.device.bytes() * 8 >> 20, each.megabits);
        for (const RefreshPolicy refresh : {RefreshPolicy::all_banks, RefreshPolicy::per_bank})
            EXPECT_NO_THROW(check_timing(each.device.timing, refresh));
        EXPECT_EQ(each.device.banks % (each.device.bank_groups * each.device.banks_per_refresh), 0);
    }
}

// ../shared/data/dram/config_facts.csv
TEST(DramDevices, HaveTheTimingOfMicronsLpddr3) {
    const DramTiming& t = lpddr3_1600.timing;
    EXPECT_EQ(t.rl, 12);
    EXPECT_EQ(t.rcd, 15);
    EXPECT_EQ(t.rp, 15);
    EXPECT_EQ(t.ras, 34);
    EXPECT_EQ(t.rc, 49);
    EXPECT_EQ(t.rrd_s, 8);
    EXPECT_EQ(t.faw, 40);
    EXPECT_EQ(t.wtr_s, 6);
    EXPECT_EQ(t.rtp, 6);
    EXPECT_EQ(t.wr, 12);
    EXPECT_EQ(t.rfc, 168);
    EXPECT_EQ(t.rfc_pb, 72);
    EXPECT_EQ(t.refi, 3120);
    EXPECT_EQ(t.refi_pb, 390);
}

// The slower part takes no less time for anything, and less than a cycle more.
TEST(DramDevices, TakeTheSameTimeAtHalfTheClock) {
    const DramTiming &slow = lpddr3_800.timing, &fast = lpddr3_1600.timing;
    for (const auto value :
         {&DramTiming::rcd, &DramTiming::rp, &DramTiming::rp_ab, &DramTiming::ras, &DramTiming::rrd_s, &DramTiming::faw,
          &DramTiming::wr, &DramTiming::rfc, &DramTiming::rfc_pb}) {
        EXPECT_GE(2 * (slow.*value), fast.*value);
        EXPECT_LE(2 * (slow.*value), fast.*value + 1);
    }
    EXPECT_EQ(2 * slow.refi, fast.refi);
}

// ../shared/data/dram/lpddr5_facts.csv
TEST(DramDevices, HaveTheTimingOfLpddr5) {
    const DramTiming& t = lpddr5_6400.timing;
    EXPECT_EQ(t.rl, 17);
    EXPECT_EQ(t.wl, 9);
    EXPECT_EQ(t.rcd, 15);
    EXPECT_EQ(t.rp, 15);
    EXPECT_EQ(t.rp_ab, 17);
    EXPECT_EQ(t.ras, 34);
    EXPECT_EQ(t.rc, 49);
    EXPECT_EQ(t.wr - 1, 28);  // JESD209-5: WL + BL/n_min + 1 + tWR
    EXPECT_EQ(t.rtp, 8);
    EXPECT_EQ(t.ccd_s, 2);
    EXPECT_EQ(t.ccd_l, 4);
    EXPECT_EQ(t.rrd_l, 4);
    EXPECT_EQ(t.faw, 16);
    EXPECT_EQ(t.wtr_s, 5);
    EXPECT_EQ(t.wl + t.burst + t.wtr_l, 9 + 4 + 10);  // JESD209-5: WL + BL/n_max + tWTR_L
    EXPECT_EQ(t.ppd, 2);
    EXPECT_EQ(t.rfc, 168);
    EXPECT_EQ(t.rfc_pb, 96);
    EXPECT_EQ(t.refi, 3124);  // not more than 3906 ns: 3125 is
    EXPECT_EQ(t.refi_pb, 390);
    EXPECT_EQ(lpddr5_6400.banks, 16);
}

TEST(DramDevices, RoundTimesUpAndIntervalsDown) {
    EXPECT_EQ(cycles_for(18, 1'600'000'000), 29);  // 28.8
    EXPECT_EQ(cycles_for(7.5, 800'000'000), 6);
    EXPECT_EQ(cycles_for(7.5, 400'000'000, 4), 4);        // 3
    EXPECT_EQ(cycles_within(3904, 1'600'000'000), 6246);  // 6246.4
}

}  // namespace
}  // namespace models
