#include "models/pipeline/colour_stage.h"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/machine_parameters.h"
#include "tests/models/bench.h"
#include "tests/models/resolving_scene.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

// The colour stage behind two sources, before a memory that answers after 100 cycles. A pass has two tiles of 64 lines.
// Samples are brought together on chip, and tiles with the colours that memory has are not stored.
class ColourStageTest : public testing::Test {
  protected:
    static constexpr Time memory_time = 100;
    static constexpr Time round_trip = 1 + 1 + memory_time + 1;  // a cycle in the port, one there, one back
    static constexpr BlockNumber target = (1 << 20) / block_bytes;

    ColourStageTest() {
        scene.pass(2);
        scene.draw();
        scene.primitive(2);
    }
    // Quads at (x, 0) of tile 0 in this order; known by their positions in it.
    void quads(const std::vector<std::uint32_t>& places) {
        for (const std::uint32_t x : places) scene.quad(0, x);
    }
    void build(Time answers_after = memory_time) {
        workload.load(scene.trace, scene.finish());
        attach(answers_after);
    }
    // With what is loaded.
    void attach(Time answers_after = memory_time) {
        host = &simulation.add<bench::Host>(512);
        memory = &host->attach_memory(simulation, answers_after);
        stage = std::make_unique<ColourStage>(&host->counters(), parameters.colour, 2, workload, host->memory, 0, 1);
        host->on_answer = [this](Time now, const MemoryReply& reply) { stage->on_reply(now, reply); };
        host->cycle = [this](Time now) {
            now_ = now;
            return stage->step(now, *this);
        };
    }
    void begin(Time time, std::uint32_t tile, std::uint32_t buffer, std::uint32_t pass = 0) {
        host->at(time, [=, this](Time now) { stage->begin_tile(now, pass, tile, buffer); });
    }
    void end(Time time, std::uint32_t buffer, std::uint32_t count) {
        host->at(time, [=, this](Time) { stage->end_tile(buffer, count); });
    }
    void quad(Time time, std::uint32_t number, std::uint32_t source = 0, std::uint32_t buffer = 0) {
        host->at(time, [=, this](Time now) { stage->take_quad(now, number, buffer, source); });
    }
    std::uint64_t cycles(const std::string& state) const { return bench::counter(*host, "cycles_" + state); }

  public:
    void quad_done(std::uint32_t source) { blended.emplace_back(now_, source); }
    void free_tile(std::uint32_t buffer) { freed.emplace_back(now_, buffer); }
    void tile_stored(std::uint32_t pass) { stored.emplace_back(now_, pass); }

  protected:
    using Event = std::pair<Time, std::uint32_t>;
    MachineParameters parameters;
    Scene scene;
    Workload workload{{1 << 30, Rendering::tiled, parameters.tiling, true, true}};
    engine::Simulation simulation;
    bench::Host* host = nullptr;
    bench::Memory* memory = nullptr;
    std::unique_ptr<ColourStage> stage;
    std::vector<Event> blended, freed, stored;  // when, and which
    Time now_ = 0;
};

TEST_F(ColourStageTest, BlendsOneQuadACycle) {
    quads({0, 1, 2});
    build();
    begin(1, 0, 0);
    quad(10, 0, 0);
    quad(10, 2, 1);
    quad(10, 1, 0);
    end(10, 0, 3);
    simulation.run({});
    EXPECT_THAT(blended, ElementsAre(Event{10, 0}, Event{11, 1}, Event{12, 0}));
    EXPECT_EQ(stage->quads_blended.value(), 3U);
}

TEST_F(ColourStageTest, BlendsSeveralQuadsACycleWhereItCanButNotAtOnePlace) {
    parameters.colour.quads_per_cycle.set("4");
    scene.frame.draws[0].blend = 1;
    quads({0, 1, 2, 2});
    build();
    begin(1, 0, 0);
    for (std::uint32_t i = 0; i < 4; ++i) quad(10, i);
    end(10, 0, 4);
    simulation.run({});
    EXPECT_THAT(blended, ElementsAre(Event{10, 0}, Event{10, 0}, Event{10, 0}, Event{11, 0}));
}

TEST_F(ColourStageTest, BlendsQuadsThatTakeLongerSideBySide) {
    parameters.colour.quads_per_cycle.set("4");
    parameters.colour.blend.set("2");
    scene.frame.draws[0].blend = 1;
    quads({0, 1, 2, 3});
    build();
    begin(1, 0, 0);
    for (std::uint32_t i = 0; i < 4; ++i) quad(10, i);
    end(10, 0, 4);
    simulation.run({});
    // Three cycles each: two of them are more than a cycle has room for, and take 6 / 4 of one, rounded up.
    EXPECT_THAT(blended, ElementsAre(Event{10, 0}, Event{10, 0}, Event{12, 0}, Event{12, 0}));
}

TEST_F(ColourStageTest, BlendsQuadsOfOnePlaceInTheirOrderInTheFrame) {
    quads({7, 7});
    build();
    begin(1, 0, 0);
    quad(10, 1, 1);  // comes early
    quad(50, 0, 0);
    end(60, 0, 2);
    simulation.run({});
    EXPECT_THAT(blended, ElementsAre(Event{50, 0}, Event{51, 1}));
    EXPECT_EQ(cycles("waits_order"), 40U);
}

TEST_F(ColourStageTest, DoesNotHoldUpQuadsOfOtherPlaces) {
    quads({7, 7, 8});
    build();
    begin(1, 0, 0);
    quad(10, 1, 1);
    quad(12, 2, 0);
    quad(50, 0, 0);
    end(60, 0, 3);
    simulation.run({});
    EXPECT_THAT(blended, ElementsAre(Event{12, 0}, Event{50, 0}, Event{51, 1}));
}

TEST_F(ColourStageTest, WaitsBetweenQuadsOfAPlaceForTheColourBuffer) {
    parameters.colour.latency.set("5");
    scene.frame.draws[0].blend = 1;
    quads({7, 7, 8});
    scene.frame.draws[0].blend = 1;
    build();
    begin(1, 0, 0);
    for (std::uint32_t i = 0; i < 3; ++i) quad(10, i, i % 2);
    end(10, 0, 3);
    simulation.run({});
    EXPECT_THAT(blended, ElementsAre(Event{10, 0}, Event{11, 0}, Event{15, 1}));
}

TEST_F(ColourStageTest, DoesNotWaitForColoursThatAQuadReplaces) {
    parameters.colour.latency.set("5");
    quads({7, 7});
    scene.draw().partial = 1;
    scene.primitive(2);
    quads({7});
    build();
    begin(1, 0, 0);
    for (std::uint32_t i = 0; i < 3; ++i) quad(10, i);
    end(10, 0, 3);
    simulation.run({});
    EXPECT_THAT(blended, ElementsAre(Event{10, 0}, Event{11, 0}, Event{16, 0}));
}

TEST_F(ColourStageTest, TakesTimeForOldColoursAndForSamplesAsManyAtATimeAsItCan) {
    parameters.colour.blend.set("3");
    parameters.colour.samples_per_cycle.set("2");
    scene.frame.draws[0].samples = 4;
    scene.frame.draws[0].colour_targets = 2;
    quads({0});
    scene.draw().blend = 3;
    scene.frame.draws[1].colour_targets = 2;
    scene.primitive(2);
    quads({1, 2});
    build();
    begin(1, 0, 0);
    for (std::uint32_t i = 0; i < 3; ++i) quad(10, i);
    end(10, 0, 3);
    simulation.run({});
    EXPECT_THAT(blended, ElementsAre(Event{10, 0}, Event{10 + 2 * 2, 0}, Event{10 + 2 * 2 + 2 + 2 * 3, 0}));
}

TEST_F(ColourStageTest, TakesACycleForEachColourTarget) {
    scene.frame.draws[0].colour_targets = 3;
    quads({0, 1});
    build();
    begin(1, 0, 0);
    quad(10, 0);
    quad(10, 1);
    end(10, 0, 2);
    simulation.run({});
    EXPECT_THAT(blended, ElementsAre(Event{10, 0}, Event{13, 0}));
}

TEST_F(ColourStageTest, TakesLongerForADepthTestAfterShading) {
    parameters.colour.late_depth.set("4");
    scene.frame.draws[0].depth_test = true;
    quads({0, 1});
    build();
    begin(1, 0, 0);
    quad(10, 0);
    quad(10, 1);
    end(10, 0, 2);
    simulation.run({});
    EXPECT_THAT(blended, ElementsAre(Event{10, 0}, Event{15, 0}));
    EXPECT_EQ(stage->quads_late_depth.value(), 2U);
}

TEST_F(ColourStageTest, StoresACompleteTileALineACycleThenFreesItsBuffer) {
    scene.quad(1, 0);
    build();
    begin(1, 1, 0);
    quad(10, 0);
    end(20, 0, 1);
    simulation.run({});
    ASSERT_EQ(memory->seen.size(), 64U);
    for (std::size_t i = 0; i < 64; ++i) {
        EXPECT_EQ(memory->seen[i].second.block, target + 64 + i);
        EXPECT_EQ(memory->seen[i].second.operation, MemoryOperation::write_through);
        EXPECT_EQ(memory->seen[i].second.client, MemoryClient::colour);
        EXPECT_EQ(memory->seen[i].first, 20 + static_cast<Time>(i) + 2);
    }
    EXPECT_THAT(freed, ElementsAre(Event{20 + 63, 0}));
    EXPECT_THAT(stored, ElementsAre(Event{20 + 63 + round_trip, 0}));
    EXPECT_EQ(cycles("store"), 64U);
}

TEST_F(ColourStageTest, WaitsForRasterUntilAQuadComesOrTheTileEndsThenForCoresAndForStoresWhenNothingElseIsLeft) {
    quads({0, 1});
    scene.quad(1, 0);
    build();
    begin(1, 0, 0);
    quad(10, 0);
    end(30, 0, 2);
    quad(40, 1);
    begin(400, 1, 1);
    end(410, 1, 1);  // the quad of the tile is with a core
    quad(450, 2, 0, 1);
    simulation.run({});
    EXPECT_EQ(cycles("waits_first_quad"), 9U + 10U);
    EXPECT_EQ(cycles("waits_quads"), 29U + 40U);
    EXPECT_THAT(freed, ElementsAre(Event{40 + 63, 0}, Event{450 + 63, 1}));
    EXPECT_EQ(cycles("waits_stores"), 2U * (round_trip - 1));  // the last of its lines is stored in the first cycle
    EXPECT_EQ(cycles("idle"), 1U + (400 - (40 + 63 + round_trip)));
}

TEST_F(ColourStageTest, StoresThroughTheL2CacheIfToldTo) {
    parameters.colour.flush.set("l2");
    build();
    begin(1, 0, 0);
    end(20, 0, 0);
    simulation.run({});
    ASSERT_EQ(memory->seen.size(), 64U);
    EXPECT_EQ(memory->seen[0].second.operation, MemoryOperation::write_line);
}

TEST_F(ColourStageTest, ReadsOldColoursBeforeItBlends) {
    scene.frame.passes[0].colour_load = true;
    quads({0});
    build();
    begin(1, 0, 0);
    quad(10, 0);
    end(20, 0, 1);
    simulation.run({});
    ASSERT_EQ(memory->seen.size(), 128U);
    for (std::size_t i = 0; i < 64; ++i) {
        EXPECT_EQ(memory->seen[i].second.operation, MemoryOperation::read);
        EXPECT_EQ(memory->seen[i].second.block, target + i);
        EXPECT_EQ(memory->seen[i].first, 1 + static_cast<Time>(i) + 2);
    }
    EXPECT_THAT(blended, ElementsAre(Event{64 + round_trip, 0}));
    EXPECT_EQ(stage->lines_loaded.value(), 64U);
}

TEST_F(ColourStageTest, ReadsForTheNextTileWhileOneIsBlended) {
    scene.frame.passes[0].colour_load = true;
    build();
    begin(1, 0, 0);
    begin(1, 1, 1);
    end(1000, 0, 0);
    end(1000, 1, 0);
    simulation.run({});
    for (std::size_t i = 0; i < 128; ++i) EXPECT_EQ(memory->seen[i].first, 1 + static_cast<Time>(i) + 2);
}

TEST_F(ColourStageTest, StoresTilesInTheirOrderAndTellsOfEachWhenItHasArrived) {
    build();
    begin(1, 0, 0);
    begin(2, 1, 1);
    end(10, 1, 0);  // the second is complete first
    end(200, 0, 0);
    simulation.run({});
    EXPECT_EQ(memory->seen.size(), 128U);
    EXPECT_THAT(freed, ElementsAre(Event{200 + 63, 0}, Event{200 + 127, 1}));
    EXPECT_THAT(stored, ElementsAre(Event{200 + 63 + round_trip, 0}, Event{200 + 127 + round_trip, 0}));
}

TEST_F(ColourStageTest, TellsOfATileThatWritesNothingAfterThoseBeforeIt) {
    scene.pass(1).colour_store = false;
    build();
    begin(1, 0, 0);
    begin(1, 0, 1, 1);
    end(10, 0, 0);
    end(10, 1, 0);
    simulation.run({});
    EXPECT_THAT(freed, ElementsAre(Event{10 + 63, 0}, Event{10 + 64, 1}));
    EXPECT_THAT(stored, ElementsAre(Event{10 + 63 + round_trip, 0}, Event{10 + 63 + round_trip, 1}));
}

// The last answer of the first tile is the last thing that happens; 127 empty ones went by meanwhile.
TEST_F(ColourStageTest, GoesOnWhenAllTilesThatItCanRememberHaveArrivedAtOnce) {
    scene.pass(1).colour_store = false;
    build(1000);
    begin(1, 0, 0);
    end(10, 0, 0);
    for (std::uint32_t i = 0; i < 127; ++i) {
        begin(100 + i, 0, i % 2, 1);
        end(100 + i, i % 2, 0);
    }
    begin(300, 1, 0);
    end(300, 0, 0);
    simulation.run({});
    ASSERT_EQ(stored.size(), 129U);
    EXPECT_EQ(stored[127].first, 10 + 63 + 1000 + 3);
    EXPECT_EQ(memory->seen[64].first, stored[127].first + 1 + 2);  // a cycle later, and two of the way
    EXPECT_EQ(stage->unfinished(), "");
}

TEST_F(ColourStageTest, StoresDepthsWhereThePassKeepsThem) {
    scene.frame.passes[0].depth = {0x800000, 64, 32, 2};
    scene.frame.passes[0].depth_store = true;
    build();
    begin(1, 0, 0);
    end(10, 0, 0);
    simulation.run({});
    ASSERT_EQ(memory->seen.size(), 64U + 32U);
    EXPECT_EQ(memory->seen[63].second.client, MemoryClient::colour);
    EXPECT_EQ(memory->seen[64].second.client, MemoryClient::depth);
    EXPECT_GE(memory->seen[64].second.block, 0x800000U / 64);
}

TEST_F(ColourStageTest, OfAPassThatKeepsNothingStoresNothing) {
    scene.frame.passes[0].colour_store = false;
    quads({0});
    build();
    begin(1, 0, 0);
    quad(10, 0);
    end(20, 0, 1);
    simulation.run({});
    EXPECT_TRUE(memory->seen.empty());
    EXPECT_THAT(freed, ElementsAre(Event{20, 0}));
    EXPECT_THAT(stored, ElementsAre(Event{20, 0}));
}

// Nothing wakes it for the second tile but that the first has gone.
TEST_F(ColourStageTest, GoesOnToTheNextTileWhereNothingIsStored) {
    scene.frame.passes[0].colour_store = false;
    build();
    begin(1, 0, 0);
    begin(1, 1, 1);
    end(10, 1, 0);
    end(20, 0, 0);
    simulation.run({});
    EXPECT_THAT(freed, ElementsAre(Event{20, 0}, Event{21, 1}));
    EXPECT_THAT(stored, ElementsAre(Event{20, 0}, Event{21, 0}));
    EXPECT_EQ(stage->unfinished(), "");
}

TEST_F(ColourStageTest, StoresWhereTheNextPassWouldIfThatOnlyBringsSamplesTogether) {
    ResolvingScene resolving;
    workload.load(resolving.trace, resolving.finish());
    attach();
    begin(1, 1, 0);
    quad(10, 1);
    end(20, 0, 1);
    simulation.run({});
    ASSERT_EQ(memory->seen.size(), 64U);
    const auto first = static_cast<BlockNumber>(resolving.frame.passes[1].colour[0].address / block_bytes);
    for (BlockNumber i = 0; i < 64; ++i) EXPECT_EQ(memory->seen[i].second.block, first + 64 + i);
}

TEST_F(ColourStageTest, DoesNotStoreColoursThatMemoryHasAlready) {
    scene.frame.passes[0].depth = {0x800000, 64, 32, 2};
    scene.frame.passes[0].depth_store = true;
    scene.finish();
    for (const std::uint64_t hash : {7U, 8U}) {  // of tile 1
        scene.frame.colour_hashes = {1, hash};
        workload.load(scene.trace, scene.frame);
    }
    attach();
    begin(1, 0, 0);
    begin(1, 1, 1);
    end(10, 0, 0);
    end(10, 1, 0);
    simulation.run({});
    EXPECT_EQ(stage->tiles_unchanged.value(), 1U);
    EXPECT_EQ(stage->tiles_finished.value(), 2U);
    ASSERT_EQ(memory->seen.size(), 32U + 64 + 32);  // depths are stored in any case
    for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(memory->seen[i].second.client, MemoryClient::depth);
    EXPECT_EQ(memory->seen[32].second.block, target + 64);
}

}  // namespace
}  // namespace models
