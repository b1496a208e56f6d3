#include "models/pipeline/tile_renderer.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/hosted_fixture.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

// A renderer of tiles before a memory that answers after 40 cycles, with cores that shade a warp of a quad in `shading`
// cycles. All tiles of all passes come at once.
class TileRendererTest : public HostedTest {
  protected:
    static constexpr int cores = 2;

    void run() {
        build_host(40, 512);
        const TiledFrontEnd::Shape front_end{parameters.raster,
                                             parameters.tiling,
                                             parameters.tile_cache,
                                             Rendering::tiled,
                                             parameters.colour.tile_buffers(),
                                             1};
        renderer = std::make_unique<TileRenderer>(
            &host->counters(), TileRenderer::Shape{front_end, parameters.colour, {cores, 1, 8, 1}, 0, 0}, workload,
            host->memory);
        renderer->begin_frame(0);
        host->on_answer = [this](Time now, const MemoryReply& reply) {
            renderer->on_reply(now, reply, reply.tag.part);
            renderer->retry();
        };
        host->cycle = [this](Time now) { return step(now); };
        host->at(0, [this](Time) {
            for (std::uint32_t pass = 0; pass < scene.frame.passes.size(); ++pass)
                for (const std::uint32_t tile : workload.lists(pass).order) renderer->push(pass, tile);
        });
        simulation.run({});
        EXPECT_EQ(renderer->unfinished(), "");
        renderer->end_frame(host->now());
        Laws laws;
        renderer->add_laws(laws, "renderer");
        bench::expect_obeyed(laws, simulation);
        EXPECT_TRUE(renderer->dispatch().is_complete());
    }

  public:
    void start_warp(int core, const FormedWarp& warp, Time ready_at) {
        ASSERT_EQ(warp.count, 1U);
        started.emplace_back(now_, warp.quads[0]);
        EXPECT_EQ(ready_at, now_ + 6);  // interpolation
        shaded.emplace(ready_at + shading, std::pair{core, warp});
    }
    void quad_done(std::uint32_t core) { ++done[core]; }
    void tile_rasterised(std::uint32_t pass) { rasterised.emplace_back(now_, pass); }
    void tile_stored(std::uint32_t pass) { stored.emplace_back(now_, pass); }

  private:
    Time step(Time now) {
        now_ = now;
        for (; !shaded.empty() && shaded.begin()->first <= now; shaded.erase(shaded.begin())) {
            const auto& [core, warp] = shaded.begin()->second;
            renderer->give_back(core, 1);
            renderer->take_shaded(now, warp.quads[0], warp.buffer, static_cast<std::uint32_t>(core));
        }
        const Time next = renderer->step(now, *this);
        return shaded.empty() ? next : std::min(next, shaded.begin()->first);
    }
    std::multimap<Time, std::pair<int, FormedWarp>> shaded;  // by when; in the order in which they started
    Time now_ = 0;

  protected:
    using Event = std::pair<Time, std::uint32_t>;
    std::unique_ptr<TileRenderer> renderer;
    std::vector<Event> started, rasterised, stored;  // when, and which
    std::uint64_t done[cores] = {};
    Time shading = 20;
};

TEST_F(TileRendererTest, RendersATileFromItsListToMemory) {
    scene.pass(2);
    scene.draw();
    scene.primitive(2);
    scene.quads(0, 3);
    scene.quads(1, 5);
    run();
    std::vector<std::uint32_t> order;
    for (const Event& event : started) order.push_back(event.second);
    EXPECT_THAT(order, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_EQ(done[0] + done[1], 8U);
    EXPECT_GT(done[0], 0U);
    EXPECT_GT(done[1], 0U);
    EXPECT_EQ(rasterised.size(), 2U);
    ASSERT_EQ(stored.size(), 2U);
    std::size_t colours = 0;
    for (const auto& [time, request] : memory->seen)
        if (request.operation == MemoryOperation::write_through) {
            EXPECT_EQ(request.block, (1U << 20U) / block_bytes + colours);
            ++colours;
            EXPECT_LT(time + 40, stored[colours <= 64 ? 0 : 1].first);
        }
    EXPECT_EQ(colours, 128U);
    // The last quad of the first tile has to be shaded before that leaves.
    EXPECT_GT(stored[0].first, started[2].first + 6 + shading + 63);
}

TEST_F(TileRendererTest, LoadsOldDepthsAndColoursByPartsOfTheirOwn) {
    Pass& pass = scene.pass();
    pass.depth = {8U << 20U, 32, 32, 4};
    pass.colour_load = pass.depth_load = true;
    scene.opaque_draw();
    scene.primitive();
    scene.quads(0, 2);
    run();
    std::size_t reads[memory_clients] = {};
    for (const auto& [time, request] : memory->seen)
        if (request.operation == MemoryOperation::read) ++reads[static_cast<std::size_t>(request.client)];
    EXPECT_EQ(reads[static_cast<std::size_t>(MemoryClient::colour)], 64U);
    EXPECT_EQ(reads[static_cast<std::size_t>(MemoryClient::depth)], 64U);
    EXPECT_GT(reads[static_cast<std::size_t>(MemoryClient::tile_lists)], 0U);
    EXPECT_EQ(renderer->stage().lines_loaded.value(), 64U);
    EXPECT_EQ(renderer->front_end().depth_lines_loaded.value(), 64U);
}

TEST_F(TileRendererTest, OverlapsTilesAsFarAsItHasBuffers) {
    scene.pass(4);
    scene.draw();
    scene.primitive(4);
    for (std::uint32_t tile = 0; tile < 4; ++tile) scene.quads(tile, 4);
    shading = 300;
    parameters.colour.tile_buffers.set("1");
    run();
    for (std::size_t tile = 1; tile < 4; ++tile)  // a buffer is free when the last line has left
        EXPECT_GT(started[4 * tile].first, stored[tile - 1].first - 50);
}

// A tile buffer that becomes free without a line having left is noticed.
TEST_F(TileRendererTest, GoesOnWhereTilesStoreNothing) {
    scene.pass(5).colour_store = false;
    scene.draw(DrawKind::clear);
    scene.draw();
    scene.primitive(5);
    scene.quad(2, 0);
    parameters.colour.tile_buffers.set("1");
    run();
    EXPECT_EQ(stored.size(), 5U);
    EXPECT_EQ(renderer->stage().tiles_finished.value(), 5U);
}

}  // namespace
}  // namespace models
