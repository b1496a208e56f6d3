#include "models/processes/immediate_raster.h"

#include <map>
#include <vector>

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

// A cluster of one core that shades a warp in `shades` cycles, has late depths tested if told to, and then blends. What
// it holds goes to memory in `flushes` cycles.
class Core : public engine::Clocked<Core> {
  public:
    explicit Core(int index) : Clocked("core", index, 1) {}

    Time shades = 50, flushes = 30;
    const Workload* workload = nullptr;
    std::vector<std::pair<Time, std::vector<std::uint32_t>>> seen;  // when, and the quads
    std::vector<Time> flushed_at;
    std::uint32_t in_test = 0;

    Time step() {
        for (; !shading_.empty() && shading_.begin()->first <= now(); shading_.erase(shading_.begin())) {
            const std::uint32_t quad = shading_.begin()->second;
            taken.send({1});
            if (tests_late(workload->draw_of(quad))) {
                tests.send({quad, 0});
                ++in_test;
            } else {
                blended.send({1});
            }
        }
        return shading_.empty() ? engine::never : shading_.begin()->first;
    }

  private:
    void on_quad(const ShadeQuad& message) { shade({message.quad}); }
    void on_warp(const ShadeWarp& message) {
        std::vector<std::uint32_t> all{message.first};
        for (std::uint32_t i = 1; i < message.count; ++i)
            all.push_back(message.first + static_cast<std::uint32_t>(std::int32_t{message.distance[i - 1]}));
        shade(all);
    }
    void shade(const std::vector<std::uint32_t>& warp) {
        seen.emplace_back(now(), warp);
        for (const std::uint32_t quad : warp) shading_.emplace(now() + shades, quad);
    }
    void on_tested(const DepthTested& message) {
        ASSERT_GE(in_test, message.count);
        in_test -= message.count;
        blended.send(QuadsBlended{message.count});
    }
    void on_flush(const FlushPixels& message) {
        EXPECT_TRUE(shading_.empty());
        EXPECT_EQ(in_test, 0U);
        flushed_at.push_back(now());
        flushed.send({message.pass}, flushes);
    }
    std::multimap<Time, std::uint32_t> shading_;

  public:
    engine::In<ShadeQuad> quads{this, "quads", engine::handler<&Core::on_quad>};
    engine::In<ShadeWarp> warps{this, "warps", engine::handler<&Core::on_warp>};
    engine::In<DepthTested> tested{this, "tested", engine::handler<&Core::on_tested>};
    engine::In<FlushPixels> flush{this, "flush", engine::handler<&Core::on_flush>};
    engine::Out<QuadsTaken> taken{this, "taken"};
    engine::Out<QuadsBlended> blended{this, "blended"};
    engine::Out<TestDepth> tests{this, "tests"};
    engine::Out<PixelsFlushed> flushed{this, "flushed"};
};

// The raster front end of immediate rendering before two clusters of one core each, and a memory that answers after 40
// ticks. A cycle is a tick; wires take one. All that geometry says comes as soon as there is room.
class ImmediateRasterTest : public testing::Test {
  protected:
    static constexpr int triangle_queue = 4;

    ImmediateRasterTest() { parameters.raster.distribution.set("position"); }

    // What geometry says of the frame: primitives and clears of all passes, and their ends.
    std::vector<StreamedPrimitive> all_input() const {
        std::vector<StreamedPrimitive> all;
        for (const Pass& pass : scene.frame.passes) {
            for (std::uint32_t d = pass.first_draw; d < pass.first_draw + pass.draw_count; ++d) {
                const Draw& draw = scene.frame.draws[d];
                for (std::uint32_t p = 0; p < draw.primitive_count; ++p) all.push_back({draw.first_primitive + p, d});
                if (draw.kind == DrawKind::clear) all.push_back({none, d});
            }
            all.push_back({none, none});
        }
        return all;
    }
    void run(int warp_quads = 1) {
        workload.load(scene.trace, scene.finish());
        raster = &simulation.add<ImmediateRaster>(ImmediateRaster::Shape{parameters.raster,
                                                                         parameters.depth_cache,
                                                                         triangle_queue,
                                                                         2,
                                                                         64,
                                                                         {2, warp_quads, entries, 1},
                                                                         1,
                                                                         patience,
                                                                         1,
                                                                         {1, 64, 1, 1, block_bytes}},
                                                  workload);
        auto& geometry = simulation.add<Geometry>(all_input());
        simulation.connect(geometry.primitives, raster->primitives, 1);
        simulation.connect(raster->primitives_taken, geometry.taken, 1);
        simulation.connect(raster->stored_for_geometry, stored.in, 1);
        memory = &simulation.add<bench::Memory>("memory", -1, 40);
        simulation.connect(raster->memory.requests, memory->in, 1);
        simulation.connect(memory->out, raster->replies, 1);
        for (int i = 0; i < 2; ++i) {
            Core& core = *cores[static_cast<std::size_t>(i)];
            core.workload = &workload;
            if (warp_quads == 1) {
                simulation.connect(raster->quads[i], core.quads, 1);
                simulation.connect(simulation.add<bench::Source<ShadeWarp>>("none" + std::to_string(i)).out, core.warps,
                                   1);
            } else {
                simulation.connect(raster->warps[i], core.warps, 1);
                simulation.connect(simulation.add<bench::Source<ShadeQuad>>("none" + std::to_string(i)).out, core.quads,
                                   1);
            }
            simulation.connect(core.taken, raster->taken[i], 1);
            simulation.connect(core.blended, raster->blended[i], 1);
            simulation.connect(core.tests, raster->tests[i], 1);
            simulation.connect(raster->tested[i], core.tested, 1);
            simulation.connect(raster->flushes[i], core.flush, 1);
            simulation.connect(core.flushed, raster->flushed[i], 1);
        }
        raster->begin_frame();
        geometry.wake_at(0);
        simulation.run({});
        raster->end_frame();
        EXPECT_EQ(raster->unfinished(), "");
        EXPECT_EQ(geometry.next, geometry.input.size());
        EXPECT_EQ(geometry.room, static_cast<std::uint32_t>(triangle_queue));
        EXPECT_EQ(raster->passes.value(), scene.frame.passes.size());
        std::vector<std::uint32_t> told;
        for (const auto& arrival : stored.arrivals) told.push_back(arrival.message.pass);
        for (std::uint32_t pass = 0; pass < told.size(); ++pass) EXPECT_EQ(told[pass], pass);
        EXPECT_EQ(told.size(), scene.frame.passes.size());
        Laws laws;
        raster->add_laws(laws);
        bench::expect_obeyed(laws, simulation);
    }
    std::vector<std::uint32_t> quads_of(std::size_t core) const {
        std::vector<std::uint32_t> all;
        for (const auto& [time, quads] : cores[core]->seen) all.insert(all.end(), quads.begin(), quads.end());
        return all;
    }
    // When the last and the first of some requests came to memory.
    std::vector<Time> times(MemoryClient client, MemoryOperation operation) const {
        std::vector<Time> all;
        for (const auto& [time, request] : memory->seen)
            if (request.client == client && request.operation == operation) all.push_back(time);
        return all;
    }

    struct Geometry : engine::Clocked<Geometry> {
        explicit Geometry(std::vector<StreamedPrimitive> all) : Clocked("geometry", -1, 1), input(std::move(all)) {}
        Time step() {
            for (; room > 0 && next < input.size(); ++next, --room) primitives.send(input[next]);
            return engine::never;
        }
        void on_taken(const PrimitivesTaken& message) { room += message.count; }
        std::vector<StreamedPrimitive> input;
        std::size_t next = 0;
        std::uint32_t room = triangle_queue;
        engine::Out<StreamedPrimitive> primitives{this, "primitives"};
        engine::In<PrimitivesTaken> taken{this, "taken", engine::handler<&Geometry::on_taken>};
    };

    MachineParameters parameters;
    Scene scene;
    Workload workload{{1 << 30, Rendering::immediate, parameters.tiling}};
    engine::Simulation simulation;
    ImmediateRaster* raster = nullptr;
    bench::Memory* memory = nullptr;
    Core* cores[2] = {&simulation.add<Core>(0), &simulation.add<Core>(1)};
    bench::Sink<PassStored>& stored = simulation.add<bench::Sink<PassStored>>("stored");
    int entries = 8;
    Time patience = 4;
};

TEST_F(ImmediateRasterTest, HandsOutTheQuadsOfOnePlaceInTheOrderOfCommandsToOneCore) {
    scene.pass(2);
    for (int d = 0; d < 3; ++d) {
        scene.draw();
        for (int p = 0; p < 4; ++p) {
            scene.primitive(2);
            scene.quads(0, 40);
            scene.quads(1, 20);
        }
    }
    run();
    std::map<std::uint32_t, std::size_t> owner;                             // by square
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> last;  // primitive, by place
    std::size_t all = 0;
    for (std::size_t core = 0; core < 2; ++core)
        for (const std::uint32_t quad : quads_of(core)) {
            const Workload::Place& place = workload.place(quad);
            EXPECT_EQ(owner.try_emplace(place.y / 2 * 1000U + place.x / 2U, core).first->second, core);
            std::uint32_t& before = last[{place.x, place.y}];
            EXPECT_LE(before, scene.frame.quads[quad].primitive);
            before = scene.frame.quads[quad].primitive;
            ++all;
        }
    EXPECT_EQ(all, scene.frame.quads.size());
    EXPECT_GT(quads_of(0).size(), 0U);
    EXPECT_GT(quads_of(1).size(), 0U);
    EXPECT_EQ(raster->rasteriser().primitives_set_up.value(), 12U);
}

TEST_F(ImmediateRasterTest, EndsQuadsWithoutLanesWithTheirDepthTest) {
    scene.pass().depth = {8U << 20U, 32, 32, 4};
    scene.opaque_draw();
    scene.primitive();
    scene.quads(0, 3, 0);
    scene.quads(0, 5);
    scene.opaque_draw().colour_mask = 0;
    scene.primitive();
    scene.quads(0, 4);
    run();
    EXPECT_EQ(raster->tested_quads.depth_only.value(), 4U);
    EXPECT_EQ(raster->tested_quads.killed.value(), 3U);
    EXPECT_EQ(raster->tested_quads.out.value(), 5U);
    EXPECT_EQ(quads_of(0).size() + quads_of(1).size(), 5U);
}

TEST_F(ImmediateRasterTest, FinishesAndWritesBackEverythingBeforeAClear) {
    scene.pass().depth = {8U << 20U, 32, 32, 4};
    scene.opaque_draw();
    scene.primitive();
    scene.quads(0, 4);
    scene.draw(DrawKind::clear);
    scene.draw();
    scene.primitive();
    scene.quads(0, 4);
    run();
    ASSERT_EQ(cores[0]->flushed_at.size(), 2U);  // and at the end of the frame
    EXPECT_EQ(cores[1]->flushed_at.size(), 2U);
    EXPECT_EQ(raster->flushes_done.value(), 2U);
    const std::vector<Time> cleared = times(MemoryClient::colour, MemoryOperation::write_line);
    ASSERT_EQ(cleared.size(), 64U);
    const std::vector<Time> depths = times(MemoryClient::depth, MemoryOperation::write_line);
    ASSERT_EQ(depths.size(), 2U);  // the first two of 4x4 texels
    EXPECT_GT(cleared[0], cores[0]->flushed_at[0] + cores[0]->flushes);
    EXPECT_GT(cleared[0], depths.back() + 40);
    // The draw behind it begins when all lines have arrived.
    for (const Core* core : cores)
        for (const auto& [time, quads] : core->seen) EXPECT_TRUE(quads[0] < 4 || time > cleared.back() + 40);
    EXPECT_EQ(raster->clearer().lines_cleared.value(), 64U);
}

TEST_F(ImmediateRasterTest, ClearsWithoutAStopWhereNothingWasRendered) {
    scene.pass();
    scene.draw(DrawKind::clear);
    scene.draw(DrawKind::clear);
    run();
    EXPECT_TRUE(cores[0]->flushed_at.empty());
    EXPECT_EQ(times(MemoryClient::colour, MemoryOperation::write_line).size(), 128U);
    EXPECT_EQ(raster->flushes_done.value(), 0U);
}

TEST_F(ImmediateRasterTest, GoesFromPassToPassWithoutAStopUnlessOneIsAwaited) {
    for (int pass = 0; pass < 4; ++pass) {
        scene.pass();
        scene.draw();
        scene.primitive();
        scene.quads(0, 4);
    }
    scene.frame.passes[2].colour = scene.frame.passes[0].colour;  // waits for the first
    cores[0]->shades = cores[1]->shades = 500;
    run();
    ASSERT_EQ(cores[0]->flushed_at.size(), 2U);  // after the first and the last
    EXPECT_GT(stored.times()[0], 500);
    EXPECT_LT(stored.times()[2] - stored.times()[0], 100);
    EXPECT_GT(stored.times()[3] - stored.times()[2], 400);
}

TEST_F(ImmediateRasterTest, EndsPassesThatRenderNothingAndFramesOfThem) {
    scene.pass();
    scene.pass().colour = {};
    scene.draw(DrawKind::clear);
    scene.pass(0, 0);
    run();
    EXPECT_TRUE(memory->seen.empty());
    EXPECT_TRUE(cores[0]->flushed_at.empty());
}

TEST_F(ImmediateRasterTest, TestsLateDepthsForTheClustersBeforeItFlushes) {
    scene.pass().depth = {8U << 20U, 32, 32, 4};
    Draw& draw = scene.draw();
    draw.depth_test = draw.depth_write = true;
    scene.primitive();
    scene.quads(0, 8);
    run();
    EXPECT_EQ(raster->depth().quads_late.value(), 8U);
    EXPECT_EQ(times(MemoryClient::depth, MemoryOperation::read).size(), 4U);
    EXPECT_EQ(times(MemoryClient::depth, MemoryOperation::write_line).size(), 4U);
    EXPECT_EQ(cores[0]->in_test + cores[1]->in_test, 0U);
    EXPECT_EQ(cores[0]->flushed_at.size(), 1U);
}

TEST_F(ImmediateRasterTest, FillsWarpsAlsoOfTheLastQuadsBeforeAStop) {
    scene.pass();
    scene.draw();
    scene.primitive();
    for (std::uint32_t y = 0; y < 4; y += 2)  // a square of the first core, in two rows
        for (std::uint32_t i = 0; i < 4; ++i) scene.quad(0, i % 2, y + i / 2);
    run(4);
    std::size_t warps = 0, quads = 0;
    for (const Core* core : cores)
        for (const auto& [time, warp] : core->seen) {
            ++warps;
            quads += warp.size();
        }
    EXPECT_EQ(quads, 8U);
    EXPECT_EQ(warps, 2U);
}

TEST_F(ImmediateRasterTest, WaitsForCoresWithoutRoom) {
    scene.pass();
    scene.draw();
    scene.primitive();
    scene.quads(0, 12);
    entries = 2;  // one each
    run();
    for (const Core* core : cores)
        for (std::size_t i = 1; i < core->seen.size(); ++i)
            EXPECT_GE(core->seen[i].first - core->seen[i - 1].first, core->shades);
    EXPECT_GT(bench::counter(*raster, "cycles_waits_cores"), 100U);
}

TEST_F(ImmediateRasterTest, WaitsForDepthsOnlyWhileMemoryHasThem) {
    parameters.raster.early_depth_latency.set("64");
    parameters.depth_cache.perfect.set("true");
    scene.pass().depth = {8U << 20U, 32, 32, 4};
    scene.opaque_draw();
    scene.primitive();
    scene.quads(0, 12);
    run();
    EXPECT_EQ(bench::counter(*raster, "cycles_waits_depths"), 0U);
}

TEST_F(ImmediateRasterTest, AccountsForAllItsTime) {
    scene.pass().depth = {8U << 20U, 32, 32, 4};
    scene.opaque_draw();
    for (int i = 0; i < 10; ++i) {
        scene.primitive();
        scene.quads(0, 10);
    }
    scene.draw(DrawKind::clear);
    run();
    Laws laws;
    raster->time.add_laws(laws, "raster");
    const Ledger ledger(simulation.processes(), simulation.collect_counters());
    EXPECT_TRUE(ledger.violations(laws, 0, raster->now()).empty());
    EXPECT_GE(bench::counter(*raster, "cycles_busy"), 100U);
    EXPECT_EQ(bench::counter(*raster, "cycles_clear"), bench::counter(*raster, "lines_cleared"));
    EXPECT_GE(bench::counter(*raster, "cycles_clear"), 64U);
    EXPECT_GE(bench::counter(*raster, "cycles_waits_clear"), 20U);  // until memory has the last line
    EXPECT_GE(bench::counter(*raster, "cycles_flush"), 30U);
}

}  // namespace
}  // namespace models
