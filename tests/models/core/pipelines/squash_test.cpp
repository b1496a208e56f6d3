#include "models/core/pipelines/squash.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/core/pipelines/pipeline_fixture.h"

namespace models {
namespace {

using testing::ElementsAre;

class SquashTest : public PipelineFixture {
  protected:
    SquashTest() : PipelineFixture("squash") {}
};

// Worked out by hand: as baseline.h until cycle 5, in which instruction 2 of slot 0 is decoded and r0 is not there. It
// is squashed and fetched again in 6, when slot 0 has its turn, and decoded in 7. The same happens to that of slot 1 a
// cycle later. (What is recorded is the last fetch.)
TEST_F(SquashTest, ScheduleOfSixInstructionsAndTwoWarps) {
    run_six_instructions();
    EXPECT_THAT(schedule(),
                ElementsAre(Steps{0, 0, {0, 1, -1, -1, -1, 2, 6}}, Steps{0, 1, {2, 3, -1, -1, -1, 4, 8}},
                            Steps{0, 2, {6, 7, -1, -1, -1, 8, 12}}, Steps{0, 3, {8, 9, -1, -1, -1, 10, 14}},
                            Steps{0, 4, {10, 11, -1, -1, -1, 12, 16}}, Steps{0, 5, {12, 13, -1, -1, -1, 14, 15}},
                            Steps{1, 0, {1, 2, -1, -1, -1, 3, 7}}, Steps{1, 1, {3, 4, -1, -1, -1, 5, 9}},
                            Steps{1, 2, {7, 8, -1, -1, -1, 9, 13}}, Steps{1, 3, {9, 10, -1, -1, -1, 11, 15}},
                            Steps{1, 4, {11, 12, -1, -1, -1, 13, 17}}, Steps{1, 5, {13, 14, -1, -1, -1, 15, 16}}));
}

TEST_F(SquashTest, TheYoungerInstructionOfTheWarpIsSquashedToo) {
    program({make(Opcode::rcp, 0, 1), make(Opcode::mov, 2, 0), make(Opcode::mov, 3, 1), end()});
    warm();
    quad(0);
    run();
    // Fetched one a cycle by the only warp: 1 is decoded in 2, behind it 2 has been fetched; both are squashed until r0
    // is written in cycle 10.
    const std::vector<Steps> steps = schedule();
    ASSERT_EQ(steps.size(), 4U);
    EXPECT_THAT(steps[0].cycles, ElementsAre(0, 1, -1, -1, -1, 2, 10));
    EXPECT_GE(steps[1].cycles[InstructionTrace::issued], 10);
    EXPECT_EQ(steps[2].cycles[InstructionTrace::issued], steps[1].cycles[InstructionTrace::issued] + 1);
    EXPECT_GT(of_cores("squashes"), 4U);
    EXPECT_EQ(of_cores("squashes"), of_cores("instructions_fetched_again"));
}

TEST_F(SquashTest, AUnitForFewerThreadsThanAWarpHasTakesSeveralCycles) {
    parameters.fragment_processor.squash.alu_units.set("1");
    std::vector<Instruction> instructions;
    for (std::uint32_t i = 0; i < 10; ++i) instructions.push_back(make(Opcode::mov, i, 30));
    instructions.push_back(end());
    run_quad(instructions);
    const std::vector<Steps> steps = schedule();
    for (std::size_t i = 1; i < 10; ++i)
        EXPECT_EQ(steps[i].cycles[InstructionTrace::executed], steps[i - 1].cycles[InstructionTrace::executed] + 4);
    // Of the warp that warms the caches, 4 and 8 are the first of their lines and come when the unit is free.
    EXPECT_EQ(of_cores("cycles_pipeline"), 3U * 9 + 3 * 7);
}

// What is squashed is fetched again every other cycle, from an instruction cache that has it.
TEST_F(SquashTest, OneThatIsSquashedForATextureWaitsForTheTextureAndNotForItsFetch) {
    program({make(Opcode::tex, 0, 5), make(Opcode::add, 1, 0), end()});
    warm({{1000}});
    quad(0, {{2000}});
    run();
    const std::uint64_t first_fetch = 1 + trip;  // of the warp that warms the caches
    EXPECT_LE(of_cores("cycles_fetch"), first_fetch + 10);
    EXPECT_GE(of_cores("cycles_texture"), static_cast<std::uint64_t>(2 * trip));
}

TEST_F(SquashTest, OneThatIsSquashedForAResultWaitsForTheResult) {
    parameters.fragment_processor.special.latency.set("100");
    program({make(Opcode::rcp, 0, 1), make(Opcode::mov, 2, 0), end()});
    warm();
    quad(0);
    run();
    EXPECT_GE(of_cores("cycles_dependency"), 2 * 90U);
}

TEST_F(SquashTest, OnlyAUnitThatIsTakenIsAPipelineThatIsFull) {
    std::vector<Instruction> instructions;
    for (std::uint32_t i = 0; i < 10; ++i) instructions.push_back(make(Opcode::mov, i, 30));
    run_quad(instructions);
    EXPECT_EQ(of_cores("cycles_pipeline"), 0U);
}

// With one warp nothing but its own textures can wait for the unit.
TEST_F(SquashTest, ATextureIsAskedForWhenItsUnitHasBeenThroughAllThreads) {
    struct Machine : SquashTest {
        void TestBody() override {}
        int retired(const char* units) {
            parameters.fragment_processor.warps.set("1");
            parameters.fragment_processor.squash.texture_units.set(units);
            program({make(Opcode::tex, 0, 5), make(Opcode::mov, 1, 5), end()});
            warm({{1000}});
            quad(0, {{1000}});
            run();
            const std::vector<Steps> steps = schedule();
            EXPECT_EQ(steps.at(1).cycles[InstructionTrace::executed],
                      steps[0].cycles[InstructionTrace::executed] + 1);  // others do not wait
            return steps[0].cycles[InstructionTrace::retired] - steps[0].cycles[InstructionTrace::executed];
        }
    };
    EXPECT_EQ(Machine().retired("4"), texture_hit);
    EXPECT_EQ(Machine().retired("2"), texture_hit + 1);
    EXPECT_EQ(Machine().retired("1"), texture_hit + 3);
}

TEST_F(SquashTest, WhatIsAwaitedIsATextureUntilItIsWrittenAndOnlyWhereOneIsNeeded) {
    expect_textures_to_be_awaited_until_they_are_written();
}

TEST_F(SquashTest, SaysThatTheIntervalOfControlHasNoEffect) {
    parameters.fragment_processor.control.interval.set("4");
    parameters.fragment_processor.floating.interval.set("4");
    EXPECT_THAT(parameters.without_effect(),
                ElementsAre("fragment_processor.control.interval = 4 has no effect: fragment_processor.pipeline is "
                            "squash"));
}

TEST_F(SquashTest, OnlyALineThatIsNotThereIsAwaitedOfMemory) {
    expect_only_lines_that_are_not_there_to_be_awaited_of_memory();
}

}  // namespace
}  // namespace models
