#include "models/fragment_processor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/bench.h"

namespace models {
namespace {

using engine::Time;

Operand temporary(std::uint32_t index) {
    Operand operand;
    operand.file = RegisterFile::temporary;
    operand.components = 15;
    operand.index = static_cast<std::uint16_t>(index);
    return operand;
}

Instruction make(Opcode opcode, std::uint32_t destination, std::uint32_t source) {
    Instruction instruction;
    instruction.opcode = opcode;
    instruction.source_count = 1;
    instruction.destination = temporary(destination);
    instruction.sources[0] = temporary(source);
    return instruction;
}

// One processor; quads come one after the other, each with one path through one program. Memory answers after
// `memory_time` ticks. The first quad warms the instruction cache: it is sent alone, and cycles count from the second.
class FragmentProcessorTest : public testing::Test {
  protected:
    static constexpr Time memory_time = 200, second = 10'000;  // ticks

    FragmentProcessorTest() {
        parameters.fragment_processor.count.set("1");
        parameters.l2.slices.set("1");
        parameters.l2.requests_per_port.set("64");
        trace.programs.resize(1);
        frame.draws.resize(1);
        frame.draws[0].fragment_program = 0;
        frame.draws[0].primitive_count = 1;
        frame.draws[0].kind = DrawKind::transfer;
        frame.primitives.resize(1);
        frame.passes.resize(1);
        frame.passes[0].tiles_x = frame.passes[0].tiles_y = 1;
        frame.passes[0].draw_count = 1;
    }
    void program(const std::vector<Instruction>& instructions) {
        trace.programs[0].instructions = instructions;
        trace.programs[0].paths = {{{0, static_cast<std::uint16_t>(instructions.size())}}};
    }
    // A quad that arrives `cycle` cycles after `second`, or (cycle < 0) at the start; with an access for each texture
    // instruction.
    void quad(Time cycle, const std::vector<std::vector<BlockNumber>>& accesses = {}, std::uint16_t path = 0) {
        Quad added;
        added.coverage = added.early_pass = 15;
        added.path = path;
        added.first_access = static_cast<std::uint32_t>(frame.accesses.size());
        for (const auto& blocks : accesses) {
            frame.accesses.push_back(
                {static_cast<std::uint32_t>(frame.blocks.size()), static_cast<std::uint16_t>(blocks.size())});
            frame.blocks.insert(frame.blocks.end(), blocks.begin(), blocks.end());
        }
        frame.quads.push_back(added);
        arrivals.push_back(cycle < 0 ? 0 : second + cycle * 2);
    }
    void run() {
        frame.tiles = {{0, static_cast<std::uint32_t>(frame.quads.size())}};
        processor = &simulation.add<FragmentProcessor>(0, parameters, workload);
        auto& source = simulation.add<bench::Source<ShadeQuad>>("source");
        auto& credits = simulation.add<bench::Sink<QuadsTaken>>("credits");
        blender = &simulation.add<bench::Blender>("blender", -1, 1);
        memory = &simulation.add<bench::Memory>("memory", -1, memory_time);
        simulation.connect(source.out, processor->quads, 1);
        simulation.connect(processor->taken, credits.in, 1);
        simulation.connect(processor->shaded, blender->in, 1);
        simulation.connect(blender->out, processor->blended, 1);
        simulation.connect(processor->memory.requests[0], memory->in, 1);
        simulation.connect(memory->out, processor->replies[0], 1);
        workload.load(trace, frame);
        processor->begin_frame();
        for (std::size_t i = 0; i < arrivals.size(); ++i)
            source.send_at(arrivals[i] - (i > 0 ? 1 : 0), {static_cast<std::uint32_t>(i), 0, 0, 0});
        simulation.run({});
    }
    // The cycle after `second` in which each quad, but the first, was complete: it leaves a cycle later, arrives a tick
    // after that.
    std::vector<Time> complete() const {
        std::vector<Time> cycles;
        for (std::size_t i = 1; i < blender->seen.size(); ++i)
            cycles.push_back((blender->seen[i].first - 1 - 2 - second) / 2);
        return cycles;
    }
    std::uint64_t counter(const std::string& name) const {
        for (const auto& info : processor->counters().all())
            if (info.name == name) return *info.value;
        ADD_FAILURE() << name;
        return 0;
    }
    std::uint64_t texture_reads() const {  // but those of instructions
        return counter("texture_cache_misses");
    }

    MachineParameters parameters;
    FrameTrace trace;
    Frame frame;
    Workload workload{parameters};
    engine::Simulation simulation;
    std::vector<Time> arrivals;
    FragmentProcessor* processor = nullptr;
    bench::Blender* blender = nullptr;
    bench::Memory* memory = nullptr;
};

TEST_F(FragmentProcessorTest, DependentInstructionsTakeTheirLatencyEach) {
    std::vector<Instruction> chain(20, make(Opcode::add, 0, 0));
    program(chain);
    quad(-1);
    quad(0);
    run();
    EXPECT_THAT(complete(), testing::ElementsAre(20 * 4));
    EXPECT_EQ(counter("warp_instructions"), 40U);
    EXPECT_EQ(counter("thread_instructions"), 160U);
}

TEST_F(FragmentProcessorTest, IndependentInstructionsIssueOneACycle) {
    std::vector<Instruction> instructions;
    for (std::uint32_t i = 0; i < 20; ++i) instructions.push_back(make(Opcode::add, i, 30));
    program(instructions);
    quad(-1);
    quad(0);
    run();
    EXPECT_THAT(complete(), testing::ElementsAre(20 - 1 + 4));
}

TEST_F(FragmentProcessorTest, SpecialFunctionsTakeLonger) {
    program(std::vector<Instruction>(10, make(Opcode::rcp, 0, 0)));
    quad(-1);
    quad(0);
    run();
    EXPECT_THAT(complete(), testing::ElementsAre(10 * 8));
}

TEST_F(FragmentProcessorTest, ASpecialUnitThatIsNotPipelinedLimitsTheRate) {
    parameters.fragment_processor.special_interval.set("8");
    std::vector<Instruction> instructions;
    for (std::uint32_t i = 0; i < 10; ++i) instructions.push_back(make(Opcode::rcp, i, 30));
    program(instructions);
    quad(-1);
    quad(0);
    run();
    EXPECT_THAT(complete(), testing::ElementsAre(10 * 8));
}

TEST_F(FragmentProcessorTest, AScalarMachineTakesACycleForEachComponent) {
    parameters.fragment_processor.vector_width.set("1");
    std::vector<Instruction> instructions;
    for (std::uint32_t i = 0; i < 10; ++i) instructions.push_back(make(Opcode::add, i, 30));
    instructions[3].destination.components = 1;
    program(instructions);
    quad(-1);
    quad(0);
    run();
    EXPECT_THAT(complete(), testing::ElementsAre(9 * 4 + 1 - 1 + 4));
}

TEST_F(FragmentProcessorTest, WarpsHideEachOthersLatencies) {
    program(std::vector<Instruction>(20, make(Opcode::add, 0, 0)));
    quad(-1);
    quad(0);
    quad(0);
    quad(0);
    quad(0);
    run();
    // One warp starts a cycle, so four of them fill the four cycles of latency.
    EXPECT_THAT(complete(), testing::ElementsAre(80, 81, 82, 83));
    EXPECT_EQ(counter("cycles_issue"), 100U);
}

TEST_F(FragmentProcessorTest, ATextureHitTakesTheCacheAndTheFilter) {
    program({make(Opcode::tex, 0, 5)});
    quad(-1, {{1000, 1001}});
    quad(0, {{1000, 1001}});
    run();
    // Issued in cycle 0, looked up in cycle 1, there 2 cycles later, filtered after 8.
    EXPECT_THAT(complete(), testing::ElementsAre(1 + 2 + 8));
    EXPECT_EQ(texture_reads(), 2U);
    EXPECT_EQ(counter("texture_cache_hits"), 2U);
}

TEST_F(FragmentProcessorTest, ATextureMissTakesTheMemoryBetweenLookupAndFilter) {
    program({make(Opcode::tex, 0, 5)});
    quad(-1, {{1000}});
    quad(0, {{2000}});
    run();
    // Looked up in cycle 1; the request leaves after 2 cycles and is answered 202 ticks (101 cycles) later.
    EXPECT_THAT(complete(), testing::ElementsAre(1 + 2 + 101 + 8));
    ASSERT_FALSE(memory->seen.empty());
    const MemoryRequest& request = memory->seen.back().second;
    EXPECT_EQ(request.block, 2000U);
    EXPECT_EQ(request.attribution.draw, 0U);
    EXPECT_EQ(request.attribution.tile, 0U);
    EXPECT_EQ(request.attribution.program_counter, 0U);
}

TEST_F(FragmentProcessorTest, AWarpWaitsForATextureOnlyWhenItUsesIt) {
    std::vector<Instruction> instructions{make(Opcode::tex, 0, 5)};
    for (std::uint32_t i = 0; i < 40; ++i) instructions.push_back(make(Opcode::add, 6 + i, 5));
    instructions.push_back(make(Opcode::add, 1, 0));
    program(instructions);
    quad(-1, {{1000}});
    quad(0, {{2000}});
    run();
    EXPECT_THAT(complete(), testing::ElementsAre(1 + 2 + 101 + 8 + 4));
    EXPECT_EQ(counter("warp_instructions"), 84U);
}

TEST_F(FragmentProcessorTest, ASecondReadOfALineInFlightJoinsTheFetch) {
    program({make(Opcode::tex, 0, 5)});
    quad(-1, {{1000}});
    quad(0, {{2000}});
    quad(0, {{2000}});
    run();
    EXPECT_EQ(texture_reads(), 2U);
    EXPECT_EQ(counter("texture_cache_merged"), 1U);
    EXPECT_THAT(complete(), testing::ElementsAre(112, 113));  // one quad leaves a cycle
}

TEST_F(FragmentProcessorTest, AHitPassesAMissButQuadsLeaveInOrder) {
    program({make(Opcode::tex, 0, 5), make(Opcode::add, 1, 0)});
    quad(-1, {{1000}});
    quad(0, {{2000}});
    quad(0, {{1000}});
    run();
    EXPECT_THAT(complete(), testing::ElementsAre(116, 117));
    EXPECT_EQ(blender->seen[1].second.quad, 1U);
    EXPECT_EQ(blender->seen[2].second.quad, 2U);
}

TEST_F(FragmentProcessorTest, ManyBlocksTakeSeveralCyclesOfLookup) {
    program({make(Opcode::tex, 0, 5)});
    quad(-1, {{0x1000, 0x1001, 0x1002, 0x1003, 0x1004, 0x1005, 0x1006, 0x1007, 0x1008}});
    quad(0, {{0x1000, 0x1001, 0x1002, 0x1003, 0x1004, 0x1005, 0x1006, 0x1007, 0x1008}});
    run();
    EXPECT_THAT(complete(), testing::ElementsAre(1 + 2 + 2 + 8));  // 4 + 4 + 1
}

TEST_F(FragmentProcessorTest, AnAccessWithoutBlocksIsDoneWithoutTheCache) {
    program({make(Opcode::tex, 0, 5)});
    quad(-1, {{}});
    quad(0, {{}});
    run();
    EXPECT_THAT(complete(), testing::ElementsAre(11));
    EXPECT_EQ(counter("texture_cache_accesses"), 0U);
    EXPECT_EQ(counter("texture_accesses"), 2U);
}

TEST_F(FragmentProcessorTest, FollowsThePathOfTheQuad) {
    std::vector<Instruction> instructions(20, make(Opcode::add, 0, 0));
    program(instructions);
    trace.programs[0].paths.push_back({{0, 3}, {17, 2}});
    trace.programs[0].paths.push_back({{0, 2}, {0, 2}, {0, 2}});  // a loop
    quad(-1);
    quad(0, {}, 1);
    quad(1000, {}, 2);
    run();
    EXPECT_THAT(complete(), testing::ElementsAre(5 * 4, 1000 + 6 * 4));
}

TEST_F(FragmentProcessorTest, QuadsOfOneWarpShareItsInstructionsWhereTheirPathsMeet) {
    parameters.fragment_processor.groups_per_warp.set("2");
    parameters.raster.fragment_queue.set("4");
    program(std::vector<Instruction>(20, make(Opcode::add, 0, 0)));
    trace.programs[0].paths.push_back({{0, 5}, {10, 10}});
    trace.programs[0].paths.push_back({{0, 5}, {5, 5}});
    quad(-1);
    quad(0, {}, 1);
    quad(0, {}, 2);
    run();
    // 0-4 together, 5-9 the second, 10-19 the first: 20 instructions for both.
    EXPECT_EQ(counter("warp_instructions"), 40U);
    EXPECT_EQ(counter("warps"), 2U);
    EXPECT_EQ(counter("thread_instructions"), 4U * (20 + 15 + 10));
    EXPECT_THAT(complete(), testing::ElementsAre(80, 81));
}

TEST_F(FragmentProcessorTest, HoldsFinishedQuadsUntilBlendingHasRoom) {
    parameters.blending.colour_queue.set("1");
    program({make(Opcode::add, 0, 5)});
    quad(-1);
    for (int i = 0; i < 4; ++i) quad(0);
    run();
    const auto times = complete();
    for (std::size_t i = 1; i < times.size(); ++i) EXPECT_GE(times[i] - times[i - 1], 2);
    EXPECT_EQ(counter("quads_out"), 5U);
}

TEST_F(FragmentProcessorTest, FetchesEachLineOfInstructionsOnce) {
    program(std::vector<Instruction>(20, make(Opcode::add, 0, 0)));
    quad(-1);
    quad(0);
    run();
    EXPECT_EQ(counter("instruction_cache_misses"), 5U);  // 20 instructions of 16 bytes
    EXPECT_EQ(counter("instruction_cache_hits"), 5U);
}

}  // namespace
}  // namespace models
