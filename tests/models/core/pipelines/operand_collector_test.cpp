#include "models/core/pipelines/operand_collector.h"

#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace models {
namespace {

using testing::ElementsAre;
using testing::Pair;

class OperandCollectorTest : public testing::Test {
  protected:
    static RegisterUse use(const std::vector<std::uint16_t>& sources) {
        RegisterUse made;
        for (const std::uint16_t source : sources) made.sources[made.source_count++] = source;
        return made;
    }
    // An instruction whose registers are their banks.
    void allot(OperandCollector& collector, std::uint16_t instruction, const std::vector<std::uint16_t>& banks) {
        collector.allot(instruction, 7, use(banks), [](std::uint16_t source) { return std::uint32_t{source}; });
    }
    // (instruction, bank) of the reads of a cycle; `refused`: who could not.
    std::vector<std::pair<std::uint16_t, std::uint32_t>> read(OperandCollector& collector) {
        std::vector<std::pair<std::uint16_t, std::uint32_t>> reads;
        refused = collector.read([&](std::uint16_t instruction, std::uint32_t /*operand*/, std::uint32_t bank) {
            reads.emplace_back(instruction, bank);
        });
        return reads;
    }
    engine::ParameterGroup root;
    CollectorParameters parameters{&root, "collector", "of a test"};
    std::uint32_t refused = 0;
};

TEST_F(OperandCollectorTest, AUnitReadsOneOperandACycle) {
    OperandCollector collector(parameters);
    allot(collector, 5, {0, 1, 2});
    for (int i = 0; i < 3; ++i) {
        EXPECT_FALSE(collector.has_complete());
        EXPECT_EQ(read(collector).size(), 1U);
        EXPECT_EQ(refused, 0U);  // the other operands are of the same unit
    }
    EXPECT_FALSE(collector.has_reads());
    const auto [instruction, since] = collector.take_complete();
    EXPECT_EQ(instruction, 5);
    EXPECT_EQ(since, 7U);
    EXPECT_EQ(collector.used(), 0U);
}

TEST_F(OperandCollectorTest, OrOneFromEveryBank) {
    parameters.unit_reads.set("one_per_bank");
    OperandCollector collector(parameters);
    allot(collector, 5, {0, 1, 1});
    EXPECT_EQ(read(collector).size(), 2U);
    EXPECT_THAT(read(collector), ElementsAre(Pair(5, 1)));
    EXPECT_TRUE(collector.has_complete());
}

TEST_F(OperandCollectorTest, ABankServesOneReadACycle) {
    OperandCollector collector(parameters);
    for (std::uint16_t i = 0; i < 3; ++i) allot(collector, i, {2});
    EXPECT_EQ(read(collector).size(), 1U);
    EXPECT_EQ(refused, 2U);
    EXPECT_EQ(read(collector).size(), 1U);
    EXPECT_EQ(refused, 1U);
}

// Units 0 and 1 come first in banks 0 and 1, and want the other bank, too.
TEST_F(OperandCollectorTest, HeadsAloneMayLeaveABankIdle) {
    parameters.read_requests.set("heads");
    OperandCollector collector(parameters);
    allot(collector, 0, {0, 1});
    allot(collector, 1, {0, 1});
    EXPECT_EQ(read(collector).size(), 1U);  // both heads are of unit 0
    EXPECT_EQ(refused, 1U);
    parameters.read_requests.set("all");
    OperandCollector other(parameters);
    allot(other, 0, {0, 1});
    allot(other, 1, {0, 1});
    EXPECT_EQ(read(other).size(), 2U);
}

TEST_F(OperandCollectorTest, AnInstructionWithoutOperandsIsCompleteAtOnceAndUnitsLeaveInTurn) {
    parameters.units.set("2");
    OperandCollector collector(parameters);
    allot(collector, 8, {});
    allot(collector, 9, {});
    EXPECT_FALSE(collector.has_free_unit());
    EXPECT_EQ(collector.take_complete().instruction, 8);
    allot(collector, 10, {});  // in the unit that is free again
    EXPECT_EQ(collector.take_complete().instruction, 9);
    EXPECT_EQ(collector.take_complete().instruction, 10);
}

}  // namespace
}  // namespace models
