#include "experiments/energy/dram_pricing.h"

#include <gtest/gtest.h>

#include "engine/error.h"

namespace {

using energy::DramPart;
using energy::MachineValues;

const char* const counters[] = {
    "commands_activate",        "commands_read",    "commands_read_precharge", "commands_write",
    "commands_write_precharge", "commands_refresh", "commands_refresh_bank",   "active_standby",
    "precharge_standby",        "refresh_time"};

// Two channels, one frame; each counter its number in the list, plus one, in the first channel, and 10 in the second.
io::Results results() {
    io::Results results;
    results.frames.resize(1);
    io::KindResults kind{"dram_channel", false, {0, 1}, {}};
    std::uint64_t value = 0;
    for (const char* counter : counters) kind.counters.push_back({counter, "1", "", {++value, 10}});
    results.kinds = {kind};
    return results;
}

MachineValues machine(const std::string& more) {
    return {"[dram]\ndevice = \"lpddr3-1600\"\n" + more, "here"};
}

// LPDDR3-1600, dram_energy_test.cpp: an activate 1407.8 pJ, a read 1374, a write 1344, a refresh 32508; standby 31.5
// and 30.75 pJ a cycle.
TEST(DramPricing, CostsWhatItsCommandsDo) {
    const std::vector<DramPart> parts = energy::price_dram(results(), machine("channels = 2\n"));
    ASSERT_EQ(parts.size(), 6U);
    EXPECT_NEAR(parts[0].frames_pJ[0], 11 * 1407.8, 1);
    EXPECT_NEAR(parts[1].frames_pJ[0], (2 + 3 + 20) * 1374.0, 1);
    EXPECT_NEAR(parts[2].frames_pJ[0], (4 + 5 + 20) * 1344.0, 1);
    EXPECT_NEAR(parts[3].frames_pJ[0], 16 * 32508 + 17 * 32508 / 8.0, 20);
    EXPECT_NEAR(parts[4].frames_pJ[0], 18 * 31.5, 0.1);
    EXPECT_NEAR(parts[5].frames_pJ[0], (9 + 10 + 20) * 30.75, 0.1);
    EXPECT_TRUE(parts[4].is_standby && parts[5].is_standby && !parts[3].is_standby);
}

TEST(DramPricing, CountsTheDevicesOfAChannel) {
    const double one = energy::price_dram(results(), machine("bus_bits = 32\n"))[0].frames_pJ[0];
    EXPECT_NEAR(energy::price_dram(results(), machine("bus_bits = 64\n"))[0].frames_pJ[0], 2 * one, 1e-6);
}

TEST(DramPricing, LeavesMemoryWithoutCommandsToTheTable) {
    EXPECT_TRUE(energy::price_dram(results(), machine("model = \"flat\"\n")).empty());
    EXPECT_TRUE(energy::price_dram(io::Results(), machine("")).empty());
}

TEST(DramPricing, RefusesWhatItCannotPrice) {
    io::Results without = results();
    without.kinds[0].counters.pop_back();
    EXPECT_THROW(energy::price_dram(without, machine("")), engine::InputError);
    EXPECT_THROW(energy::price_dram(results(), machine("colour = 3\n")), engine::InputError);
}

}  // namespace
