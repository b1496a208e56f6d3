#include "models/processes/tile_dispatcher.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/machine_parameters.h"
#include "tests/models/bench.h"
#include "tests/models/scene.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

// A cluster that has a tile rasterised and stored so long after it came, all tiles at once if need be.
class Renderer : public engine::Clocked<Renderer> {
  public:
    Renderer(int index, Time rasterises, Time stores)
        : Clocked("renderer", index, 1),
          rasterises_(rasterises),
          stores_(stores) {}
    Time step() { return engine::never; }

    std::vector<std::pair<Time, RenderTile>> seen;

  private:
    void take(const RenderTile& tile) {
        seen.emplace_back(now(), tile);
        rasterised.send({tile.pass}, rasterises_);
        stored.send({tile.pass}, stores_);
    }
    Time rasterises_, stores_;

  public:
    engine::In<RenderTile> in{this, "in", engine::handler<&Renderer::take>};
    engine::Out<TileRasterised> rasterised{this, "rasterised"};
    engine::Out<TileStored> stored{this, "stored"};
};

// Clusters with room for two tiles each. A cycle is a tick; what is said leaves a tick after it was decided.
class TileDispatcherTest : public testing::Test {
  protected:
    // A pass of so many tiles, all drawn to.
    Pass& pass(std::uint32_t tiles) {
        scene.pass(tiles);
        scene.draw();
        scene.primitive(tiles);
        return scene.frame.passes.back();
    }
    void build(const std::vector<Time>& rasterises, Time stores = 200, int room = 2) {
        workload.load(scene.trace, scene.finish());
        dispatcher = &simulation.add<TileDispatcher>(
            TileDispatcher::Shape{static_cast<int>(rasterises.size()), room, 1, 1}, workload);
        simulation.connect(ready.out, dispatcher->ready, 1);
        simulation.connect(dispatcher->freed, freed.in, 1);
        simulation.connect(dispatcher->stored_for_geometry, stored.in, 1);
        for (std::size_t i = 0; i < rasterises.size(); ++i) {
            const int number = static_cast<int>(i);
            clusters.push_back(&simulation.add<Renderer>(number, rasterises[i], rasterises[i] + stores));
            simulation.connect(dispatcher->tiles[number], clusters.back()->in, 1);
            simulation.connect(clusters.back()->rasterised, dispatcher->rasterised[number], 1);
            simulation.connect(clusters.back()->stored, dispatcher->stored[number], 1);
        }
        dispatcher->begin_frame();
    }
    // The geometry of every pass is complete at once.
    void run() {
        for (std::uint32_t pass = 0; pass < scene.frame.passes.size(); ++pass) ready.send_at(9, {pass});
        simulation.run({});
        EXPECT_EQ(dispatcher->unfinished(), "");
        EXPECT_EQ(dispatcher->passes.value(), scene.frame.passes.size());
    }
    std::vector<std::uint32_t> tiles(std::size_t cluster) const {
        std::vector<std::uint32_t> all;
        for (const auto& [time, tile] : clusters[cluster]->seen) all.push_back(tile.tile);
        return all;
    }
    template <class M>
    static std::vector<std::uint32_t> passes(const bench::Sink<M>& sink) {
        std::vector<std::uint32_t> all;
        for (const auto& arrival : sink.arrivals) all.push_back(arrival.message.pass);
        return all;
    }

    MachineParameters parameters;
    Scene scene;
    Workload workload{{1 << 30, Rendering::tiled, parameters.tiling}};
    engine::Simulation simulation;
    TileDispatcher* dispatcher = nullptr;
    std::vector<Renderer*> clusters;
    bench::Source<PassReady>& ready = simulation.add<bench::Source<PassReady>>("ready");
    bench::Sink<PassFreed>& freed = simulation.add<bench::Sink<PassFreed>>("freed");
    bench::Sink<PassStored>& stored = simulation.add<bench::Sink<PassStored>>("stored");
};

TEST_F(TileDispatcherTest, GivesATileACycleToTheClustersInTurn) {
    pass(6);
    build({1000, 1000, 1000});
    run();
    EXPECT_EQ(tiles(0), (std::vector<std::uint32_t>{0, 3}));
    EXPECT_EQ(tiles(1), (std::vector<std::uint32_t>{1, 4}));
    EXPECT_EQ(tiles(2), (std::vector<std::uint32_t>{2, 5}));
    // The pass begins in cycle 10; what it says takes two ticks.
    EXPECT_EQ(clusters[0]->seen[0].first, 11 + 2);
    EXPECT_EQ(clusters[2]->seen[1].first, 16 + 2);
    EXPECT_EQ(dispatcher->tiles_given.value(), 6U);
}

TEST_F(TileDispatcherTest, GivesNoMoreThanAClusterHasRoomFor) {
    pass(5);
    build({100});
    run();
    std::vector<Time> times;
    for (const auto& [time, tile] : clusters[0]->seen) times.push_back(time);
    // Two at once, then one for each that is rasterised: there, 100 cycles, back, and out again in two.
    EXPECT_THAT(times, ElementsAre(13, 14, 13 + 100 + 1 + 2, 14 + 100 + 1 + 2, 13 + 2 * (100 + 1 + 2)));
}

TEST_F(TileDispatcherTest, GivesMoreToTheClusterThatIsFaster) {
    pass(12);
    build({50, 500});
    run();
    EXPECT_GT(clusters[0]->seen.size(), clusters[1]->seen.size() + 2);
    EXPECT_EQ(clusters[0]->seen.size() + clusters[1]->seen.size(), 12U);
}

TEST_F(TileDispatcherTest, FreesThePassWhenAllIsRasterisedAndTellsOfItWhenAllIsStored) {
    pass(2);
    build({50, 90}, 200);
    run();
    EXPECT_THAT(freed.times(), ElementsAre(14 + 90 + 1 + 2));
    EXPECT_THAT(stored.times(), ElementsAre(14 + 90 + 200 + 1 + 2));
}

TEST_F(TileDispatcherTest, OverlapsPassesThatShareNothing) {
    pass(1);
    pass(1);
    build({1000, 1000});
    run();
    EXPECT_EQ(clusters[0]->seen[0].second.pass, 0U);
    EXPECT_EQ(clusters[1]->seen.at(0).second.pass, 1U);
    EXPECT_LT(clusters[1]->seen[0].first, 20);
}

TEST_F(TileDispatcherTest, BeginsAPassWhenThoseThatItWaitsForAreInMemory) {
    pass(1);
    const std::vector<Surface> colour = scene.frame.passes[0].colour;
    pass(1).colour = colour;
    build({50, 50}, 200);
    run();
    EXPECT_EQ(stored.arrivals.size(), 2U);
    ASSERT_EQ(clusters[1]->seen.size(), 1U);
    EXPECT_GT(clusters[1]->seen[0].first, 13 + 50 + 200);
    EXPECT_LT(clusters[1]->seen[0].first, 13 + 50 + 200 + 10);
}

TEST_F(TileDispatcherTest, TellsOfPassesInTheirOrderAlsoOfThoseThatRenderNothing) {
    pass(1);
    scene.pass(3);  // nothing is drawn
    pass(1);
    scene.pass(1);
    build({50, 10}, 20);  // the second cluster overtakes the first
    run();
    EXPECT_THAT(passes(freed), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(passes(stored), ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(dispatcher->tiles_given.value(), 2U);
}

// More passes than may be under way, none of which has anything to wait for but the first.
TEST_F(TileDispatcherTest, GoesOnAfterAsManyPassesAsMayBeUnderWay) {
    pass(1);
    for (int i = 0; i < 200; ++i) scene.pass(1);
    build({300}, 300);
    run();
    EXPECT_EQ(stored.arrivals.size(), 201U);
    EXPECT_EQ(freed.arrivals.size(), 201U);
    EXPECT_GT(stored.times()[0], 600);
}

TEST_F(TileDispatcherTest, SaysWhatIsLeftToDo) {
    pass(3);
    build({100}, 100, 1);
    ready.send_at(9, {0});
    engine::RunOptions options;
    options.until = 100;
    simulation.run({}, options);
    EXPECT_EQ(dispatcher->unfinished(), "pass 0 is not given whole");
    options.until = 330;
    simulation.run({}, options);
    EXPECT_EQ(dispatcher->unfinished(), "tiles are not stored");
    simulation.run({});
    EXPECT_EQ(dispatcher->unfinished(), "");
}

}  // namespace
}  // namespace models
