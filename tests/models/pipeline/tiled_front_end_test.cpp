#include "models/pipeline/tiled_front_end.h"

#include <algorithm>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/hosted_fixture.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

// The front end of a tiled renderer before a memory that answers after 40 cycles, and a sink that takes quads (unless a
// test holds it up) and gives a tile buffer back `colour_time` cycles after its tile ended. All tiles of all passes
// come as soon as there is room.
class TiledFrontEndTest : public HostedTest {
  protected:
    static constexpr Time memory_time = 40;

    TiledFrontEndTest() : HostedTest(Rendering::tiled_hidden_surface_removal) {}
    void run(Rendering rendering = Rendering::tiled) {
        build_host(memory_time);
        front_end = std::make_unique<TiledFrontEnd>(
            &host->counters(), -1,
            TiledFrontEnd::Shape{parameters.raster, parameters.tiling, parameters.tile_cache, rendering,
                                 parameters.colour.tile_buffers(), 1},
            workload, host->memory, 0, 1);
        front_end->begin_frame(0);
        host->on_answer = [this](Time now, const MemoryReply& reply) {
            if (reply.tag.part == 1)
                front_end->on_depth_line(reply.tag);
            else
                front_end->on_tile_line(now, reply.tag);
            front_end->retry();
        };
        host->cycle = [this](Time now) { return step(now); };
        host->wake_at(0);
        simulation.run({});
        EXPECT_TRUE(front_end->is_idle());
        Laws laws;
        front_end->add_laws(laws, "front end");
        bench::expect_obeyed(laws, simulation);
    }
    std::vector<Time> times() const {
        std::vector<Time> all;
        for (const auto& [time, quad] : taken) all.push_back(time);
        return all;
    }

  public:
    bool take_quad(std::uint32_t quad, std::uint32_t /*program*/, const Dispatch::Place& /*place*/) {
        if (now_ < takes_from) return false;
        taken.emplace_back(now_, quad);
        return true;
    }
    void open_tile(const TiledFrontEnd::TileJob& tile) { opened.emplace_back(now_, tile.tile); }
    bool end_tile(const TiledFrontEnd::TileJob& tile) {
        ended.emplace_back(now_, tile.tile);
        quads_of_tile.push_back(tile.quads_taken);
        freed.emplace_back(now_ + colour_time, tile.buffer);
        return true;
    }

  private:
    Time step(Time now) {
        now_ = now;
        for (; next_freed_ < freed.size() && freed[next_freed_].first <= now; ++next_freed_)
            front_end->free_buffer(freed[next_freed_].second);
        while (pass_ < scene.frame.passes.size() && front_end->has_room()) {
            const Pass& pass = scene.frame.passes[pass_];
            const bool last = tile_ + 1 == pass.tiles_x * pass.tiles_y;
            pushed.emplace_back(now_, tile_);
            front_end->push(pass_, tile_, last);
            tile_ = last ? 0 : tile_ + 1;
            if (last) ++pass_;
        }
        Time next = front_end->step(now, *this, [this](Time t) {
            if (!goes_on || (next_freed_ < freed.size() && freed[next_freed_].first <= t)) return false;
            now_ = t;
            return true;
        });
        if (next_freed_ < freed.size()) next = std::min(next, std::max(freed[next_freed_].first, now + 1));
        if (now < takes_from) {
            next = std::min(next, takes_from);
            hidden_while_held_up = front_end->hidden_surface_quads.value();
        }
        return next;
    }
    std::uint32_t pass_ = 0, tile_ = 0;
    std::size_t next_freed_ = 0;
    Time now_ = 0;

  protected:
    std::unique_ptr<TiledFrontEnd> front_end;
    std::vector<std::pair<Time, std::uint32_t>> pushed, taken, opened, ended, freed;  // when, and which
    std::vector<std::uint32_t> quads_of_tile;
    Time takes_from = 0, colour_time = 1;
    bool goes_on = false;  // the host lets it; not for a memory that sends messages
    std::uint64_t hidden_while_held_up = 0;
};

TEST_F(TiledFrontEndTest, HandsOutOneQuadACycleInOrderWithoutAGapBetweenPrimitives) {
    scene.pass();
    scene.draw();
    for (const std::uint32_t quads : {100U, 5U, 1U, 1U, 30U}) {
        scene.primitive();
        scene.quads(0, quads);
    }
    run();
    ASSERT_EQ(taken.size(), 137U);
    for (std::uint32_t i = 0; i < 137; ++i) {
        EXPECT_EQ(taken[i].second, i);
        EXPECT_EQ(taken[i].first, taken[0].first + static_cast<Time>(i));
    }
    EXPECT_EQ(front_end->rasteriser().primitives_set_up.value(), 5U);
}

TEST_F(TiledFrontEndTest, APrimitiveTakesTheTimeOfItsQuadsOrOfItsSetUp) {
    scene.pass();
    scene.draw().varying_count = 8;
    for (const std::uint32_t quads : {200U, 20U, 3U, 1U, 1U}) {  // the fetcher gets ahead during the first
        scene.primitive();
        scene.quads(0, quads);
    }
    run();
    ASSERT_EQ(taken.size(), 225U);
    const Time begin = taken[0].first;
    EXPECT_EQ(taken[200].first, begin + 200);
    EXPECT_EQ(taken[220].first, begin + 220);
    EXPECT_EQ(taken[223].first, begin + 228);
    EXPECT_EQ(taken[224].first, begin + 236);
}

TEST_F(TiledFrontEndTest, InterpolatesEveryQuadIfToldTo) {
    parameters.raster.interpolation.set("per_quad");
    parameters.raster.attributes_per_cycle.set("2");
    scene.pass();
    scene.draw().varying_count = 5;
    scene.primitive();
    scene.quads(0, 10);
    run();
    for (std::size_t i = 1; i < 10; ++i) EXPECT_EQ(taken[i].first - taken[i - 1].first, 3);
}

TEST_F(TiledFrontEndTest, HandsOutSeveralQuadsACycleIfToldTo) {
    parameters.raster.quads_per_cycle.set("4");
    parameters.raster.early_depth_quads.set("64");
    scene.pass();
    scene.draw();
    scene.primitive();
    scene.quads(0, 40);
    run();
    for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(taken[i].first - taken[0].first, static_cast<Time>(i / 4));
}

TEST_F(TiledFrontEndTest, SpendsACycleOnAQuadThatFailsAndHandsItToNobody) {
    scene.pass();
    scene.draw();
    scene.primitive();
    for (std::uint32_t x = 0; x < 10; ++x) scene.quad(0, x, 0, x >= 3 && x < 6 ? 0 : 15);
    run();
    ASSERT_EQ(taken.size(), 7U);
    EXPECT_EQ(taken[3].second, 6U);
    EXPECT_EQ(taken[3].first - taken[2].first, 4);
    EXPECT_THAT(quads_of_tile, ElementsAre(7));
    EXPECT_EQ(front_end->quads.killed.value(), 3U);
}

TEST_F(TiledFrontEndTest, LimitsTheQuadsInTheEarlyDepthTest) {
    parameters.raster.early_depth_quads.set("2");
    parameters.raster.early_depth_latency.set("10");
    scene.pass();
    scene.draw();
    scene.primitive();
    scene.quads(0, 20);
    run();
    for (std::size_t i = 0; i < 20; ++i)
        EXPECT_EQ(taken[i].first - taken[0].first, static_cast<Time>(i / 2 * 10 + i % 2));
}

TEST_F(TiledFrontEndTest, WaitsForASinkThatTakesNothing) {
    takes_from = 1000;
    scene.pass();
    scene.draw();
    scene.primitive();
    scene.quads(0, 30);
    run();
    for (std::size_t i = 0; i < 30; ++i) EXPECT_EQ(taken[i], (std::pair{1000 + static_cast<Time>(i), unsigned(i)}));
    EXPECT_GT(bench::counter(*host, "cycles_waits_cores"), 900U);
}

TEST_F(TiledFrontEndTest, ReadsOldDepthsBeforeTheFirstQuadAndForTheNextTileMeanwhile) {
    Pass& pass = scene.pass(2);
    pass.depth = {0x800000, 64, 32, 4};
    pass.depth_load = true;
    scene.draw();
    scene.primitive(2);
    scene.quads(0, 200);
    scene.quads(1, 1);
    run();
    std::vector<Time> loads;
    for (const auto& [time, request] : memory->seen)
        if (request.client == MemoryClient::depth) loads.push_back(time);
    ASSERT_EQ(loads.size(), 128U);
    EXPECT_LE(loads.back() - loads.front(), 127 + 5);  // one a cycle, but for the lines of lists and primitives
    EXPECT_GT(taken[0].first, loads[63] + memory_time);
    EXPECT_LE(taken[0].first, loads[63] + memory_time + 10);
    EXPECT_LE(taken[200].first, taken[199].first + 10);  // those of the second tile were there long ago
}

// The quads of a tile are handed out while those of the next one are rasterised. When the first tile ends there is room
// for another one, although nothing but quads moves.
TEST_F(TiledFrontEndTest, LetsItsHostFeedItWhenATileHasEnded) {
    parameters.raster.early_depth_latency.set("20");
    parameters.raster.early_depth_quads.set("100");
    parameters.tile_cache.perfect.set("true");
    constexpr std::uint32_t tiles = 16;
    scene.pass(tiles);
    scene.draw();
    scene.primitive(tiles);
    for (std::uint32_t tile = 0; tile < tiles; ++tile) scene.quads(tile, 100);
    colour_time = 50;
    goes_on = true;
    run();
    ASSERT_EQ(pushed.size(), tiles);
    const std::size_t at_first =
        static_cast<std::size_t>(std::ranges::count_if(pushed, [](const auto& tile) { return tile.first == 0; }));
    ASSERT_LT(at_first, tiles);
    for (std::size_t i = at_first; i < tiles; ++i) EXPECT_EQ(pushed[i].first, ended[i - at_first].first + 1);
}

TEST_F(TiledFrontEndTest, OpensATileWhenThereIsABufferForIt) {
    parameters.colour.tile_buffers.set("2");
    colour_time = 500;
    scene.pass(3);
    scene.draw();
    scene.primitive(3);
    for (std::uint32_t tile = 0; tile < 3; ++tile) scene.quads(tile, 10);
    run();
    ASSERT_EQ(opened.size(), 3U);
    EXPECT_LT(opened[1].first, ended[0].first);
    EXPECT_EQ(opened[2].first, ended[0].first + 500);
    EXPECT_GE(taken[20].first, opened[2].first);
    EXPECT_EQ(front_end->tiles.value(), 3U);
}

TEST_F(TiledFrontEndTest, ReadsEveryListAndEveryPrimitiveOfEveryTile) {
    scene.pass(2);
    scene.draw();
    for (int i = 0; i < 40; ++i) scene.primitive(2);
    scene.quads(0, 1);
    run();
    EXPECT_EQ(front_end->fetcher().primitives.value(), 80U);
    EXPECT_EQ(front_end->fetcher().chunks_read.value(), 2U * 3U);
    EXPECT_EQ(front_end->rasteriser().primitives_set_up.value(), 80U);
    // 40 records of 52 bytes are 33 lines; the second tile finds them in the cache.
    EXPECT_EQ(front_end->cache().misses.value(), 33U + 6U);
    EXPECT_EQ(memory->seen.size(), 39U);
}

// What the tile cache holds of a parameter buffer is old when the pass after next fills it anew.
TEST_F(TiledFrontEndTest, ForgetsAParameterBufferThatIsFilledAnew) {
    for (int pass = 0; pass < 3; ++pass) {
        scene.pass();
        scene.draw();
        scene.primitive();
        scene.quads(0, 1);
    }
    run();
    EXPECT_EQ(front_end->cache().misses.value(), 3U * 2U);
    EXPECT_EQ(front_end->cache().invalidations.value(), 2U);
}

TEST_F(TiledFrontEndTest, AccountsForAllItsTime) {
    scene.pass(2);
    scene.draw().varying_count = 4;
    for (int i = 0; i < 5; ++i) {
        scene.primitive(2);
        scene.quads(0, 7);
    }
    run();
    std::uint64_t sum = 0;
    front_end->time.settle(10'000);
    for (std::size_t state = 0; state < front_end->time.cycles.size(); ++state)
        sum += front_end->time.cycles[state].value();
    EXPECT_EQ(sum, 10'000U);
    EXPECT_GE(bench::counter(*host, "cycles_busy"), 35U);
}

// With hidden-surface removal.

TEST_F(TiledFrontEndTest, FindsHiddenSurfacesOneTileAhead) {
    constexpr std::uint32_t tiles = 6, quads = 200;
    scene.pass(tiles);
    scene.opaque_draw();
    scene.primitive(tiles);
    for (std::uint32_t tile = 0; tile < tiles; ++tile) scene.quads(tile, quads);
    run(Rendering::tiled_hidden_surface_removal);
    EXPECT_EQ(taken.size(), tiles * quads);
    EXPECT_EQ(front_end->hidden_surface_quads.value(), tiles * quads);
    EXPECT_EQ(front_end->hidden_surface_cycles.value(), tiles * quads);
    // The first tile takes its time twice; then both rasterisers work side by side.
    EXPECT_GE(taken[0].first, Time{quads});
    EXPECT_GE(taken.back().first, Time{(tiles + 1) * quads});
    EXPECT_LE(taken.back().first, Time{(tiles + 1) * quads} + 150);
}

TEST_F(TiledFrontEndTest, IsNeverMoreThanOneTileAhead) {
    takes_from = 5000;
    scene.pass(5);
    scene.opaque_draw();
    scene.primitive(5);
    for (std::uint32_t tile = 0; tile < 5; ++tile) scene.quads(tile, 50);
    run(Rendering::tiled_hidden_surface_removal);
    EXPECT_EQ(hidden_while_held_up, 100U);
    EXPECT_EQ(front_end->hidden_surface_quads.value(), 250U);
}

// A primitive that hides nothing is looked at in a cycle; several quads may be tested in one.
TEST_F(TiledFrontEndTest, CountsTheCyclesThatFindHiddenSurfaces) {
    parameters.raster.hidden_surface_quads_per_cycle.set("4");
    scene.pass();
    scene.opaque_draw();
    scene.primitive();
    scene.quads(0, 9);
    scene.draw();
    scene.primitive();
    scene.quads(0, 9);
    run(Rendering::tiled_hidden_surface_removal);
    EXPECT_EQ(front_end->hidden_surface_quads.value(), 9U);
    EXPECT_EQ(front_end->hidden_surface_cycles.value(), 3U + 1U);
}

// Hidden or not, they are not what the test saved.
TEST_F(TiledFrontEndTest, TellsQuadsOfDepthAloneFromThoseThatAreHidden) {
    scene.pass().depth = {8U << 20U, 32, 32, 4};
    scene.opaque_draw().colour_mask = 0;
    scene.primitive();
    scene.quads(0, 12);
    scene.quads(0, 3, 0);
    scene.opaque_draw();
    scene.primitive();
    scene.quads(0, 5, 0);
    scene.quads(0, 2);
    run();
    EXPECT_EQ(front_end->quads.depth_only.value(), 15U);
    EXPECT_EQ(front_end->quads.killed.value(), 5U);
    EXPECT_EQ(front_end->quads.out.value(), 2U);
}

TEST_F(TiledFrontEndTest, TellsWaitingForLinesFromFindingHiddenSurfaces) {
    const auto cycles = [&](const char* state) { return bench::counter(*host, std::string("cycles_") + state); };
    scene.pass();
    scene.opaque_draw();
    scene.primitive();
    scene.quads(0, 20);
    run(Rendering::tiled_hidden_surface_removal);
    EXPECT_GE(cycles("waits_fetch"), memory_time + 0U);
    EXPECT_LE(cycles("waits_hidden_surfaces"), 20U);
}

TEST_F(TiledFrontEndTest, NeverWaitsForHiddenSurfacesThatItDoesNotFind) {
    scene.pass(4);
    scene.opaque_draw();
    scene.primitive(4);
    for (std::uint32_t tile = 0; tile < 4; ++tile) scene.quads(tile, 20);
    run(Rendering::tiled);
    EXPECT_EQ(bench::counter(*host, "cycles_waits_hidden_surfaces"), 0U);
}

TEST_F(TiledFrontEndTest, HandsOutOnlyWhatIsVisible) {
    scene.pass();
    scene.opaque_draw();
    scene.primitive();
    scene.quads(0, 20);
    scene.primitive();
    scene.quads(0, 15);  // in front of most of them
    run(Rendering::tiled_hidden_surface_removal);
    std::vector<std::uint32_t> quads, expected;
    for (const auto& [time, quad] : taken) quads.push_back(quad);
    for (std::uint32_t quad = 15; quad < 35; ++quad) expected.push_back(quad);
    EXPECT_EQ(quads, expected);
    EXPECT_EQ(front_end->quads.killed.value(), 15U);
    EXPECT_EQ(front_end->rasteriser().quads_rasterised.value(), 35U);
}

TEST_F(TiledFrontEndTest, TheHiddenSurfacePassReadsAllPrimitivesAndRasterisesTheOpaqueOnes) {
    scene.pass();
    scene.opaque_draw();
    scene.primitive();
    scene.quads(0, 20);
    scene.draw();
    scene.primitive();
    scene.quads(0, 100);
    run(Rendering::tiled_hidden_surface_removal);
    EXPECT_EQ(front_end->hidden_surface_quads.value(), 20U);
    EXPECT_EQ(bench::counter(*host, "hidden_surface_tile_primitives"), 2U);
    EXPECT_LE(taken[0].first, 20 + 2 * (memory_time + 10) + 20);  // it did not wait for the other 100
}

TEST_F(TiledFrontEndTest, TheHiddenSurfacePassAlsoWaitsForOldDepths) {
    Pass& pass = scene.pass();
    pass.depth = {0x800000, 32, 32, 4};
    pass.depth_load = true;
    scene.opaque_draw();
    scene.primitive();
    scene.quads(0, 100);
    run(Rendering::tiled_hidden_surface_removal);
    Time last_load = 0;
    for (const auto& [time, request] : memory->seen)
        if (request.client == MemoryClient::depth) last_load = time;
    EXPECT_GE(taken[0].first, last_load + memory_time + 100);
}

}  // namespace
}  // namespace models
