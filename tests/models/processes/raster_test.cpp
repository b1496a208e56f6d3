#include "models/processes/raster.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/laws.h"
#include "models/machine_parameters.h"
#include "tests/models/bench.h"
#include "tests/models/scene.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

QuadsTaken quad_taken(const ShadeQuad& /*quad*/) {
    return {1};
}
QuadsTaken warp_taken(const ShadeWarp& warp) {
    return {warp.count};
}
using QuadCore = bench::Echo<ShadeQuad, QuadsTaken, quad_taken>;
using WarpCore = bench::Echo<ShadeWarp, QuadsTaken, warp_taken>;

// Raster before two cores that take a warp out of their queue 20 ticks after it came; the colour stage is sinks and
// sources that a test drives. Cycles are ticks; passes are ready at the start unless a test says otherwise.
class RasterTest : public testing::Test {
  protected:
    static constexpr Time memory_time = 40;

    void build(int warp_quads = 1) {
        workload.load(scene.trace, scene.finish());
        const TiledFrontEnd::Shape front_end{parameters.raster,
                                             parameters.tiling,
                                             parameters.tile_cache,
                                             Rendering::tiled,
                                             parameters.colour.tile_buffers(),
                                             1};
        raster = &simulation.add<Raster>(
            Raster::Shape{
                front_end, {2, warp_quads, parameters.raster.fragment_queue(), 1}, 2, {1, 64, 1, 1, block_bytes}},
            workload);
        memory = &simulation.add<bench::Memory>("memory", -1, memory_time);
        simulation.connect(ready.out, raster->ready, 1);
        simulation.connect(raster->freed, freed.in, 1);
        simulation.connect(free_tiles.out, raster->free_tiles, 1);
        simulation.connect(stored.out, raster->stored, 1);
        simulation.connect(raster->starts, starts.in, 1);
        simulation.connect(raster->ends, ends.in, 1);
        simulation.connect(raster->skipped, skipped.in, 1);
        simulation.connect(raster->memory.requests, memory->in, 1);
        simulation.connect(memory->out, raster->replies, 1);
        for (int i = 0; i < 2; ++i)
            if (warp_quads == 1)
                connect_core(quad_cores, raster->quads[i], i);
            else
                connect_core(warp_cores, raster->warps[i], i);
        raster->begin_frame();
    }
    template <class Core, class Out>
    void connect_core(std::vector<Core*>& cores, Out& out, int i) {
        cores.push_back(&simulation.add<Core>("core", i, 20));
        simulation.connect(out, cores.back()->in, 1);
        simulation.connect(cores.back()->out, raster->taken[i], 1);
    }
    void all_ready() {
        for (std::uint32_t pass = 0; pass < scene.frame.passes.size(); ++pass) ready.send_at(1, {pass});
    }
    void run() {
        simulation.run({});
        Laws laws;
        raster->add_laws(laws);
        bench::expect_obeyed(laws, simulation);
        EXPECT_EQ(raster->unfinished(), "");
    }
    std::vector<std::pair<Time, std::uint32_t>> quads() const {
        std::vector<std::pair<Time, std::uint32_t>> all;
        for (const QuadCore* core : quad_cores)
            for (const auto& [time, message] : core->seen) all.emplace_back(time, message.quad);
        std::sort(all.begin(), all.end());
        return all;
    }

    MachineParameters parameters;
    Scene scene;
    Workload workload{{1 << 30, Rendering::tiled, parameters.tiling}};
    engine::Simulation simulation;
    Raster* raster = nullptr;
    bench::Memory* memory = nullptr;
    bench::Source<PassReady>& ready = simulation.add<bench::Source<PassReady>>("ready");
    bench::Source<TileFree>& free_tiles = simulation.add<bench::Source<TileFree>>("free_tiles");
    bench::Source<PassStored>& stored = simulation.add<bench::Source<PassStored>>("stored");
    bench::Sink<PassFreed>& freed = simulation.add<bench::Sink<PassFreed>>("freed");
    bench::Sink<TileStart>& starts = simulation.add<bench::Sink<TileStart>>("starts");
    bench::Sink<TileEnd>& ends = simulation.add<bench::Sink<TileEnd>>("ends");
    bench::Sink<PassSkipped>& skipped = simulation.add<bench::Sink<PassSkipped>>("skipped");
    std::vector<QuadCore*> quad_cores;
    std::vector<WarpCore*> warp_cores;
};

TEST_F(RasterTest, HandsOutOneQuadACycleInOrder) {
    scene.pass(2);
    scene.draw();
    scene.primitive();
    scene.quads(0, 100);
    build();
    all_ready();
    run();
    const auto all = quads();
    ASSERT_EQ(all.size(), 100U);
    for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(all[i], (std::pair{all[0].first + Time{i}, i}));
    ASSERT_EQ(ends.arrivals.size(), 1U);
    EXPECT_EQ(ends.arrivals[0].message.quads, 100U);
    ASSERT_EQ(starts.arrivals.size(), 1U);
    EXPECT_EQ(starts.arrivals[0].message.last_of_pass, 1U);
    EXPECT_EQ(freed.arrivals.size(), 1U);
}

TEST_F(RasterTest, WaitsForAFreeEntryInAFragmentQueue) {
    parameters.raster.fragment_queue.set("2");
    scene.pass();
    scene.draw();
    scene.primitive();
    scene.quads(0, 20);
    build();
    all_ready();
    run();
    const auto all = quads();
    ASSERT_EQ(all.size(), 20U);
    // Each core has one entry, which is back 20 ticks and a wire after the quad came; then interpolation and a wire.
    for (std::size_t i = 2; i < 20; ++i) EXPECT_EQ(all[i].first - all[i - 2].first, 20 + 1 + 6 + 1);
}

TEST_F(RasterTest, SendsWarpsWithAllTheirQuads) {
    parameters.raster.warp_timeout.set("1000");
    parameters.raster.fragment_queue.set("64");
    scene.pass(2);
    scene.draw();
    scene.primitive(2);
    for (std::uint32_t x = 0; x < 11; ++x) scene.quad(0, x, 0, x % 4 == 1 ? 0 : 15);  // 1, 5, 9 fail
    scene.quads(1, 3);
    build(4);
    all_ready();
    run();
    std::vector<std::pair<Time, std::vector<std::uint32_t>>> warps;
    for (const WarpCore* core : warp_cores)
        for (const auto& [time, message] : core->seen) {
            std::vector<std::uint32_t> all{message.first};
            for (std::uint32_t i = 1; i < message.count; ++i)
                all.push_back(message.first + static_cast<std::uint32_t>(message.distance.at(i - 1)));
            EXPECT_EQ(message.tile, message.first < 11 ? 0U : 1U);
            warps.emplace_back(time, all);
        }
    std::sort(warps.begin(), warps.end());
    ASSERT_EQ(warps.size(), 3U);
    EXPECT_THAT(warps[0].second, ElementsAre(0, 2, 3, 4));
    EXPECT_THAT(warps[1].second, ElementsAre(6, 7, 8, 10));
    EXPECT_THAT(warps[2].second, ElementsAre(11, 12, 13));  // the tile ends
}

TEST_F(RasterTest, SendsAWarpThatIsNotFullAfterItsTimeOut) {
    parameters.raster.warp_timeout.set("16");
    scene.pass();
    scene.draw().varying_count = 64;
    scene.primitive();
    scene.quad(0, 0);
    scene.primitive();  // its set-up takes longer than a warp waits
    scene.quad(0, 1);
    build(4);
    all_ready();
    run();
    std::vector<Time> times;
    for (const WarpCore* core : warp_cores)
        for (const auto& [time, message] : core->seen) times.push_back(time);
    std::sort(times.begin(), times.end());
    ASSERT_EQ(times.size(), 2U);
    EXPECT_GE(times[1] - times[0], 64 - 16);
}

TEST_F(RasterTest, OpensOnlyTilesThatAreDrawnToOrCleared) {
    scene.pass(2);
    scene.draw();
    scene.primitive();
    scene.quads(0, 1);
    scene.pass(2);
    scene.draw(DrawKind::clear);
    build();
    all_ready();
    free_tiles.send_at(1000, {0});
    run();
    ASSERT_EQ(starts.arrivals.size(), 3U);
    EXPECT_EQ(starts.arrivals[0].message.tile, 0U);
    EXPECT_EQ(starts.arrivals[1].message.pass, 1U);
    EXPECT_EQ(starts.arrivals[2].message.tile, 1U);
    EXPECT_EQ(starts.times()[2], 1000 + 1 + 2 + 1);
}

TEST_F(RasterTest, BeginsAPassOnlyWhenWhatItDependsOnIsStored) {
    for (int pass = 0; pass < 3; ++pass) {
        scene.pass();
        scene.draw();
        scene.primitive();
        scene.quads(0, 5);
    }
    scene.frame.passes[2].colour = scene.frame.passes[0].colour;
    parameters.colour.tile_buffers.set("4");
    build();
    all_ready();
    stored.send_at(5000, {0});
    stored.send_at(6000, {1});
    run();
    ASSERT_EQ(starts.arrivals.size(), 3U);
    EXPECT_LE(starts.times()[1], starts.times()[0] + 2);  // shares nothing with the first
    EXPECT_GT(starts.times()[2], 5000);
    EXPECT_LT(starts.times()[2], 5010);
    raster->end_frame();
    const auto cycles = [&](const char* state) { return bench::counter(*raster, std::string("cycles_") + state); };
    EXPECT_NEAR(static_cast<double>(cycles("waits_passes")), 5000, 400);
    EXPECT_LT(cycles("waits_tiles"), 10U);
}

TEST_F(RasterTest, TellsOfAPassThatRendersNothingAfterThoseBeforeIt) {
    parameters.colour.tile_buffers.set("1");
    scene.pass(2);
    scene.draw();
    scene.primitive(2);
    scene.quads(0, 5);
    scene.quads(1, 5);
    scene.pass();
    scene.draw();
    scene.primitive();
    scene.quads(0, 5);
    scene.pass();  // renders nothing
    scene.pass();
    scene.draw();
    scene.primitive();
    scene.quads(0, 5);
    build();
    all_ready();
    for (const Time time : {1000, 2000, 3000}) free_tiles.send_at(time, {0});
    run();
    ASSERT_EQ(starts.arrivals.size(), 4U);
    ASSERT_EQ(skipped.arrivals.size(), 1U);
    EXPECT_GT(skipped.times()[0], starts.times()[2]);
    EXPECT_LT(skipped.times()[0], starts.times()[3]);
    std::vector<std::uint32_t> order;
    for (const auto& arrival : freed.arrivals) order.push_back(arrival.message.pass);
    EXPECT_THAT(order, ElementsAre(0, 1, 2, 3));
}

}  // namespace
}  // namespace models
