#include "models/processes/colour.h"

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

// The colour stage behind two cores with these entries of its queue, and a memory that answers after 100 ticks. Cycles
// are ticks; what it says leaves two cycles after it was decided.
class ColourTest : public testing::Test {
  protected:
    ColourTest() {
        scene.pass(2);
        scene.draw();
        scene.primitive(2);
        scene.quads(0, 16);
        for (int pass = 1; pass < 4; ++pass) scene.pass(2);
        workload.load(scene.trace, scene.finish());
    }
    void build(const std::vector<int>& entries, Time patience) {
        colour = &simulation.add<Colour>(
            Colour::Shape{parameters.colour, entries, 1, patience, 2, {1, 256, 1, 1, block_bytes}}, workload);
        auto& memory = simulation.add<bench::Memory>("memory", -1, 100);
        simulation.connect(starts.out, colour->starts, 1);
        simulation.connect(ends.out, colour->ends, 1);
        simulation.connect(skipped.out, colour->skipped, 1);
        simulation.connect(colour->free_tiles, freed.in, 1);
        simulation.connect(colour->stored, stored.in, 1);
        simulation.connect(colour->stored_for_geometry, stored_for_geometry.in, 1);
        simulation.connect(colour->memory.requests, memory.in, 1);
        simulation.connect(memory.out, colour->replies, 1);
        for (int i = 0; i < 2; ++i) {
            quads.push_back(&simulation.add<bench::Source<ShadedQuad>>("quads" + std::to_string(i)));
            credits.push_back(&simulation.add<bench::Sink<QuadsBlended>>("credits", i));
            simulation.connect(quads.back()->out, colour->quads[i], 1);
            simulation.connect(colour->blended[i], credits.back()->in, 1);
        }
        colour->begin_frame();
    }
    // With one tile of so many quads.
    void run_tile(std::uint32_t count) {
        starts.send_at(1, {0, 0, 0, 1});
        ends.send_at(1000, {count, 0});
        run();
    }
    void run() {
        simulation.run({});
        Laws laws;
        colour->add_laws(laws);
        bench::expect_obeyed(laws, simulation);
        EXPECT_EQ(colour->unfinished(), "");
    }

    MachineParameters parameters;
    Scene scene;
    Workload workload{{1 << 30, Rendering::tiled, parameters.tiling}};
    engine::Simulation simulation;
    Colour* colour = nullptr;
    bench::Source<TileStart>& starts = simulation.add<bench::Source<TileStart>>("starts");
    bench::Source<TileEnd>& ends = simulation.add<bench::Source<TileEnd>>("ends");
    bench::Source<PassSkipped>& skipped = simulation.add<bench::Source<PassSkipped>>("skipped");
    bench::Sink<TileFree>& freed = simulation.add<bench::Sink<TileFree>>("freed");
    bench::Sink<PassStored>& stored = simulation.add<bench::Sink<PassStored>>("stored");
    bench::Sink<PassStored>& stored_for_geometry = simulation.add<bench::Sink<PassStored>>("stored_for_geometry");
    std::vector<bench::Source<ShadedQuad>*> quads;
    std::vector<bench::Sink<QuadsBlended>*> credits;
};

TEST_F(ColourTest, ReturnsCreditsInBulk) {
    build({8, 8}, 50);
    for (std::uint32_t i = 0; i < 8; ++i) quads[0]->send_at(9, {i, 0});
    run_tile(8);
    // Blended in cycles 10 to 17; half a queue goes together.
    EXPECT_THAT(credits[0]->times(), ElementsAre(13 + 2 + 1, 17 + 2 + 1));
    for (const auto& arrival : credits[0]->arrivals) EXPECT_EQ(arrival.message.count, 4U);
    EXPECT_TRUE(credits[1]->arrivals.empty());
}

TEST_F(ColourTest, ReturnsFewerCreditsAfterAWhile) {
    build({8, 8}, 50);
    quads[0]->send_at(9, {0, 0});
    quads[1]->send_at(20, {1, 0});
    quads[0]->send_at(29, {2, 0});
    run_tile(3);
    EXPECT_THAT(credits[0]->times(), ElementsAre(10 + 50 + 2 + 1));
    EXPECT_EQ(credits[0]->arrivals[0].message.count, 2U);
    EXPECT_THAT(credits[1]->times(), ElementsAre(21 + 50 + 2 + 1));
}

TEST_F(ColourTest, TellsRasterAndGeometryOfStoredPasses) {
    build({8, 8}, 50);
    run_tile(0);
    const Time last = 1001 + 63;
    EXPECT_THAT(freed.times(), ElementsAre(last + 2 + 1));
    // The last line leaves after a cycle of its own and one of injection, and takes 100 ticks and two wires.
    EXPECT_THAT(stored.times(), ElementsAre(last + 1 + 1 + 1 + 100 + 1 + 2 + 1));
    EXPECT_EQ(stored_for_geometry.times(), stored.times());
}

TEST_F(ColourTest, TellsOfAPassWhenAllItsTilesAreInMemory) {
    build({8, 8}, 50);
    starts.send_at(1, {0, 0, 0, 0});
    starts.send_at(1, {0, 1, 1, 1});
    ends.send_at(9, {0, 1});
    ends.send_at(499, {0, 0});
    run();
    ASSERT_EQ(stored.arrivals.size(), 1U);
    EXPECT_EQ(stored.times()[0], 500 + 127 + 1 + 1 + 1 + 100 + 1 + 2 + 1);
}

TEST_F(ColourTest, TellsOfPassesInTheirOrderAlsoOfThoseThatRenderNothing) {
    build({8, 8}, 50);
    starts.send_at(1, {0, 0, 0, 1});
    skipped.send_at(2, {1});
    starts.send_at(3, {2, 0, 1, 1});
    skipped.send_at(4, {3});
    ends.send_at(9, {0, 1});
    ends.send_at(499, {0, 0});
    run();
    std::vector<std::uint32_t> order;
    for (const auto& arrival : stored.arrivals) order.push_back(arrival.message.pass);
    EXPECT_THAT(order, ElementsAre(0, 1, 2, 3));
    EXPECT_GT(stored.times()[0], 500 + 63 + 100);
    EXPECT_EQ(stored.times()[1], stored.times()[0]);
    EXPECT_EQ(stored.times()[2], stored.times()[0] + 64);
}

}  // namespace
}  // namespace models
