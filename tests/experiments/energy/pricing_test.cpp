#include "experiments/energy/pricing.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/experiments/energy/tiny_machine.h"

namespace {

using energy::Cause;
using energy::Energy;
using energy::Part;
using energy::Range;
using tests::price_tiny;
using tests::replaced;
using tests::tiny_machine;
using tests::tiny_results;
using tests::tiny_table;

Part part(const Energy& energy, const std::string& structure, Cause cause) {
    for (const Part& each : energy.parts)
        if (each.structure == structure && each.cause == cause) return each;
    ADD_FAILURE() << structure << " has no such part";
    return {};
}

void expect_range(const Range& found, const Range& wanted) {
    EXPECT_DOUBLE_EQ(found.low, wanted.low);
    EXPECT_DOUBLE_EQ(found.typical, wanted.typical);
    EXPECT_DOUBLE_EQ(found.high, wanted.high);
}

std::string refusal(const std::string& table, const io::Results& results = tiny_results()) {
    try {
        price_tiny(table, results);
    } catch (const engine::ConfigError& error) {
        return error.what();
    }
    return "";
}

TEST(Pricing, ClocksAsMuchAsTheTableSays) {
    // 4 lanes.
    const Energy energy =
        price_tiny(replaced(tiny_table, "busy_cycles", "clock_times = [0.5, \"core.lanes\"]\nbusy_cycles"));
    const Part clock = part(energy, "arithmetic", Cause::clock);
    expect_range(clock.frames[0], {2 * 300, 2 * (600 + 900 * 0.2), 2 * (1200 + 900 * 2.0)});
    expect_range(clock.frames[1], {2 * 2400, 2 * 4800, 2 * 9600});
}

TEST(Pricing, SaysWhatItLeavesOutOfWhatIsNotThere) {
    EXPECT_TRUE(price_tiny().left_out.empty());
    const Energy energy = price_tiny(replaced(tiny_table, "\"ring\"]}", "\"ring\"]}\notherwise = \"air\""));
    EXPECT_TRUE(energy.left_out.empty());
    const Energy without = price_tiny(replaced(tiny_table, "[\"bus\", \"ring\"]}", "[\"ring\"]}\notherwise = \"air\""));
    EXPECT_EQ(without.left_out, (std::map<std::string, std::vector<std::string>>{{"air", {"bus"}}}));
}

// 2 V to 1 V.
TEST(Pricing, LeavesTheLengthOfWiresThatAreAsLongInAnyProcess) {
    const Energy energy =
        price_tiny(replaced(tiny_table, "scales = false", "node_nm = 40\nvoltage = 2\nfixed_lengths = true"));
    expect_range(part(energy, "wires", Cause::dynamic).frames[0], {7 / 4.0, 14 / 4.0, 21 / 4.0});
}

// 40 nm at 2 V to 20 nm at 1 V: energies / 8, areas / 4.
TEST(Pricing, GivesWhatIsComputedByHand) {
    const Energy energy = price_tiny();
    ASSERT_EQ(energy.seconds, (std::vector<double>{1e-6, 2e-6}));
    // Frame 0: 30 added, 3 multiplied of [1, 2, 3] pJ each; frame 1: 5 and 7.
    const Part arithmetic = part(energy, "arithmetic", Cause::dynamic);
    expect_range(arithmetic.frames[0], {33, 66, 99});
    expect_range(arithmetic.frames[1], {12, 24, 36});
    // 300 of 2 x 600 cycles busy at [1, 2, 4] pJ, 900 idle at [0, 0.1, 0.5] of it; frame 1: more than all 2400, so all.
    const Part clock = part(energy, "arithmetic", Cause::clock);
    expect_range(clock.frames[0], {300, 600 + 900 * 0.2, 1200 + 900 * 2.0});
    expect_range(clock.frames[1], {2400, 4800, 9600});
    // 2 cores x 4 lanes x [0.25, 0.5, 0.75] mm2 x [2, 20, 200] mW: [4, 80, 1200] mW for 1 us: nJ.
    const Part leakage = part(energy, "arithmetic", Cause::leakage);
    expect_range(leakage.frames[0], {4e3, 80e3, 1200e3});
    expect_range(leakage.frames[1], {8e3, 160e3, 2400e3});
    // Two arrays of 2 KiB: sqrt(2) of 1 KiB's energy, twice its area. 30 x 8 reads, 30 writes.
    const Part registers = part(energy, "registers", Cause::dynamic);
    const double root = std::sqrt(2.0);
    EXPECT_NEAR(registers.frames[0].low, 240 * root + 90 * root, 1e-9);
    EXPECT_NEAR(registers.frames[0].typical, 480 * root + 90 * root, 1e-9);
    EXPECT_NEAR(registers.frames[0].high, 960 * root + 90 * root, 1e-9);
    // 2 cores x 2 arrays x 0.5 mm2 x [2, 20, 200] mW.
    EXPECT_NEAR(part(energy, "registers", Cause::leakage).frames[0].typical, 40e3, 1e-6);
    const Part wires = part(energy, "wires", Cause::dynamic);
    expect_range(wires.frames[0], {7, 14, 21});
    expect_range(wires.frames[1], {9, 18, 27});
    EXPECT_EQ(energy.parts.size(), 6U);
}

TEST(Pricing, SumOfPartsIsTheWhole) {
    const Energy energy = price_tiny();
    Range by_cause, by_component, by_frame;
    for (const Cause cause : {Cause::dynamic, Cause::clock, Cause::leakage, Cause::standby})
        by_cause += energy.sum([&](const Part& each) { return each.cause == cause; });
    for (const char* name : {"cores", "wires"})
        by_component += energy.sum([&](const Part& each) { return each.component == name; });
    for (std::size_t frame = 0; frame < 2; ++frame)
        for (const Part& each : energy.parts) by_frame += each.frames[frame];
    for (const Range& sum : {by_cause, by_component, by_frame}) {
        EXPECT_NEAR(sum.low, energy.total().low, 1e-9 * energy.total().low);
        EXPECT_NEAR(sum.typical, energy.total().typical, 1e-9 * energy.total().typical);
        EXPECT_NEAR(sum.high, energy.total().high, 1e-9 * energy.total().high);
    }
}

TEST(Pricing, LeavesOutWhatTheMachineHasNot) {
    const Energy energy =
        price_tiny(tiny_table, tiny_results(replaced(tiny_machine, "network = \"bus\"", "network = \"mesh\"")));
    for (const Part& each : energy.parts) EXPECT_NE(each.structure, "wires");
    EXPECT_EQ(energy.parts.size(), 5U);
}

// Arithmetic that only machines with a bus have.
TEST(Pricing, LeavesOutWhatStandsBesideUnitsThatAreNotThere) {
    const std::string beside =
        replaced(tiny_table, "kinds = [\"core\"]\nnode_nm", "kinds = [\"core\"]\nbeside = [\"bus\"]\nnode_nm");
    EXPECT_EQ(price_tiny(beside).total(), price_tiny().total());
    io::Results without = tiny_results();
    std::erase_if(without.kinds, [](const io::KindResults& kind) { return kind.kind == "bus"; });
    const Energy energy = price_tiny(beside, without);
    for (const Part& each : energy.parts) EXPECT_NE(each.structure, "arithmetic");
    EXPECT_FALSE(energy.parts.empty());
}

TEST(Pricing, ReadsParametersOfTheKindItPrices) {
    const Energy named = price_tiny(replaced(tiny_table, "area_times = \"core.lanes\"", "area_times = \"KIND.lanes\""));
    EXPECT_EQ(named.total(), price_tiny().total());
}

TEST(Pricing, RefusesATableThatMissesAStructureOfTheMachine) {
    EXPECT_EQ(refusal(replaced(tiny_table, "dispatcher = \"a test\"", "other = \"a test\"")),
              "t.toml: misses a structure of the machine: 'dispatcher' is in no [[component]], nor in [not_priced]");
}

TEST(Pricing, RefusesCountersAndParametersThatTheMachineHasNot) {
    EXPECT_THAT(
        refusal(replaced(tiny_table, "\"multiplied\"", "\"multiplies\"")),
        testing::MatchesRegex(".*t.toml:[0-9]+:1: 'core' has no counter 'multiplies', did you mean 'multiplied'\\?"));
    EXPECT_THAT(refusal(replaced(tiny_table, "\"core.registers\"", "\"core.register\"")),
                testing::HasSubstr(": the machine has no parameter 'core.register', did you mean 'core.registers'?"));
    EXPECT_THAT(refusal(replaced(tiny_table, "\"core.network\"", "\"core.net\"")),
                testing::HasSubstr(": the machine has no parameter 'core.net'"));
}

TEST(Pricing, RefusesArraysWithoutCapacity) {
    EXPECT_THAT(refusal(tiny_table, tiny_results(replaced(tiny_machine, "\"4 KiB\"", "\"0 B\""))),
                testing::HasSubstr("'registers' of 'core' has no capacity in this machine"));
}

TEST(Pricing, RefusesResultsThatDoNotSayWhichMachineItWas) {
    io::Results results = tiny_results();
    results.provenance.clear();
    EXPECT_THROW(price_tiny(tiny_table, results), engine::InputError);
}

}  // namespace
