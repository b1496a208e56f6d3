#include "models/processes/cluster.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/cluster_fixture.h"

namespace models {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

using ClusterTest = ClusterFixture;

TEST_F(ClusterTest, ATextureHitTakesTheCacheAndTheFilter) {
    program({make(Opcode::tex, 0, 5)});
    warm({{1000, 1001}});
    quad(0, {{1000, 1001}});
    run();
    EXPECT_THAT(complete(), ElementsAre(texture_hit));
    EXPECT_EQ(of("texture_cache", "misses"), 2U);
    EXPECT_EQ(of("texture_cache", "hits"), 2U);
}

TEST_F(ClusterTest, ATextureMissTakesTheMemoryBetweenLookupAndFilter) {
    program({make(Opcode::tex, 0, 5)});
    warm({{1000}});
    quad(0, {{2000}});
    run();
    EXPECT_THAT(complete(), ElementsAre(texture_miss));
    const MemoryRequest& request = memory->seen.back().second;
    EXPECT_EQ(request.block, 2000U);
    EXPECT_EQ(request.client, MemoryClient::texture);
    EXPECT_EQ(request.attribution.draw, 0U);
    EXPECT_EQ(request.attribution.tile, 0U);
    EXPECT_EQ(request.attribution.program_counter, workload.program(Scene::fragment_program).place(0));
}

// Prefetchers learn by it.
TEST_F(ClusterTest, TheProgramCounterOfARequestTellsTheSameInstructionOfTwoProgramsApart) {
    program({make(Opcode::tex, 0, 5)});
    scene.trace.programs.push_back(scene.trace.programs[Scene::fragment_program]);
    warm({{1000}});
    quad(0, {{2000}});
    scene.draw().fragment_program = Scene::fragment_program + 1;
    scene.primitive();
    quad(1000, {{3000}});
    run();
    std::map<BlockNumber, std::uint16_t> counters;
    for (const auto& [time, request] : memory->seen)
        if (request.client == MemoryClient::texture) counters[request.block] = request.attribution.program_counter;
    EXPECT_EQ(counters.at(1000), counters.at(2000));
    EXPECT_NE(counters.at(2000), counters.at(3000));
}

TEST_F(ClusterTest, QuadsOneAfterTheOtherAreNeighboursOfAThreadAwarePrefetcherOnACoreWithOneWarp) {
    parameters.texture_cache.prefetcher.set("thread_aware");
    parameters.fragment_processor.warps.set("1");
    program({make(Opcode::tex, 0, 5)});
    warm({{1000}});
    for (std::uint32_t i = 0; i < 12; ++i) quad(1000 * i, {{2000 + 16 * i, 2001 + 16 * i}});
    run();
    EXPECT_GE(of("texture_cache", "prefetches"), 6U);
    EXPECT_GE(of("texture_cache", "prefetches_used"), 6U);
    EXPECT_EQ(of("texture_cache", "prefetches_late"), 0U);
}

TEST_F(ClusterTest, ASecondReadOfALineInFlightJoinsTheFetch) {
    program({make(Opcode::tex, 0, 5)});
    warm({{1000}});
    quad(0, {{2000}});
    quad(0, {{2000}});
    run();
    EXPECT_EQ(of("texture_cache", "misses"), 2U);
    EXPECT_EQ(of("texture_cache", "merged"), 1U);
    EXPECT_THAT(complete(), ElementsAre(texture_miss, texture_miss + 1));  // one quad leaves a cycle
}

TEST_F(ClusterTest, AHitPassesAMissButQuadsLeaveInOrder) {
    program({make(Opcode::tex, 0, 5), make(Opcode::add, 1, 0)});
    warm({{1000}});
    quad(0, {{2000}});
    quad(0, {{1000}});
    run();
    EXPECT_THAT(complete(), ElementsAre(texture_miss + 4, texture_miss + 5));
    EXPECT_EQ(blenders[0]->seen[1].second.quad, 1U);
    EXPECT_EQ(blenders[0]->seen[2].second.quad, 2U);
}

// The first quad keeps one of the unit's four places until its line is there. Younger quads pass the warp, which needs
// all of them; colours get none of these before it.
TEST_F(ClusterTest, AWarpThatOthersPassInTheTextureUnitOfItsCoreIsHandedOnBeforeThem) {
    parameters.fragment_processor.groups_per_warp.set("4");
    parameters.texture_unit.accesses.set("4");
    program({make(Opcode::tex, 0, 5)});
    warm({{1000}});
    quad(0, {{2000}});
    std::vector<std::uint32_t> quads;
    for (int i = 0; i < 4; ++i) quads.push_back(add_quad({{1000}}));
    warp(1, quads);
    for (int i = 0; i < 3; ++i) quad(2, {{1000}});
    run();
    const Time passed = texture_miss - 8;  // the filter takes the first access
    const std::vector<Time> times = complete();
    ASSERT_EQ(times.size(), 8U);
    EXPECT_EQ(times[0], texture_miss);
    EXPECT_GT(times[1], passed + texture_hit);
    for (std::size_t i = 1; i < 9; ++i) EXPECT_EQ(blenders[0]->seen[i].second.quad, i);
    for (std::size_t i = 2; i < 8; ++i) EXPECT_EQ(times[i], times[i - 1] + 1);  // the younger ones finished long before
}

// Two slots; the first quad misses, the others hit. What has finished leaves its slot to the next.
TEST_F(ClusterTest, FinishedWarpsWaitOutsideOfTheSlotsForOlderOnes) {
    parameters.fragment_processor.warps.set("2");
    parameters.fragment_processor.export_warps.set("4");
    program({make(Opcode::tex, 0, 5)});
    warm({{1000}});
    quad(0, {{2000}});
    for (int i = 0; i < 4; ++i) quad(0, {{1000}});
    run();
    EXPECT_THAT(complete(),
                ElementsAre(texture_miss, texture_miss + 1, texture_miss + 2, texture_miss + 3, texture_miss + 4));
}

TEST_F(ClusterTest, WithoutSuchPlacesAFinishedWarpKeepsItsSlot) {
    parameters.fragment_processor.warps.set("2");
    parameters.fragment_processor.export_warps.set("0");
    program({make(Opcode::tex, 0, 5)});
    warm({{1000}});
    quad(0, {{2000}});
    for (int i = 0; i < 4; ++i) quad(0, {{1000}});
    run();
    const std::vector<Time> times = complete();
    ASSERT_EQ(times.size(), 5U);
    EXPECT_EQ(times[0], texture_miss);
    EXPECT_EQ(times[1], texture_miss + 1);
    EXPECT_GE(times[2], texture_miss + texture_hit);  // began after the first had left
}

TEST_F(ClusterTest, HoldsFinishedQuadsUntilTheColourStageHasRoom) {
    colour_entries = 1;
    program({make(Opcode::add, 0, 5)});
    warm();
    for (int i = 0; i < 4; ++i) quad(0);
    run();
    const std::vector<Time> times = complete();
    ASSERT_EQ(times.size(), 4U);
    // There in two cycles, answered after one, back in one.
    for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(times[i] - times[i - 1], 4);
    EXPECT_EQ(of_cores("quads_out"), 5U);
}

TEST_F(ClusterTest, ReturnsTheEntriesOfItsQueueInBulkOrAfterAWhile) {
    queue_entries = 8;
    patience = 20;
    program({make(Opcode::add, 0, 5)});
    warm();
    for (int i = 0; i < 5; ++i) quad(0);
    run();
    ASSERT_EQ(taken[0]->arrivals.size(), 3U);
    EXPECT_EQ(taken[0]->arrivals[1].message.count, 4U);
    EXPECT_EQ(taken[0]->arrivals[1].time, second + 3 + 2);  // one begins a cycle
    EXPECT_EQ(taken[0]->arrivals[2].message.count, 1U);
    EXPECT_EQ(taken[0]->arrivals[2].time, second + 4 + 20 + 2);
}

TEST_F(ClusterTest, CountsTheQuadsThatArrivingOnesFindInTheQueue) {
    parameters.fragment_processor.warps.set("1");
    program(std::vector<Instruction>(10, make(Opcode::add, 0, 0)));
    warm();
    for (int i = 0; i < 4; ++i) quad(0);
    run();
    EXPECT_EQ(of_cores("quads_in"), 5U);
    EXPECT_EQ(of_cores("queue_quads"), 0U + 1 + 2 + 3);
}

TEST_F(ClusterTest, FourCoresShareATextureUnitAndItsCache) {
    cores = 4;
    program({make(Opcode::tex, 0, 5)});
    warm({{1000}});
    for (int core = 0; core < 4; ++core) quad(0, {{1000}}, 0, core);
    for (int core = 0; core < 4; ++core) quad(1000, {{2000}}, 0, core);
    run();
    for (int core = 0; core < 4; ++core) {
        EXPECT_EQ(complete(core).at(0), texture_hit + core);          // the unit takes one access a cycle
        EXPECT_EQ(complete(core).at(1), 1000 + texture_miss + core);  // and so does its filter
    }
    EXPECT_EQ(of("texture_cache", "misses"), 2U);
    EXPECT_EQ(of("texture_cache", "accesses"), 12U);
    EXPECT_EQ(of("fragment_processor_instruction_cache", "misses"), 4U);  // each has its own
}

// Every core has more to ask for than the unit takes.
TEST_F(ClusterTest, CoresGetTheirSharedTextureUnitInTurn) {
    cores = 3;
    parameters.texture_unit.accesses.set("2");
    program({make(Opcode::tex, 0, 5)});
    warm({{1000}});
    constexpr int warps = 30;
    for (int i = 0; i < warps; ++i)
        for (int core = 0; core < cores; ++core) quad(0, {{1000}}, 0, core);
    run();
    const Time last = complete(2).back();
    for (int core = 0; core < cores; ++core) {
        const std::vector<Time> times = complete(core);
        ASSERT_EQ(times.size(), std::size_t{warps});
        EXPECT_NEAR(static_cast<double>(times.back()), static_cast<double>(last), 20) << core;
        EXPECT_NEAR(static_cast<double>(times[warps / 2]), static_cast<double>(last) / 2, 20) << core;
    }
}

TEST_F(ClusterTest, AWarpOfSeveralQuadsIsNotOvertakenForEverInASharedTextureUnit) {
    cores = 2;
    parameters.fragment_processor.groups_per_warp.set("4");
    parameters.fragment_processor.warps.set("32");
    parameters.texture_unit.accesses.set("4");
    program({make(Opcode::tex, 0, 5)});
    warm({{1000}});
    for (int i = 0; i < 60; ++i) quad(0, {{1000}});
    std::vector<std::uint32_t> quads;
    for (int i = 0; i < 4; ++i) quads.push_back(add_quad({{1000}}));
    warp(20, quads, 1);
    run();
    EXPECT_LT(complete(1).back(), complete(0).at(45));
}

TEST_F(ClusterTest, CoresOfAClusterWorkSideBySide) {
    cores = 4;
    program(std::vector<Instruction>(20, make(Opcode::add, 0, 0)));
    warm();
    for (int core = 0; core < 4; ++core) quad(0, {}, 0, core);
    run();
    for (int core = 0; core < 4; ++core) EXPECT_THAT(complete(core), ElementsAre(80));
}

TEST_F(ClusterTest, ForgetsTexturesThatAnEarlierPassWrote) {
    program({make(Opcode::tex, 0, 5)});
    constexpr BlockNumber target = (1 << 20) / block_bytes;  // of the first pass
    warm({{target}});
    quad(0, {{target}});
    scene.pass();
    scene.draw();
    scene.primitive();
    const std::uint32_t last = add_quad({{target}});
    warp(1000, {last});
    run();
    EXPECT_EQ(of("texture_cache", "misses"), 2U);
    EXPECT_EQ(of("texture_cache", "hits"), 1U);
    EXPECT_GE(of("texture_cache", "invalidations"), 1U);
}

// With vertices.

// Three lines of constants; each draw after the first of their kind finds them in the cache.
TEST_F(ClusterTest, ConstantsOfFragmentsAndOfVerticesTakeACycleALineAndTheLatency) {
    has_vertex_cache = true;
    parameters.constant_cache.latency.set("5");
    parameters.fragment_processor.groups_per_warp.set("4");
    program({make(Opcode::add, 1, 0)});
    program({make(Opcode::add, 1, 0)}, Scene::vertex_program);
    const auto constants = [&](ShaderStage stage) {
        Draw& draw = scene.frame.draws.back();
        draw.first_constant = static_cast<std::uint32_t>(scene.frame.constants.size());
        draw.constant_count = 1;
        scene.frame.constants.push_back({stage, 0, 0x1000, 192});
    };
    constants(ShaderStage::fragment);
    warm();
    for (int i = 0; i < 2; ++i) {  // fragments, of which each draw loads them
        scene.draw();
        scene.primitive();
        constants(ShaderStage::fragment);
        quad(1000 * i);
    }
    for (int i = 0; i < 4; ++i) {
        const std::uint32_t draw = vertex_draw(1);
        constants(ShaderStage::vertex);
        vertices(second + 5000 + 1000 * i, draw, 0, 1);
    }
    run();
    constexpr std::uint64_t hit = 3 + 5, miss = hit + trip;
    EXPECT_EQ(of_cores("constant_loads"), 1U + 2 + 4);
    EXPECT_EQ(of_cores("constant_lines"), 7U * 3);
    EXPECT_EQ(of_cores("constant_cycles"), miss + 6 * hit);
}

// The cache has a lookup a cycle for all of them.
TEST_F(ClusterTest, CoresLookUpTheirConstantsInTurn) {
    cores = 3;
    parameters.constant_cache.ports.set("1");
    program({make(Opcode::add, 1, 0)});
    const auto twenty_lines = [&] {
        Draw& draw = scene.frame.draws.back();
        draw.first_constant = static_cast<std::uint32_t>(scene.frame.constants.size());
        draw.constant_count = 1;
        scene.frame.constants.push_back({ShaderStage::fragment, 0, 0x1000, 20 * 64});
    };
    twenty_lines();
    warm();
    scene.draw();
    scene.primitive();
    twenty_lines();
    for (int core = 0; core < cores; ++core) quad(0, {}, 0, core);
    run();
    // One waits until sixty lines have been looked up; the others have their last ones in the cycles before.
    std::vector<Time> times;
    for (int core = 0; core < cores; ++core) times.push_back(complete(core).at(0));
    const Time last = 3 * 20 + 1 + 4;  // latencies of the cache and of the program
    EXPECT_THAT(times, UnorderedElementsAre(last - 2, last - 1, last));
}

// Quads of two draws of one program are in one warp.
TEST_F(ClusterTest, ReadsTheConstantsOfEveryDrawOfAWarp) {
    parameters.fragment_processor.groups_per_warp.set("2");
    program({make(Opcode::add, 1, 0)});
    const auto constants = [&](Address address, std::uint32_t bytes) {
        Draw& draw = scene.frame.draws.back();
        draw.first_constant = static_cast<std::uint32_t>(scene.frame.constants.size());
        draw.constant_count = 1;
        scene.frame.constants.push_back({ShaderStage::fragment, 0, address, bytes});
    };
    constants(0x1000, 64);
    const std::uint32_t first = add_quad({});
    scene.draw();
    scene.primitive();
    constants(0x2000, 128);
    warp(0, {first, add_quad({})});
    run();
    EXPECT_EQ(of_cores("constant_loads"), 2U);
    EXPECT_EQ(of_cores("constant_lines"), 3U);
    EXPECT_EQ(of_cores("quads_out"), 2U);
}

}  // namespace
}  // namespace models
