#include "models/core/instruction_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace models {
namespace {

using testing::ElementsAre;

class InstructionTraceTest : public testing::Test {
  protected:
    static Observed observed() {
        Observed observed;
        observed.pipeline_cores = 2;
        observed.pipeline_from = 20;
        observed.pipeline_to = 40;
        return observed;
    }
    engine::CounterList list;
};

TEST_F(InstructionTraceTest, RecordsTheCoresAndCyclesThatWereNamed) {
    for (const int core : {0, 1, 2}) {
        InstructionTrace trace(&list, observed(), core, 2);
        for (const engine::Time now : {0, 19, 20, 39, 40}) {
            const std::uint32_t id = trace.open(now, 3, 7, 11, Unit::special, 4);
            EXPECT_EQ(id != none, core < 2 && now >= 20 && now < 40) << core << ' ' << now;
            trace.note(id, InstructionTrace::issued, now);
            trace.close(id);
        }
        const auto records = InstructionTrace::records(trace.series.values());
        ASSERT_EQ(records.size(), core < 2 ? 2U : 0U);
        if (core == 2) continue;
        EXPECT_EQ(records[0].slot, 3U);
        EXPECT_EQ(records[0].program, 7U);
        EXPECT_EQ(records[0].counter, 11U);
        EXPECT_EQ(records[0].unit, static_cast<std::uint64_t>(Unit::special));
        EXPECT_EQ(records[0].threads, 4U);
        EXPECT_EQ(records[1].cycles[InstructionTrace::issued], 19U);
        EXPECT_EQ(records[1].cycles[InstructionTrace::retired], InstructionTrace::Record::never);
    }
}

TEST_F(InstructionTraceTest, GoesOnWithWhatIsUnderWayAfterItWasSaved) {
    InstructionTrace trace(&list, observed(), 0, 2);
    const std::uint32_t first = trace.open(20, 0, 0, 0, Unit::alu, 4);
    const std::uint32_t second = trace.open(22, 1, 0, 1, Unit::texture, 2);
    trace.close(first);
    std::vector<std::byte> bytes;
    engine::Archive out(&bytes);
    out(trace);
    InstructionTrace other(&list, observed(), 0, 2);
    engine::Archive in(bytes);
    in(other);
    other.note(second, InstructionTrace::retired, 50);
    other.close(second);
    const auto records = InstructionTrace::records(other.series.values());
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].counter, 1U);
    EXPECT_EQ(records[0].cycles[InstructionTrace::retired], 25U);
}

TEST_F(InstructionTraceTest, GivesRowsCoreByCore) {
    InstructionTrace trace(&list, observed(), 0, 1);
    for (const std::uint32_t counter : {4U, 5U}) {
        const std::uint32_t id = trace.open(30 + counter, 1, 2, counter, Unit::texture, 3);
        trace.note(id, InstructionTrace::executed, 30 + counter);
        trace.close(id);
    }
    const std::vector<std::uint64_t> values = trace.series.take();
    const Records records = instruction_records({{0, 6, values}, {1, 0, values}, {1, 1, {}}});
    EXPECT_EQ(records.rows(), 4U);
    EXPECT_THAT(records.find("core_kind")->values, ElementsAre(0, 0, 1, 1));
    EXPECT_THAT(records.find("core")->values, ElementsAre(6, 6, 0, 0));
    EXPECT_THAT(records.find("counter")->values, ElementsAre(4, 5, 4, 5));
    EXPECT_THAT(records.find("unit")->meanings, ElementsAre("alu", "special", "texture", "control", "memory"));
    EXPECT_THAT(records.find("threads")->values, ElementsAre(3, 3, 3, 3));
    EXPECT_THAT(records.find("executed")->values, ElementsAre(34, 35, 34, 35));
    EXPECT_THAT(records.find("fetched")->values, testing::Each(Records::missing));
}

}  // namespace
}  // namespace models
