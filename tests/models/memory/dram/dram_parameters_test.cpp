#include "models/memory/dram/dram_parameters.h"

#include <gtest/gtest.h>

#include "engine/error.h"

namespace models {
namespace {

struct Dram {
    Dram(const char* of, const char* edges) {
        dram.bandwidth_of.set(of);
        dram.data_edges.set(edges);
    }
    ParameterGroup root;
    DramParameters dram{&root, "dram", "of a test"};
};

// 4 bytes a cycle and two channels, as paper 004 has it; a channel moves half of all lines.
TEST(DramParameters, ReadTheBandwidthInFourWays) {
    EXPECT_EQ(Dram("each_channel", "both").dram.burst_cycles(), 8);   // 6.4 GB/s at 400 MHz
    EXPECT_EQ(Dram("each_channel", "one").dram.burst_cycles(), 16);   // 3.2 GB/s
    EXPECT_EQ(Dram("all_channels", "both").dram.burst_cycles(), 16);  // 3.2 GB/s
    EXPECT_EQ(Dram("all_channels", "one").dram.burst_cycles(), 32);   // 1.6 GB/s
}

TEST(DramParameters, MoveALineInACycleAtLeast) {
    Dram wide("each_channel", "both");
    wide.dram.bytes_per_cycle.set("1024");
    EXPECT_EQ(wide.dram.burst_cycles(), 1);
    EXPECT_NO_THROW(wide.dram.check());
}

TEST(DramParameters, RefuseABandwidthWithWhichALineEndsWithinACycle) {
    Dram odd("each_channel", "one");
    odd.dram.bytes_per_cycle.set("3");
    EXPECT_THROW(odd.dram.check(), engine::ConfigError);
    odd.dram.channels.set("3");
    odd.dram.bandwidth_of.set("all_channels");
    odd.dram.row_hit_latency.set("65");
    EXPECT_NO_THROW(odd.dram.check());  // a byte a cycle each
    EXPECT_EQ(odd.dram.burst_cycles(), 64);
}

}  // namespace
}  // namespace models
