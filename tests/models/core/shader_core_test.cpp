#include "models/core/shader_core.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/cluster_fixture.h"

namespace models {
namespace {

using testing::ElementsAre;

// A core in a cluster of its own.
class ShaderCoreTest : public ClusterFixture {
  protected:
    static std::vector<Instruction> independent(Opcode opcode, std::uint32_t count) {
        std::vector<Instruction> instructions;
        for (std::uint32_t i = 0; i < count; ++i) instructions.push_back(make(opcode, i, 30));
        return instructions;
    }
};

TEST_F(ShaderCoreTest, DependentInstructionsTakeTheirLatencyEach) {
    program(std::vector<Instruction>(20, make(Opcode::add, 0, 0)));
    warm();
    quad(0);
    run();
    EXPECT_THAT(complete(), ElementsAre(20 * 4));
    EXPECT_EQ(of_cores("warp_instructions"), 40U);
    EXPECT_EQ(of_cores("thread_instructions"), 160U);
}

TEST_F(ShaderCoreTest, IndependentInstructionsIssueOneACycle) {
    program(independent(Opcode::add, 20));
    warm();
    quad(0);
    run();
    EXPECT_THAT(complete(), ElementsAre(20 - 1 + 4));
}

TEST_F(ShaderCoreTest, SpecialFunctionsTakeLonger) {
    program(std::vector<Instruction>(10, make(Opcode::rcp, 0, 0)));
    warm();
    quad(0);
    run();
    EXPECT_THAT(complete(), ElementsAre(10 * 8));
}

TEST_F(ShaderCoreTest, ASpecialUnitThatIsNotPipelinedLimitsTheRate) {
    parameters.fragment_processor.special.interval.set("8");
    program(independent(Opcode::rcp, 10));
    warm();
    quad(0);
    run();
    EXPECT_THAT(complete(), ElementsAre(10 * 8));
    // The unit is awaited, and at the end the last result. (The warp that warms the caches waits for lines, too.)
    EXPECT_GE(of_cores("cycles_pipeline"), 9 * 7 + 7 * 7U);
    EXPECT_EQ(of_cores("cycles_dependency"), 2 * 7U);
}

TEST_F(ShaderCoreTest, WhatComesAfterABranchWaitsForItsLatency) {
    struct Machine : ShaderCoreTest {
        void TestBody() override {}
        Time last(const char* latency) {
            parameters.fragment_processor.control.latency.set(latency);
            Instruction branch = make(Opcode::if_, 0, 5);
            branch.destination = {};
            program({make(Opcode::add, 0, 5), branch, make(Opcode::add, 1, 5), branch, make(Opcode::add, 2, 5)});
            warm();
            quad(0);
            run();
            return complete().at(0);
        }
    };
    EXPECT_EQ(Machine().last("1"), 5 - 1 + 4);
    EXPECT_EQ(Machine().last("2"), 5 - 1 + 4 + 2);
    EXPECT_EQ(Machine().last("20"), 5 - 1 + 4 + 2 * 19);
}

// Its threads go on as helpers, so nothing of what the warp executes hangs on it; whether they are written does.
TEST_F(ShaderCoreTest, WhatComesAfterAKillDoesNotWaitForItsLatencyButTheEndOfTheWarpDoes) {
    struct Machine : ShaderCoreTest {
        void TestBody() override {}
        Time last(const char* pipeline, const char* latency, std::uint32_t behind) {
            parameters.fragment_processor.pipeline.set(pipeline);
            parameters.fragment_processor.control.latency.set(latency);
            Instruction kill = make(Opcode::kill_if, 0, 5);
            kill.destination = {};
            std::vector<Instruction> instructions = independent(Opcode::add, behind);
            instructions.insert(instructions.begin(), kill);
            program(instructions);
            warm();
            quad(0);
            run();
            return complete().at(0);
        }
    };
    EXPECT_EQ(Machine().last("in_order", "1", 1), 1 + 4);    // the kill is issued in cycle 0, the other one in 1
    EXPECT_EQ(Machine().last("in_order", "20", 1), 0 + 20);  // the kill is the last
    for (const char* pipeline : {"in_order", "collector", "baseline", "squash"}) {
        EXPECT_EQ(Machine().last(pipeline, "20", 25), Machine().last(pipeline, "1", 25)) << pipeline;
        EXPECT_EQ(Machine().last(pipeline, "120", 25), Machine().last(pipeline, "100", 25) + 20) << pipeline;
    }
}

TEST_F(ShaderCoreTest, AScalarMachineTakesACycleForEachComponent) {
    parameters.fragment_processor.vector_width.set("1");
    std::vector<Instruction> instructions = independent(Opcode::add, 10);
    instructions[3].destination.components = 1;
    program(instructions);
    warm();
    quad(0);
    run();
    EXPECT_THAT(complete(), ElementsAre(9 * 4 + 1 - 1 + 4));
}

struct Swizzle {
    const char* width;
    std::uint8_t component;
    engine::Time cycles;
};

class SwizzleTest : public ShaderCoreTest, public testing::WithParamInterface<Swizzle> {};

// r0 = r1; r2.x = a component of r0. On a scalar machine the first issues in cycles 0 to 3 and each of its components
// is there 4 cycles after its own, the second issues in one. On a vec4 machine it waits for the whole of r0.
TEST_P(SwizzleTest, OfAScalarMachineDecidesWhatWaits) {
    parameters.fragment_processor.vector_width.set(GetParam().width);
    Instruction reader = make(Opcode::mov, 2, 0);
    reader.destination.components = 1;
    reader.sources[0].components = static_cast<std::uint8_t>(1U << GetParam().component);
    reader.sources[0].swizzle = static_cast<std::uint8_t>(GetParam().component * 0x55);
    program({make(Opcode::mov, 0, 1), reader});
    warm();
    quad(0);
    run();
    EXPECT_THAT(complete(), ElementsAre(GetParam().cycles));
}

INSTANTIATE_TEST_SUITE_P(Machines, SwizzleTest,
                         testing::Values(Swizzle{"1", 0, 4 + 4}, Swizzle{"1", 1, 5 + 4}, Swizzle{"1", 3, 7 + 4},
                                         Swizzle{"2", 1, 4 + 4}, Swizzle{"2", 2, 5 + 4}, Swizzle{"4", 0, 4 + 4},
                                         Swizzle{"4", 3, 4 + 4}),
                         [](const auto& machine) {
                             return "Width" + std::string(machine.param.width) + "Component" +
                                    std::to_string(machine.param.component);
                         });

// Of a quad, the right half skips an instruction: threads that execute it are counted, the time is the same.
TEST_F(ShaderCoreTest, CountsTheThreadsThatARunHas) {
    program({make(Opcode::add, 0, 0), make(Opcode::add, 0, 0), make(Opcode::add, 0, 0)});
    path_of_lanes({{0, 1, 15}, {1, 1, 5}, {2, 1, 15}});
    quad(0, {}, 1);
    run();
    EXPECT_EQ(of_cores("warp_instructions"), 3U);
    EXPECT_EQ(of_cores("thread_instructions"), 4U + 2 + 4);
}

TEST_F(ShaderCoreTest, WarpsHideEachOthersLatencies) {
    program(std::vector<Instruction>(20, make(Opcode::add, 0, 0)));
    warm();
    for (int i = 0; i < 4; ++i) quad(0);
    run();
    // One warp starts a cycle, so four of them fill the four cycles of latency.
    EXPECT_THAT(complete(), ElementsAre(80, 81, 82, 83));
    EXPECT_EQ(of_cores("cycles_issue"), 100U);
}

TEST_F(ShaderCoreTest, AWarpWaitsForATextureOnlyWhenItUsesIt) {
    std::vector<Instruction> instructions{make(Opcode::tex, 0, 5)};
    for (std::uint32_t i = 0; i < 40; ++i) instructions.push_back(make(Opcode::add, 6 + i, 5));
    instructions.push_back(make(Opcode::add, 1, 0));
    program(instructions);
    warm({{1000}});
    quad(0, {{2000}});
    run();
    EXPECT_THAT(complete(), ElementsAre(texture_miss + 4));
    EXPECT_EQ(of_cores("warp_instructions"), 84U);
}

TEST_F(ShaderCoreTest, AWarpIsFinishedOnlyWhenATextureThatNobodyUsesIsThere) {
    program({make(Opcode::tex, 0, 5), make(Opcode::add, 1, 5)});
    warm({{1000}});
    quad(0, {{2000}});
    run();
    EXPECT_THAT(complete(), ElementsAre(texture_miss));
}

TEST_F(ShaderCoreTest, FollowsThePathOfTheQuad) {
    program(std::vector<Instruction>(20, make(Opcode::add, 0, 0)));
    path({{0, 3}, {17, 2}});
    path({{0, 2}, {0, 2}, {0, 2}});  // a loop
    warm();
    quad(0, {}, 1);
    quad(1000, {}, 2);
    run();
    EXPECT_THAT(complete(), ElementsAre(5 * 4, 1000 + 6 * 4));
}

TEST_F(ShaderCoreTest, QuadsOfOneWarpShareItsInstructionsWhereTheirPathsMeet) {
    parameters.fragment_processor.groups_per_warp.set("2");
    program(std::vector<Instruction>(20, make(Opcode::add, 0, 0)));
    path({{0, 5}, {10, 10}});
    path({{0, 5}, {5, 5}});
    warm();
    const std::uint32_t one = add_quad({}, 1), other = add_quad({}, 2);
    warp(0, {one, other});
    run();
    // 0-4 together, 5-9 the second, 10-19 the first: 20 instructions for both.
    EXPECT_EQ(of_cores("warp_instructions"), 40U);
    EXPECT_EQ(of_cores("warps"), 2U);
    EXPECT_EQ(of_cores("thread_instructions"), 4U * (20 + 15 + 10));
    EXPECT_THAT(complete(), ElementsAre(80, 81));
}

TEST_F(ShaderCoreTest, ATextureInstructionOfAWarpNeedsRoomForAllItsQuads) {
    parameters.fragment_processor.groups_per_warp.set("2");
    parameters.texture_unit.accesses.set("3");
    program({make(Opcode::tex, 0, 5)});
    warm({{1000}});
    for (int i = 0; i < 2; ++i) {
        const std::uint32_t one = add_quad({{2000}}), other = add_quad({{2000}});
        warp(0, {one, other});
    }
    run();
    // The filter takes the two accesses of the first warp one after the other. The second warp is issued when the
    // filter takes the first of them, whose line has been read from the cache: then it hits, an access a cycle.
    const Time there = 4 + 2 + trip, first = there + 2 + 8 + 1, second_warp = there + 2 + 1 + texture_hit;
    EXPECT_THAT(complete(), ElementsAre(first, first + 1, second_warp, second_warp + 1));
    EXPECT_GT(of_cores("cycles_texture") + of_cores("cycles_texture_unit") + of_cores("cycles_finish"), 90U);
}

TEST_F(ShaderCoreTest, FetchesEachLineOfInstructionsOnce) {
    program(std::vector<Instruction>(20, make(Opcode::add, 0, 0)));
    warm();
    quad(0);
    run();
    EXPECT_EQ(of("fragment_processor_instruction_cache", "misses"), 5U);  // 20 instructions of 16 bytes
    EXPECT_EQ(of("fragment_processor_instruction_cache", "hits"), 5U);
}

TEST_F(ShaderCoreTest, WaitsForInstructionsThatAreNotThere) {
    program(std::vector<Instruction>(4, make(Opcode::add, 0, 0)));
    quad(0);
    quad(1000);
    run();
    // The first fetches its line: a cycle of the cache and the way to memory.
    EXPECT_THAT(complete(), ElementsAre(1000 + 4 * 4));
    EXPECT_EQ(blenders[0]->seen[0].first - 2 - second, 1 + trip + 4 * 4);
    EXPECT_EQ(of_cores("cycles_fetch"), static_cast<std::uint64_t>(1 + trip));
}

TEST_F(ShaderCoreTest, IssuesTheOldest) {
    program(independent(Opcode::add, 20));
    warm();
    quad(0);
    quad(0);
    run();
    const std::vector<Time> oldest = complete();
    EXPECT_THAT(oldest, ElementsAre(19 + 4, 39 + 4));  // one after the other
}

// Whatever part of the texture unit takes its time: four warps ask one after the other, though one at a time is active.
TEST_F(ShaderCoreTest, OfTwoLevelsAWarpMakesRoomUntilItsTextureIsThere) {
    struct Machine : ShaderCoreTest {
        void TestBody() override {}
        Time last(const char* address_latency, const char* filter_latency) {
            parameters.fragment_processor.issue_scheduler.set("two_level");
            parameters.fragment_processor.active_warps.set("1");
            parameters.texture_unit.address_latency.set(address_latency);
            parameters.texture_unit.filter_latency.set(filter_latency);
            std::vector<Instruction> instructions(5, make(Opcode::add, 6, 6));
            instructions.push_back(make(Opcode::tex, 0, 6));
            instructions.push_back(make(Opcode::add, 1, 0));
            program(instructions);
            warm({{1000}});
            for (int i = 0; i < 4; ++i) quad(0, {{1000}});
            run();
            return complete().back();
        }
    };
    const Time in_filter = Machine().last("4", "200"), in_addresses = Machine().last("200", "4");
    EXPECT_LE(in_filter, 4 * (5 * 4 + 1) + 4 + 2 + 200 + 4);
    EXPECT_EQ(in_filter, in_addresses);
}

TEST_F(ShaderCoreTest, InTurnWarpsFinishTogether) {
    parameters.fragment_processor.issue_scheduler.set("loose_round_robin");
    program(independent(Opcode::add, 20));
    warm();
    quad(0);
    quad(0);
    run();
    const std::vector<Time> turns = complete();
    ASSERT_EQ(turns.size(), 2U);
    EXPECT_EQ(turns[1], 39 + 4);
    EXPECT_GE(turns[0], 37 + 4);
}

TEST_F(ShaderCoreTest, AccountsForAllItsTime) {
    std::vector<Instruction> instructions{make(Opcode::tex, 0, 5)};
    for (int i = 0; i < 10; ++i) instructions.push_back(make(i % 3 == 0 ? Opcode::rcp : Opcode::add, 0, 0));
    program(instructions);
    for (BlockNumber i = 0; i < 30; ++i) quad(7 * Time{i}, {{1000 + i}});
    run();
    std::uint64_t sum = 0;
    for (const char* state : {"empty", "issue", "dependency", "texture", "texture_unit", "fetch", "finish"})
        sum += of_cores("cycles_" + std::string(state));
    EXPECT_EQ(sum, static_cast<std::uint64_t>(cluster->now()));
    EXPECT_EQ(of_cores("cycles_issue"), 30U * 11);
}

// Two textures, for one of which there is room, then arithmetic that needs the first of them and what comes of it.
TEST_F(ShaderCoreTest, SaysForWhatItsOldestWarpWaits) {
    parameters.texture_unit.accesses.set("1");
    program({make(Opcode::tex, 0, 5), make(Opcode::tex, 6, 5), make(Opcode::rcp, 1, 6), make(Opcode::rcp, 2, 1)});
    warm({{1000}, {1000}});
    quad(0, {{2000}, {3000}});
    run();
    const auto special = static_cast<std::uint64_t>(parameters.fragment_processor.special.latency.count());
    // The second texture is asked when the line of the first has come: one cycle of three is an instruction's.
    EXPECT_GE(of_cores("cycles_texture_unit"), static_cast<std::uint64_t>(2 * (texture_miss - 12)));
    EXPECT_GE(of_cores("cycles_texture"), static_cast<std::uint64_t>(trip));
    EXPECT_GE(of_cores("cycles_dependency"), 2 * (special - 1));
    EXPECT_EQ(of_cores("cycles_finish"), 0U);
}

// On a vec4 machine and on a scalar one: the time from the moment in which it is known when a texture comes until it is
// there. Arithmetic that takes less does not make it a wait for results.
TEST_F(ShaderCoreTest, WaitsForATextureUntilItIsThere) {
    for (const char* width : {"4", "1"}) {
        struct Machine : ShaderCoreTest {
            void TestBody() override {}
            void waits(const char* width) {
                parameters.fragment_processor.vector_width.set(width);
                parameters.texture_unit.filter_latency.set("200");
                program({make(Opcode::tex, 0, 5), make(Opcode::rcp, 1, 5), make(Opcode::add, 2, 0),
                         make(Opcode::tex, 0, 5)});
                warm({{1000}, {1000}});
                quad(0, {{1000}, {1000}});
                run();
                EXPECT_GE(of_cores("cycles_texture"), 2 * 2 * 200U) << width;
                EXPECT_LE(of_cores("cycles_dependency"), 10U) << width;
            }
        };
        Machine().waits(width);
    }
}

TEST_F(ShaderCoreTest, AResultIsAwaitedThoughATextureIsUnderWay) {
    parameters.texture_unit.filter_latency.set("200");
    parameters.fragment_processor.special.latency.set("100");
    program({make(Opcode::tex, 0, 5), make(Opcode::rcp, 1, 5), make(Opcode::add, 2, 1)});
    warm({{1000}});
    quad(0, {{1000}});
    run();
    EXPECT_GE(of_cores("cycles_dependency"), 100U);
}

}  // namespace
}  // namespace models
