#include "models/core/pipelines/collector.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/core/pipelines/pipeline_fixture.h"

namespace models {
namespace {

using testing::ElementsAre;

class CollectorTest : public PipelineFixture {
  protected:
    CollectorTest() : PipelineFixture("collector") {}
    CollectorParameters& collector() { return parameters.fragment_processor.collector; }
};

TEST_F(CollectorTest, AnInstructionOfNOperandsTakesTheCyclesOfItsHeader) {
    program({make(Opcode::mov, 0, 1), end()});
    warm();
    quad(0);
    run();
    EXPECT_THAT(schedule(), ElementsAre(Steps{1, 0, {0, 2, 3, 4, 5, 6, 10}}, Steps{1, 1, {0, 10, 11, -1, 12, 13, 14}}));
}

// Worked out by hand. Two warps, slots 1 and 2; four banks, bank = (slot + register) mod 4; latency 4.
//
//     0: MAD r0, r1, r1, r5   three reads of one bank, 2 for slot 1 and 3 for slot 2, so three cycles of reading
//     1: MOV r2, r3
//     2: ADD r4, r0, r0, r0   RAW: waits until 0 is written back
//     3: MOV r6, r3
//     4: MOV r3, r2           WAR: waits until 3 has read r3
//     5: END                  waits until all before it are written back
//
// Cycle 0 is the first fetch of slot 1; slot 2 fetches in the next one, and each again in the cycle in which its buffer
// has been emptied: two instructions are issued one a cycle. So 0 and 1 issue in 2 and 3 (slot 1), 3 and 4 (slot 2).
//
// Cycle 16: instruction 2 of slot 1 (in unit 0) reads r0 for the third time and 3 of slot 2 (unit 3) wants r3, both of
// bank 1. Somebody has asked in 13 cycles before (7 while the caches were warmed, 4 to 7, 14 and 15), so the wave
// begins at diagonal 13: of row 1, column 12 first, then 13, 14, 15, 0. Unit 0 reads, and unit 3 a cycle later.
//
// Cycle 18: units 1 to 3 dispatch 2 of slot 2, 4 of slot 1, 3 of slot 2. In cycle 19 they could all begin, but the last
// two would both write bank 0 in cycle 23: the later one begins in 20.
TEST_F(CollectorTest, ScheduleOfSixInstructionsAndTwoWarps) {
    run_six_instructions();
    EXPECT_THAT(schedule(),
                ElementsAre(Steps{1, 0, {0, 2, 3, 6, 7, 8, 12}}, Steps{1, 1, {0, 3, 4, 5, 6, 7, 11}},
                            Steps{1, 2, {3, 12, 13, 16, 17, 18, 22}}, Steps{1, 3, {3, 13, 14, 15, 16, 17, 21}},
                            Steps{1, 4, {13, 15, 16, 17, 18, 19, 23}}, Steps{1, 5, {13, 23, 24, -1, 25, 26, 27}},
                            Steps{2, 0, {1, 3, 4, 7, 8, 9, 13}}, Steps{2, 1, {1, 4, 5, 6, 7, 8, 12}},
                            Steps{2, 2, {4, 13, 14, 17, 18, 19, 23}}, Steps{2, 3, {4, 14, 15, 17, 18, 20, 24}},
                            Steps{2, 4, {14, 17, 18, 19, 20, 21, 25}}, Steps{2, 5, {14, 25, 26, -1, 27, 28, 29}}));
    EXPECT_EQ(of_cores("conflicts"), 1U);
}

TEST_F(CollectorTest, WithoutTheShiftAllWarpsMeetInOneBank) {
    collector().bank_hash.set("register_index");
    program({make(Opcode::mov, 4, 0), make(Opcode::mov, 8, 0), make(Opcode::mov, 12, 0), end()});
    warm();
    for (int i = 0; i < 8; ++i) quad(0);
    run();
    EXPECT_EQ(of_cores("bank_reads_0"), 27U);
    EXPECT_EQ(of_cores("bank_reads_1") + of_cores("bank_reads_2") + of_cores("bank_reads_3"), 0U);
    EXPECT_GT(of_cores("conflicts"), 0U);
}

TEST_F(CollectorTest, AFullRegisterFileKeepsWarpsOut) {
    program({make(Opcode::mov, 9, 0), end()});  // ten registers
    collector().registers.set("20");
    warm();
    for (int i = 0; i < 6; ++i) quad(0);
    run();
    EXPECT_EQ(of_cores("warps"), 7U);
    // A warp alone takes 15 cycles from its fetch to its retirement (the schedule above); two at a time fit.
    EXPECT_GT(complete().back(), 2 * 15);
    EXPECT_LE(of_cores("registers_used"), 20 * of_cores("active"));
}

// A bank reads one register a cycle, and instructions of three operands come faster than that: more than 255 reads of
// r0 come to be under way before the write.
TEST_F(CollectorTest, AWriteWaitsForAllReadsOfItsRegisterHoweverManyAreUnderWay) {
    constexpr std::uint16_t readers = 250;
    collector().banks.set("1");
    collector().issue_buffer.set("256");
    std::vector<Instruction> instructions;
    for (std::uint16_t i = 1; i <= readers; ++i) instructions.push_back(three(Opcode::mad, i, 0, 0, 0));
    instructions.push_back(make(Opcode::mov, 0, readers + 1));
    instructions.push_back(end());
    run_quad(instructions);
    const std::vector<Steps> steps = schedule();
    ASSERT_EQ(steps.size(), readers + 2U);
    EXPECT_GE(steps[readers].cycles[InstructionTrace::issued], steps[readers - 1].cycles[InstructionTrace::read]);
}

TEST_F(CollectorTest, TexturesComeBackThroughAPortOfTheirOwn) {
    program({make(Opcode::tex, 0, 5), make(Opcode::add, 1, 0), end()});
    warm({{1000}});
    quad(0, {{1000}});
    run();
    const std::vector<Steps> steps = schedule();
    ASSERT_EQ(steps.size(), 3U);
    EXPECT_THAT(steps[0].cycles, ElementsAre(0, 2, 3, 4, 5, 6, 6 + static_cast<int>(texture_hit)));
    EXPECT_EQ(steps[1].cycles[InstructionTrace::issued], steps[0].cycles[InstructionTrace::retired]);
}

TEST_F(CollectorTest, WhatFollowsABranchIsFetchedWhenItHasBeenExecuted) {
    program({make(Opcode::if_, 0, 5), make(Opcode::add, 1, 5), end()});
    scene.trace.programs[Scene::fragment_program].instructions[0].destination = {};
    warm();
    quad(0);
    run();
    const std::vector<Steps> steps = schedule();
    ASSERT_EQ(steps.size(), 3U);
    EXPECT_EQ(steps[0].cycles[InstructionTrace::retired], 7);  // control takes a cycle
    EXPECT_EQ(steps[1].cycles[InstructionTrace::fetched], 7);
}

TEST_F(CollectorTest, WhatIsAwaitedIsATextureUntilItIsWrittenAndOnlyWhereOneIsNeeded) {
    expect_textures_to_be_awaited_until_they_are_written();
}

TEST_F(CollectorTest, WaitsForTheTextureUnitWhereThatHasNoRoom) {
    parameters.texture_unit.accesses.set("1");
    program({make(Opcode::tex, 0, 5), make(Opcode::tex, 1, 5), make(Opcode::add, 2, 1), end()});
    warm({{1000}, {1000}});
    quad(0, {{2000}, {3000}});
    run();
    EXPECT_GE(of_cores("cycles_texture_unit"), static_cast<std::uint64_t>(2 * trip));  // until the first is there
    EXPECT_GE(of_cores("cycles_texture"), static_cast<std::uint64_t>(trip));
    EXPECT_EQ(of_cores("cycles_pipeline"), 0U);
}

// The first texture is under way, the second refused until the first is there; what is next needs the first.
TEST_F(CollectorTest, WaitsForATextureUnderWayAndNotForTheUnitThatHasNoRoomForALaterOne) {
    parameters.texture_unit.accesses.set("1");
    program({make(Opcode::tex, 0, 5), make(Opcode::tex, 1, 5), make(Opcode::add, 2, 0), make(Opcode::add, 3, 1)});
    warm({{1000}, {1000}});
    quad(0, {{2000}, {3000}});
    run();
    EXPECT_GE(of_cores("cycles_texture"), static_cast<std::uint64_t>(3 * trip));  // and once of the first warp
    EXPECT_LE(of_cores("cycles_texture_unit"), 4U);
}

// Ten instructions of three reads each of one bank, while a texture is refused that is in nobody's way.
TEST_F(CollectorTest, AnIssueBufferThatIsFullOfReadsWaitsForThemAndNotForARefusedTexture) {
    parameters.texture_unit.accesses.set("1");
    collector().banks.set("1");
    collector().units.set("1");
    collector().issue_buffer.set("1");
    std::vector<Instruction> instructions{make(Opcode::tex, 0, 5), make(Opcode::tex, 1, 5)};
    for (std::uint32_t i = 0; i < 10; ++i) instructions.push_back(three(Opcode::mad, 10 + i, 6, 7, 8));
    program(instructions);
    warm({{1000}, {1000}});
    quad(0, {{2000}, {3000}});
    run();
    EXPECT_GE(of_cores("cycles_pipeline"), 2 * 10U);
}

TEST_F(CollectorTest, OnlyAFullIssueBufferIsAPipelineThatIsFull) {
    parameters.fragment_processor.issue_scheduler.set("two_level");
    parameters.fragment_processor.active_warps.set("1");
    parameters.fragment_processor.special.latency.set("100");
    program({make(Opcode::tex, 0, 5), make(Opcode::add, 1, 0), make(Opcode::rcp, 2, 5), make(Opcode::rcp, 3, 2)});
    path({{0, 2}});
    path({{2, 2}});
    warm({{1000}});
    // The oldest waits for its texture and makes room for the other one, which keeps it until it has its results.
    quad(0, {{1000}}, 1);
    quad(0, {}, 2);
    run();
    EXPECT_GE(of_cores("cycles_dependency"), 2 * 100U);
    EXPECT_EQ(of_cores("cycles_pipeline"), 0U);
}

TEST_F(CollectorTest, OnlyALineThatIsNotThereIsAwaitedOfMemory) {
    expect_only_lines_that_are_not_there_to_be_awaited_of_memory();
}

// The tests of the thesis (paper 002, section 4.2), on a program with 1.5 operands an instruction and 32 warps.
class CollectorThesis : public CollectorTest {
  protected:
    struct Figures {
        double ipc, time, conflicts;
        std::vector<double> bank_shares;
    };
    // Each in a machine of its own.
    static Figures measure(int banks, const std::string& hash, std::uint32_t read = 4) {
        struct Machine : CollectorTest {
            void TestBody() override {}
            using CollectorTest::collector;
            Figures measure(int banks, const std::string& hash, std::uint32_t read) {
                parameters.fragment_processor.warps.set("32");
                collector().banks.set(std::to_string(banks));
                collector().bank_hash.set(hash);
                std::vector<Instruction> instructions;
                for (std::uint32_t i = 0; i < 60; ++i)
                    instructions.push_back(i % 2 == 0 ? make(Opcode::mov, 10 + i % 24, i % read)
                                                      : two(10 + i % 24, i % read, (i + 1) % read));
                instructions.push_back(end());
                program(instructions);
                warm();
                for (int i = 0; i < 60; ++i) quad(0);
                run();
                const auto value = [&](const char* name) { return static_cast<double>(of_cores(name)); };
                const double warming = value("cycles_fetch");  // of the first warp, which is alone
                Figures figures{value("warp_instructions") / (value("active") - warming),
                                value("collector_time") / value("instructions_collected"),
                                value("conflicts") / value("reading"),
                                {}};
                for (int b = 0; b < banks; ++b)
                    figures.bank_shares.push_back(value(("bank_reads_" + std::to_string(b)).c_str()) /
                                                  value("operands_read"));
                return figures;
            }
            static Instruction two(std::uint32_t destination, std::uint32_t a, std::uint32_t b) {
                Instruction instruction = make(Opcode::add, destination, a);
                instruction.source_count = 2;
                instruction.sources[1] = temporary(b);
                return instruction;
            }
        };
        return Machine().measure(banks, hash, read);
    }
    static constexpr double operands = (30 * 1 + 30 * 2) / 61.0;  // an instruction, the end included
};

TEST_F(CollectorThesis, MoreBanksMeanMoreInstructionsAndFewerConflicts) {
    Figures before{0, 1e9, 1e9, {}};
    for (const int banks : {1, 2, 4, 8, 16}) {
        SCOPED_TRACE(banks);
        const Figures now = measure(banks, "warp_shift");
        EXPECT_LE(now.ipc, 2);
        EXPECT_GE(now.ipc, before.ipc * 0.999);
        EXPECT_LE(now.conflicts,
                  before.conflicts * 1.05);  // where there are hardly any, it is their pattern that tells
        EXPECT_GE(now.time, operands + 2);
        EXPECT_LE(now.time, before.time * 1.01);
        before = now;
    }
    EXPECT_LT(before.time, operands + 2 + 0.5);  // tends to the bound
}

TEST_F(CollectorThesis, TheShiftBalancesReadsOverBanks) {
    const Figures shifted = measure(8, "warp_shift", 2), plain = measure(8, "register_index", 2);
    const auto most = [](const Figures& figures) {
        return *std::max_element(figures.bank_shares.begin(), figures.bank_shares.end());
    };
    EXPECT_LT(most(shifted), 1.1 / 8);
    EXPECT_GT(most(plain), 0.45);  // two registers are read
    EXPECT_GT(shifted.ipc, 1.2 * plain.ipc);
}

}  // namespace
}  // namespace models
