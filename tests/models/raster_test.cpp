#include "models/raster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/bench.h"

namespace models {
namespace {

using engine::Time;

QuadsTaken taken_answer(const ShadeQuad& /*quad*/) {
    return {1};
}
using Shader = bench::Echo<ShadeQuad, QuadsTaken, taken_answer>;

// Raster before `processors` processors that take a quad out of their queue 20 ticks after it came; blending is a pair
// of a sink and sources that the test drives. The frame has one pass of two tiles.
class RasterTest : public testing::Test {
  protected:
    RasterTest() {
        parameters.fragment_processor.count.set("2");
        parameters.l2.slices.set("1");
        parameters.l2.requests_per_port.set("64");
        trace.programs.resize(1);
        trace.programs[0].instructions.resize(1);
        trace.programs[0].paths = {{{0, 1}}};
        frame.draws.resize(1);
        frame.draws[0].kind = DrawKind::transfer;
        frame.draws[0].fragment_program = 0;
        frame.draws[0].varying_count = 1;
        frame.passes.resize(1);
        Pass& pass = frame.passes[0];
        pass.colour = {{0x100000, 64, 32, 4}};
        pass.tiles_x = 2;
        pass.tiles_y = 1;
        pass.draw_count = 1;
        frame.tiles.resize(2);
    }
    // A primitive in tile 0 with `count` quads along rows, of which those in `killed` fail the early depth test.
    void primitive(std::uint32_t count, const std::vector<std::uint32_t>& killed = {}) {
        frame.primitives.emplace_back();
        ++frame.draws[0].primitive_count;
        for (std::uint32_t i = 0; i < count; ++i) {
            Quad quad;
            quad.primitive = static_cast<std::uint32_t>(frame.primitives.size() - 1);
            quad.x = static_cast<std::uint8_t>(i % 16);
            quad.y = static_cast<std::uint8_t>(i / 16);
            quad.coverage = 15;
            quad.early_pass = std::count(killed.begin(), killed.end(), i) > 0 ? std::uint8_t{0} : std::uint8_t{15};
            frame.quads.push_back(quad);
        }
        frame.tiles[0].quad_count += count;
        frame.tiles[1].first_quad = frame.tiles[0].quad_count;
    }
    void run() {
        workload.load(trace, frame);
        raster = &simulation.add<Raster>(parameters, workload);
        auto& ready = simulation.add<bench::Source<PassReady>>("ready");
        auto& freed = simulation.add<bench::Sink<PassFreed>>("freed");
        memory = &simulation.add<bench::Memory>("memory", -1, 40);
        auto& free_tiles = simulation.add<bench::Source<TileFree>>("free_tiles");
        auto& stored = simulation.add<bench::Source<PassStored>>("stored");
        starts = &simulation.add<bench::Sink<TileStart>>("starts");
        ends = &simulation.add<bench::Sink<TileEnd>>("ends");
        simulation.connect(ready.out, raster->ready, 1);
        simulation.connect(raster->freed, freed.in, 1);
        simulation.connect(free_tiles.out, raster->free_tiles, 1);
        simulation.connect(stored.out, raster->stored, 1);
        simulation.connect(raster->starts, starts->in, 1);
        simulation.connect(raster->ends, ends->in, 1);
        simulation.connect(raster->memory.requests[0], memory->in, 1);
        simulation.connect(memory->out, raster->replies[0], 1);
        for (int i = 0; i < parameters.fragment_processor.count(); ++i) {
            shaders.push_back(&simulation.add<Shader>("shader", i, 20));
            simulation.connect(raster->quads[i], shaders.back()->in, 1);
            simulation.connect(shaders.back()->out, raster->taken[i], 1);
        }
        raster->begin_frame();
        ready.send_at(1, {0});
        free_tiles.send_at(100'000, {0});
        stored.send_at(100'001, {});
        simulation.run({});
        EXPECT_EQ(freed.arrivals.size(), 1U);
    }
    std::vector<std::pair<Time, ShadeQuad>> handed_out() const {
        std::vector<std::pair<Time, ShadeQuad>> all;
        for (const Shader* shader : shaders) all.insert(all.end(), shader->seen.begin(), shader->seen.end());
        std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        return all;
    }

    MachineParameters parameters;
    FrameTrace trace;
    Frame frame;
    Workload workload{parameters};
    engine::Simulation simulation;
    Raster* raster = nullptr;
    bench::Memory* memory = nullptr;
    bench::Sink<TileStart>* starts = nullptr;
    bench::Sink<TileEnd>* ends = nullptr;
    std::vector<Shader*> shaders;
};

TEST_F(RasterTest, HandsOutOneQuadACycleInOrder) {
    primitive(100);
    run();
    const auto quads = handed_out();
    ASSERT_EQ(quads.size(), 100U);
    for (std::size_t i = 0; i < quads.size(); ++i) {
        EXPECT_EQ(quads[i].second.quad, i);
        EXPECT_EQ(quads[i].first, quads[0].first + 2 * static_cast<Time>(i));
    }
}

TEST_F(RasterTest, SpendsACycleOnAQuadThatFailsAndHandsItToNobody) {
    primitive(10, {3, 4, 5});
    run();
    const auto quads = handed_out();
    ASSERT_EQ(quads.size(), 7U);
    EXPECT_EQ(quads[3].second.quad, 6U);
    EXPECT_EQ(quads[3].first - quads[2].first, 4 * 2);
    ASSERT_EQ(ends->arrivals.size(), 1U);
    EXPECT_EQ(ends->arrivals[0].message.quads, 7U);
    EXPECT_TRUE(ends->arrivals[0].message.last_of_pass);
}

TEST_F(RasterTest, NumbersTheQuadsOfEveryPlace) {
    primitive(4);
    primitive(2);
    primitive(3);
    run();
    const auto quads = handed_out();
    std::vector<int> ordinals;
    ordinals.reserve(quads.size());
    for (const auto& quad : quads) ordinals.push_back(quad.second.ordinal);
    EXPECT_THAT(ordinals, testing::ElementsAre(0, 0, 0, 0, 1, 1, 2, 2, 1));
}

TEST_F(RasterTest, SetsPrimitivesUpAtOneAttributeACycleWhileItEmitsTheOneBefore) {
    frame.draws[0].varying_count = 8;
    for (int i = 0; i < 6; ++i) primitive(1);
    run();
    const auto quads = handed_out();
    for (std::size_t i = 3; i < 6; ++i) EXPECT_GE(quads[i].first - quads[i - 1].first, 8 * 2);
    EXPECT_LE(quads[5].first - quads[4].first, 10 * 2);
}

TEST_F(RasterTest, WaitsForAFreeEntryInAFragmentQueue) {
    parameters.raster.fragment_queue.set("2");
    primitive(20);
    run();
    const auto quads = handed_out();
    ASSERT_EQ(quads.size(), 20U);
    // Each processor has one entry, and gives it back 22 ticks after the quad came.
    for (std::size_t i = 2; i < 20; ++i) EXPECT_GE(quads[i].first - quads[i - 2].first, 22);
}

TEST_F(RasterTest, LimitsTheQuadsInTheEarlyDepthTest) {
    parameters.raster.early_depth_quads.set("2");
    parameters.raster.early_depth_latency.set("10");
    primitive(20);
    run();
    const auto quads = handed_out();
    EXPECT_GE(quads[19].first - quads[0].first, 9 * 10 * 2);
}

TEST_F(RasterTest, ReadsOldDepthsBeforeTheFirstQuad) {
    frame.passes[0].depth = {0x200000, 64, 32, 4};
    frame.passes[0].depth_load = true;
    primitive(1);
    run();
    std::vector<Time> loads;
    for (const auto& [time, request] : memory->seen)
        if (request.block >= 0x200000 / 64 && request.block < 0x200000 / 64 + 128) loads.push_back(time);
    ASSERT_EQ(loads.size(), 64U);  // of the tile that is drawn to
    EXPECT_GT(handed_out()[0].first, loads.back() + 40);
}

TEST_F(RasterTest, OpensOnlyTilesThatAreDrawnTo) {
    primitive(1);
    run();
    ASSERT_EQ(starts->arrivals.size(), 1U);
    EXPECT_EQ(starts->arrivals[0].message.tile, 0U);
}

}  // namespace
}  // namespace models
