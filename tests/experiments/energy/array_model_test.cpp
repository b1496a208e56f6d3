#include "experiments/energy/array_model.h"

#include <gtest/gtest.h>

namespace {

using energy::ArrayModel;
using energy::ArrayValues;
using energy::Range;

ArrayValues values(double read) {
    return {{read, 2 * read, 3 * read}, {1, 1, 1}, {}, {read, read, read}};
}

TEST(ArrayModel, GivesItsPointsExactly) {
    const ArrayModel model{{22, 1}, {{1024, 2, values(3)}, {4096, 2, values(7)}, {1024, 4, values(5)}}};
    EXPECT_EQ(model.at(1024, 2).read_pJ, (Range{3, 6, 9}));
    EXPECT_EQ(model.at(4096, 2), values(7));
    EXPECT_EQ(model.at(1024, 4), values(5));
}

// Capacity x 4, energy x 4: a power of 1; ways x 2, energy x 4: of 2.
TEST(ArrayModel, GoesBetweenPointsAndBeyondThemByPowerLaws) {
    const ArrayModel capacities{{22, 1}, {{4096, 1, values(8)}, {1024, 1, values(2)}}};
    EXPECT_NEAR(capacities.at(2048, 1).read_pJ.typical, 8, 1e-9);
    EXPECT_NEAR(capacities.at(16384, 1).read_pJ.low, 32, 1e-9);
    EXPECT_NEAR(capacities.at(512, 1).area_mm2.high, 1, 1e-9);
    EXPECT_EQ(capacities.at(2048, 8), capacities.at(2048, 1));  // of one associativity only
    const ArrayModel ways{{22, 1}, {{1024, 2, values(1)}, {1024, 4, values(4)}}};
    EXPECT_NEAR(ways.at(1024, 8).read_pJ.low, 16, 1e-9);
    EXPECT_NEAR(ways.at(1024, 1).read_pJ.low, 0.25, 1e-9);
}

TEST(ArrayModel, HasNothingWhereItsPointsHaveNothing) {
    const ArrayModel model{{22, 1}, {{1024, 1, values(2)}, {4096, 1, values(8)}}};
    EXPECT_EQ(model.at(2048, 1).tag_pJ, Range{});
}

// The typical figure grows faster than the high one: they would cross at 16 KiB.
TEST(ArrayModel, KeepsTheOrderOfARange) {
    const ArrayModel model{{22, 1}, {{1024, 1, {{1, 1, 4}, {}, {}, {}}}, {4096, 1, {{1, 4, 8}, {}, {}, {}}}}};
    const Range far = model.at(1 << 20, 1).read_pJ;
    EXPECT_LE(far.low, far.typical);
    EXPECT_LE(far.typical, far.high);
    EXPECT_NEAR(far.typical, 1024, 1e-9);
}

}  // namespace
