#include "models/memory/dram/dram_energy.h"

#include <gtest/gtest.h>

#include "models/memory/dram/devices.h"

namespace models {
namespace {

// E_ACTPRE_pJ, E_RD_burst_pJ, ... of ../shared/data/dram/config_facts.csv, of one device.
TEST(DramEnergy, OfCommandsIsThatOfTheFacts) {
    EXPECT_NEAR(dram_energy({.activates = 1}, lpddr3_1600, 1).activate * 1e12, 1407.8, 0.1);
    EXPECT_NEAR(dram_energy({.reads = 1}, lpddr3_1600, 1).read * 1e12, 1374, 0.1);
    EXPECT_NEAR(dram_energy({.writes = 1}, lpddr3_1600, 1).write * 1e12, 1344, 0.1);
    EXPECT_NEAR(dram_energy({.refreshes = 1}, lpddr3_1600, 1).refresh * 1e12, 32508, 1);
    EXPECT_NEAR(dram_energy({.bank_refreshes = 8}, lpddr3_1600, 1).refresh * 1e12, 32508, 1);
    EXPECT_NEAR(dram_energy({.activates = 1}, lpddr3_1600, 2).activate * 1e12, 2815.5, 0.1);
}

// 25.2 mW and 24.6 mW for a millisecond.
TEST(DramEnergy, OfStandbyIsThatOfTheFacts) {
    EXPECT_NEAR(dram_energy({.active_cycles = 800'000}, lpddr3_1600, 1).active_standby * 1e6, 25.2, 0.01);
    EXPECT_NEAR(dram_energy({.precharged_cycles = 800'000}, lpddr3_1600, 1).precharge_standby * 1e6, 24.6, 0.01);
}

// The row c_random_read of one channel of 64 bits in ../shared/data/dram/dramsim3_reference.csv: its counts give its
// joules.
TEST(DramEnergy, OfARunIsThatOfTheReference) {
    const DramActivity activity{100'547, 100'000, 0, 344, 0, 1'012'744, 62'955};
    const DramEnergy energy = dram_energy(activity, lpddr3_1600, 2);
    EXPECT_NEAR(energy.activate * 1e9, 283'090.08, 1);
    EXPECT_NEAR(energy.read * 1e9, 274'800, 1);
    EXPECT_NEAR(energy.refresh * 1e9, 22'365.5, 1);
    EXPECT_NEAR(energy.active_standby * 1e9, 63'803, 1);
    EXPECT_NEAR(energy.precharge_standby * 1e9, 3'871.61, 1);
    EXPECT_NEAR(energy.total() * 1e9, 647'930.19, 3);
}

}  // namespace
}  // namespace models
