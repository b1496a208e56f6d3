#include "experiments/energy/technology.h"

#include <gtest/gtest.h>

namespace {

using energy::Technology;

TEST(Technology, ScalesEnergyWithTheSquareOfTheVoltageAndTheFeatureSize) {
    EXPECT_DOUBLE_EQ(energy::energy_factor({40, 2}, {20, 1}), 0.125);
    EXPECT_DOUBLE_EQ(energy::energy_factor({22, 0.8}, {22, 0.8}), 1);
}

TEST(Technology, ScalesEnergyOfWiresWithTheSquareOfTheVoltageAlone) {
    EXPECT_DOUBLE_EQ(energy::wire_factor({40, 2}, {20, 1}), 0.25);
}

TEST(Technology, ScalesAreaWithTheSquareOfTheFeatureSize) {
    EXPECT_DOUBLE_EQ(energy::area_factor({40, 2}, {20, 1}), 0.25);
}

TEST(Technology, ScalesLeakageOfAnAreaWithTheVoltageAlone) {
    EXPECT_DOUBLE_EQ(energy::leakage_factor({40, 2}, {20, 1}), 0.5);
}

// McPAT's rule for logic, ../shared/data/energy/scaling.csv: 45 nm hp at 1.0 V to 32 nm at 0.9 V, 22 nm at 0.8 V.
// CACTI's lop arrays, 0.7 V at 45 nm and 0.6 V at 22 nm, have 0.345 of the energy.
TEST(Technology, AgreesWithPublishedFactors) {
    EXPECT_NEAR(energy::energy_factor({45, 1.0}, {32, 0.9}), 0.5760, 1e-4);
    EXPECT_NEAR(energy::energy_factor({45, 1.0}, {22, 0.8}), 0.3129, 1e-4);
    EXPECT_NEAR(energy::energy_factor({45, 0.7}, {22, 0.6}), 0.345, 0.02);
}

}  // namespace
