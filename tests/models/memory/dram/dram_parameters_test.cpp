#include "models/memory/dram/dram_parameters.h"

#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/models/memory/dram/dram_fixture.h"

namespace models {
namespace {

struct Dram {
    Dram(const char* of, const char* edges) {
        dram.model.set("flat");
        dram.flat.bandwidth_of.set(of);
        dram.flat.data_edges.set(edges);
    }
    std::int64_t burst_cycles() const { return dram.flat.burst_cycles(dram.channels()); }
    ParameterGroup root;
    DramParameters dram{&root, "dram", "of a test"};
};

// 4 bytes a cycle and two channels, as paper 004 has it; a channel moves half of all lines.
TEST(DramParameters, ReadTheBandwidthInFourWays) {
    EXPECT_EQ(Dram("each_channel", "both").burst_cycles(), 8);   // 6.4 GB/s at 400 MHz
    EXPECT_EQ(Dram("each_channel", "one").burst_cycles(), 16);   // 3.2 GB/s
    EXPECT_EQ(Dram("all_channels", "both").burst_cycles(), 16);  // 3.2 GB/s
    EXPECT_EQ(Dram("all_channels", "one").burst_cycles(), 32);   // 1.6 GB/s
}

// More than a line a cycle would be no faster.
TEST(DramParameters, RefuseABandwidthWithWhichAChannelMovesMoreThanALineInACycle) {
    Dram wide("each_channel", "one");
    wide.dram.flat.bytes_per_cycle.set("64");
    EXPECT_EQ(wide.burst_cycles(), 1);
    EXPECT_NO_THROW(wide.dram.check());
    wide.dram.flat.bytes_per_cycle.set("128");
    EXPECT_THROW(wide.dram.check(), engine::ConfigError);
}

TEST(DramParameters, RefuseABandwidthWithWhichALineEndsWithinACycle) {
    Dram odd("each_channel", "one");
    odd.dram.flat.bytes_per_cycle.set("3");
    EXPECT_THROW(odd.dram.check(), engine::ConfigError);
    odd.dram.channels.set("3");
    odd.dram.flat.bandwidth_of.set("all_channels");
    odd.dram.flat.row_hit_latency.set("65");
    EXPECT_NO_THROW(odd.dram.check());  // a byte a cycle each
    EXPECT_EQ(odd.burst_cycles(), 64);
}

std::string error_of(const TestDram& memory) {
    try {
        memory.dram.check();
    } catch (const engine::ConfigError& error) {
        return error.what();
    }
    return "";
}

TEST(DramParameters, PutDevicesSideBySide) {
    const TestDram one("lpddr3-1600"), two("lpddr3-1600", 1, 64);
    EXPECT_EQ(one.dram.channel().burst_bytes(), 32);
    EXPECT_EQ(one.dram.shape().row_lines, 64U);
    EXPECT_EQ(two.dram.channel().burst_bytes(), 64);
    EXPECT_EQ(two.dram.shape().row_lines, 128U);
    EXPECT_EQ(two.dram.bytes(), 2 * one.dram.bytes());
    EXPECT_EQ(error_of(two), "");
}

TEST(DramParameters, RefuseAGeometryThatCannotBe) {
    EXPECT_EQ(error_of(TestDram("lpddr3-1600", 1, 48)),
              "dram.bus_bits: expected 32, the width of lpddr3-1600, or that times a power of two, found 48");
    EXPECT_EQ(error_of(TestDram("lpddr3-1600", 1, 96)),
              "dram.bus_bits: expected 32, the width of lpddr3-1600, or that times a power of two, found 96");
    EXPECT_EQ(error_of(TestDram("lpddr3-1600", 1, 128)),
              "dram.bus_bits: expected a burst of at most 64 bytes, found one of 128 (128 bits, 8 beats)");
}

TEST(DramParameters, TakeTimingsThatDifferFromTheDevices) {
    TestDram memory("lpddr3-1600");
    EXPECT_EQ(memory.dram.channel().timing, memory.dram.device()->timing);
    memory.set("timing.rcd", "20");
    EXPECT_EQ(memory.dram.channel().timing.rcd, 20);
    EXPECT_EQ(memory.dram.channel().timing.rp, 15);
    memory.set("timing.faw", "20");  // less than four tRRD: it never counts, and is no contradiction
    EXPECT_EQ(error_of(memory), "");
}

TEST(DramParameters, RefuseTimingsThatContradictOneAnother) {
    const std::pair<const char*, const char*> wrong[] = {
        {"rc", "48"},      {"ras", "14"},   {"ccd_s", "3"}, {"ccd_l", "3"},  {"rrd_l", "7"},
        {"wtr_l", "5"},    {"rp_ab", "14"}, {"rtw", "9"},   {"refi", "168"}, {"faw", "7"},
        {"refi_pb", "72"}, {"burst", "5"},  {"pb_pb", "7"}};
    for (const auto& [name, value] : wrong) {
        TestDram memory("lpddr3-1600");
        if (std::string(name) == "refi_pb") memory.set("refresh", "per_bank");
        memory.set(std::string("timing.") + name, value);
        EXPECT_TRUE(error_of(memory).starts_with("dram.timing.")) << name << ": " << error_of(memory);
    }
    TestDram memory("lpddr3-1600");
    memory.set("timing.rc", "48");
    EXPECT_EQ(error_of(memory), "dram.timing.rc: expected at least ras + rp (49 cycles), found 48");
}

TEST(DramParameters, CheckIntervalsOnlyOfTheRefreshThatThereIs) {
    TestDram memory("lpddr3-1600");
    memory.set("timing.refi_pb", "72");
    EXPECT_EQ(error_of(memory), "");
    memory.set("refresh", "off");
    memory.set("timing.refi", "168");
    EXPECT_EQ(error_of(memory), "");
}

TEST(DramParameters, RefuseWatermarksThatDoNotFit) {
    TestDram memory;
    memory.set("write_queue", "20");
    EXPECT_EQ(error_of(memory), "dram.write_high: expected at most dram.write_queue (20), found 24");
    memory.set("write_high", "8");
    EXPECT_EQ(error_of(memory), "dram.write_low: expected less than dram.write_high (8), found 8");
}

}  // namespace
}  // namespace models
