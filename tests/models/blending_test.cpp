#include "models/blending.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/bench.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

// Blending behind two fragment processors; one slice of memory that answers after 100 ticks. The frame has one pass of
// two tiles of 32x32 pixels with colours of 4 bytes: 64 lines a tile.
class BlendingTest : public testing::Test {
  protected:
    BlendingTest() {
        parameters.fragment_processor.count.set("2");
        parameters.l2.slices.set("1");
        parameters.l2.requests_per_port.set("256");
        frame.draws.resize(1);
        frame.draws[0].colour_targets = 1;
        frame.draws[0].kind = DrawKind::clear;
        frame.primitives.resize(1);
        frame.primitives[0].tile_x1 = 1;
        frame.passes.resize(1);
        Pass& pass = frame.passes[0];
        pass.colour = {{0x100000, 64, 32, 4}};
        pass.tiles_x = 2;
        pass.tiles_y = 1;
        pass.draw_count = 1;
        frame.tiles.resize(2);
    }
    // A quad at (x, 0) of a tile, known by its number in the frame.
    std::uint32_t quad(std::uint8_t x) {
        Quad made;
        made.x = x;
        frame.quads.push_back(made);
        return static_cast<std::uint32_t>(frame.quads.size() - 1);
    }
    void build() {
        workload.load(trace, frame);
        blending = &simulation.add<Blending>(parameters, workload);
        starts = &simulation.add<bench::Source<TileStart>>("starts");
        ends = &simulation.add<bench::Source<TileEnd>>("ends");
        memory = &simulation.add<bench::Memory>("memory", -1, 100);
        freed = &simulation.add<bench::Sink<TileFree>>("freed");
        stored = &simulation.add<bench::Sink<PassStored>>("stored");
        simulation.connect(starts->out, blending->starts, 1);
        simulation.connect(ends->out, blending->ends, 1);
        simulation.connect(blending->free_tiles, freed->in, 1);
        simulation.connect(blending->stored, stored->in, 1);
        simulation.connect(blending->memory.requests[0], memory->in, 1);
        simulation.connect(memory->out, blending->replies[0], 1);
        for (int i = 0; i < 2; ++i) {
            quads.push_back(&simulation.add<bench::Source<ShadedQuad>>("quads" + std::to_string(i)));
            credits.push_back(&simulation.add<bench::Sink<QuadBlended>>("credits" + std::to_string(i)));
            simulation.connect(quads.back()->out, blending->quads[i], 1);
            simulation.connect(blending->blended[i], credits.back()->in, 1);
        }
    }
    // What arrives at a cycle's edge; and the cycle of the step that sent what arrived at a time.
    static Time at(Time cycle) { return cycle * 2 - 1; }
    static Time cycle_of(Time arrival) { return (arrival - 1 - 2) / 2; }
    std::vector<Time> blended(std::size_t processor) const {
        std::vector<Time> cycles;
        for (const Time time : credits[processor]->times()) cycles.push_back(cycle_of(time));
        return cycles;
    }

    MachineParameters parameters;
    FrameTrace trace;
    Frame frame;
    Workload workload{parameters};
    engine::Simulation simulation;
    Blending* blending = nullptr;
    bench::Source<TileStart>* starts = nullptr;
    bench::Source<TileEnd>* ends = nullptr;
    bench::Memory* memory = nullptr;
    bench::Sink<TileFree>* freed = nullptr;
    bench::Sink<PassStored>* stored = nullptr;
    std::vector<bench::Source<ShadedQuad>*> quads;
    std::vector<bench::Sink<QuadBlended>*> credits;
};

TEST_F(BlendingTest, BlendsOneQuadACycle) {
    const std::uint32_t a = quad(0), b = quad(1), c = quad(2);
    build();
    starts->send_at(at(1), {0, 0, 0});
    quads[0]->send_at(at(10), {a, 0, 0});
    quads[0]->send_at(at(10), {c, 0, 0});
    quads[1]->send_at(at(10), {b, 0, 0});
    ends->send_at(at(5), {3, 0, true});
    simulation.run({});
    EXPECT_THAT(blended(0), ElementsAre(10, 12));
    EXPECT_THAT(blended(1), ElementsAre(11));
}

TEST_F(BlendingTest, BlendsQuadsOfOnePlaceInTheOrderOfTheirHandOut) {
    const std::uint32_t first = quad(7), second = quad(7);
    build();
    starts->send_at(at(1), {0, 0, 0});
    quads[1]->send_at(at(10), {second, 1, 0});  // comes early
    quads[0]->send_at(at(50), {first, 0, 0});
    ends->send_at(at(60), {2, 0, true});
    simulation.run({});
    EXPECT_THAT(blended(0), ElementsAre(50));
    EXPECT_THAT(blended(1), ElementsAre(51));
}

TEST_F(BlendingTest, DoesNotHoldUpQuadsOfOtherPlaces) {
    const std::uint32_t first = quad(7), second = quad(7), other = quad(8);
    build();
    starts->send_at(at(1), {0, 0, 0});
    quads[1]->send_at(at(10), {second, 1, 0});
    quads[0]->send_at(at(12), {other, 0, 0});
    quads[0]->send_at(at(50), {first, 0, 0});
    ends->send_at(at(60), {3, 0, true});
    simulation.run({});
    EXPECT_THAT(blended(0), ElementsAre(12, 50));
    EXPECT_THAT(blended(1), ElementsAre(51));
}

TEST_F(BlendingTest, TakesACycleForEachColourTarget) {
    frame.draws[0].colour_targets = 3;
    const std::uint32_t a = quad(0), b = quad(1);
    build();
    starts->send_at(at(1), {0, 0, 0});
    quads[0]->send_at(at(10), {a, 0, 0});
    quads[0]->send_at(at(10), {b, 0, 0});
    ends->send_at(at(5), {2, 0, true});
    simulation.run({});
    EXPECT_THAT(blended(0), ElementsAre(10, 13));
}

TEST_F(BlendingTest, StoresACompleteTileALineACycleThenFreesItsBuffer) {
    const std::uint32_t a = quad(0);
    build();
    starts->send_at(at(1), {0, 1, 0});
    quads[0]->send_at(at(10), {a, 0, 0});
    ends->send_at(at(20), {1, 0, true});
    simulation.run({});
    ASSERT_EQ(memory->seen.size(), 64U);
    for (std::size_t i = 0; i < 64; ++i) {
        EXPECT_EQ(memory->seen[i].second.block, 0x100000U / 64 + 64 + i);
        EXPECT_EQ(memory->seen[i].second.operation, MemoryOperation::write_line);
        EXPECT_EQ(cycle_of(memory->seen[i].first), 20 + static_cast<Time>(i));
    }
    EXPECT_EQ(cycle_of(freed->times().at(0)), 20 + 63);
    // The last write leaves in cycle 84, arrives a tick later, is answered 100 ticks and a tick later.
    EXPECT_EQ(cycle_of(stored->times().at(0)), 84 + 51);
}

TEST_F(BlendingTest, ReadsOldColoursBeforeItBlends) {
    frame.passes[0].colour_load = true;
    const std::uint32_t a = quad(0);
    build();
    starts->send_at(at(1), {0, 0, 0});
    quads[0]->send_at(at(10), {a, 0, 0});
    ends->send_at(at(20), {1, 0, true});
    simulation.run({});
    ASSERT_EQ(memory->seen.size(), 128U);
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(memory->seen[i].second.operation, MemoryOperation::read);
    // 64 lines from cycle 1 on; the last is sent in 64, leaves in 65 and is back 102 ticks later.
    EXPECT_THAT(blended(0), ElementsAre(65 + 51));
}

TEST_F(BlendingTest, TellsOfTheEndOfThePassOnlyOnceAllTilesAreStored) {
    build();
    starts->send_at(at(1), {0, 0, 0});
    starts->send_at(at(2), {0, 1, 1});
    ends->send_at(at(10), {0, 1, true});  // the second is complete first
    ends->send_at(at(200), {0, 0, false});
    simulation.run({});
    EXPECT_EQ(memory->seen.size(), 128U);
    ASSERT_EQ(freed->arrivals.size(), 2U);
    EXPECT_EQ(freed->arrivals[0].message.buffer, 0);
    EXPECT_EQ(freed->arrivals[1].message.buffer, 1);
    ASSERT_EQ(stored->arrivals.size(), 1U);
    EXPECT_GT(stored->times()[0], memory->seen.back().first + 100);
}

TEST_F(BlendingTest, StoresDepthsWhereThePassKeepsThem) {
    frame.passes[0].depth = {0x200000, 64, 32, 2};
    frame.passes[0].depth_store = true;
    build();
    starts->send_at(at(1), {0, 0, 0});
    ends->send_at(at(10), {0, 0, true});
    simulation.run({});
    EXPECT_EQ(memory->seen.size(), 64U + 32U);
    EXPECT_GE(memory->seen.back().second.block, 0x200000U / 64);
}

}  // namespace
}  // namespace models
