#include "models/core/pipelines/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/core/pipelines/pipeline_fixture.h"

namespace models {
namespace {

using testing::ElementsAre;

class BaselineTest : public PipelineFixture {
  protected:
    BaselineTest() : PipelineFixture("baseline") {}
};

// Worked out by hand: the warps fetch in turn, slot 0 in even cycles as long as nothing stalls. In cycle 5 instruction
// 2 of slot 0 is in decode, and r0 is written in 6: a cycle's stall, in which fetch has one more instruction and then
// stalls too. Instruction 2 of slot 1 is decoded in 7, the cycle in which its r0 is written. One result is written a
// cycle, but none come together; what writes nothing (5) needs no port.
TEST_F(BaselineTest, ScheduleOfSixInstructionsAndTwoWarps) {
    run_six_instructions();
    EXPECT_THAT(schedule(),
                ElementsAre(Steps{0, 0, {0, 1, -1, -1, -1, 2, 6}}, Steps{0, 1, {2, 3, -1, -1, -1, 4, 8}},
                            Steps{0, 2, {4, 6, -1, -1, -1, 7, 11}}, Steps{0, 3, {7, 8, -1, -1, -1, 9, 13}},
                            Steps{0, 4, {9, 10, -1, -1, -1, 11, 15}}, Steps{0, 5, {11, 12, -1, -1, -1, 13, 14}},
                            Steps{1, 0, {1, 2, -1, -1, -1, 3, 7}}, Steps{1, 1, {3, 4, -1, -1, -1, 5, 9}},
                            Steps{1, 2, {5, 7, -1, -1, -1, 8, 12}}, Steps{1, 3, {8, 9, -1, -1, -1, 10, 14}},
                            Steps{1, 4, {10, 11, -1, -1, -1, 12, 16}}, Steps{1, 5, {12, 13, -1, -1, -1, 14, 15}}));
}

// A texture that comes in the same cycle as another result: one of them is written a cycle later.
TEST_F(BaselineTest, WritesOneResultACycle) {
    parameters.fragment_processor.special.latency.set("5");
    program({make(Opcode::rcp, 0, 1), make(Opcode::mov, 2, 3), end()});
    warm();
    quad(0);
    run();
    const std::vector<Steps> steps = schedule();
    ASSERT_EQ(steps.size(), 3U);
    EXPECT_EQ(steps[0].cycles[InstructionTrace::executed] + 5, steps[1].cycles[InstructionTrace::executed] + 4);
    EXPECT_EQ(steps[0].cycles[InstructionTrace::retired] + 1, steps[1].cycles[InstructionTrace::retired]);
}

TEST_F(BaselineTest, ADependentInstructionStallsTheOtherWarps) {
    program({make(Opcode::rcp, 0, 1), make(Opcode::mov, 2, 0), end()});
    warm();
    for (int i = 0; i < 4; ++i) quad(0);
    run();
    EXPECT_GT(of_cores("cycles_dependency"), 0U);
    EXPECT_EQ(of_cores("squashes"), 0U);
}

TEST_F(BaselineTest, OnlyALineThatIsNotThereIsAwaitedOfMemory) {
    expect_only_lines_that_are_not_there_to_be_awaited_of_memory();
}

}  // namespace
}  // namespace models
