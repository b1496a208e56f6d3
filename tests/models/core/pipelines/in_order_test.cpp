#include "models/core/pipelines/in_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/core/pipelines/pipeline_fixture.h"

namespace models {
namespace {

using testing::ElementsAre;

class InOrderTest : public PipelineFixture {
  protected:
    InOrderTest() : PipelineFixture("in_order") {}
};

// Worked out by hand: the oldest that can issues, slot 0 before slot 1, which begins a cycle later; latency 4. Of slot
// 0 instructions 0 and 1 issue in cycles 0 and 1, and 2 waits for r0 until 4; slot 1 issues 0 and 1 in between, and its
// 2, which could from 6 on, when slot 0 is through. What writes nothing (5) takes a cycle.
TEST_F(InOrderTest, ScheduleOfSixInstructionsAndTwoWarps) {
    run_six_instructions();
    EXPECT_THAT(schedule(),
                ElementsAre(Steps{0, 0, {-1, 0, -1, -1, -1, 0, 4}}, Steps{0, 1, {-1, 1, -1, -1, -1, 1, 5}},
                            Steps{0, 2, {-1, 4, -1, -1, -1, 4, 8}}, Steps{0, 3, {-1, 5, -1, -1, -1, 5, 9}},
                            Steps{0, 4, {-1, 6, -1, -1, -1, 6, 10}}, Steps{0, 5, {-1, 7, -1, -1, -1, 7, 8}},
                            Steps{1, 0, {-1, 2, -1, -1, -1, 2, 6}}, Steps{1, 1, {-1, 3, -1, -1, -1, 3, 7}},
                            Steps{1, 2, {-1, 8, -1, -1, -1, 8, 12}}, Steps{1, 3, {-1, 9, -1, -1, -1, 9, 13}},
                            Steps{1, 4, {-1, 10, -1, -1, -1, 10, 14}}, Steps{1, 5, {-1, 11, -1, -1, -1, 11, 12}}));
}

TEST_F(InOrderTest, OnlyALineThatIsNotThereIsAwaitedOfMemory) {
    expect_only_lines_that_are_not_there_to_be_awaited_of_memory();
}

}  // namespace
}  // namespace models
