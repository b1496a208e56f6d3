// What a cluster of immediate rendering does besides: it blends in memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/processes/cluster.h"
#include "tests/models/cluster_fixture.h"

namespace models {
namespace {

// A cluster of two cores that blends in memory, which answers after 100 ticks. Cycles are ticks; what is said leaves a
// tick after it was decided and takes one for the wire.
class BlendingClusterTest : public testing::Test {
  protected:
    static constexpr BlockNumber target = (1U << 20U) / block_bytes;

    BlendingClusterTest() {
        scene.pass();
        scene.draw();
        scene.primitive();
    }
    void build(int colour_entries = 8) {
        workload.load(scene.trace, scene.finish());
        cluster = &simulation.add<Cluster>(Cluster::Shape{"cluster",
                                                          "fragment_processor",
                                                          0,
                                                          2,
                                                          1,
                                                          parameters.fragment_processor,
                                                          parameters.texture_unit,
                                                          &parameters.texture_cache,
                                                          nullptr,
                                                          parameters.instruction_cache,
                                                          parameters.constant_cache,
                                                          std::vector<int>(2, 8),
                                                          std::vector<int>(2, colour_entries),
                                                          0,
                                                          4,
                                                          1,
                                                          {1, 64, 1, 1, block_bytes},
                                                          nullptr,
                                                          &parameters.pixel_cache,
                                                          &parameters.colour},
                                           workload);
        memory = &simulation.add<bench::Memory>("memory", -1, 100);
        simulation.connect(cluster->memory.requests, memory->in, 1);
        simulation.connect(memory->out, cluster->replies, 1);
        for (int core = 0; core < 2; ++core) {
            quads.push_back(&simulation.add<bench::Source<ShadeQuad>>("quads" + std::to_string(core)));
            simulation.connect(quads.back()->out, cluster->quads[core], 1);
            simulation.connect(cluster->taken[core], simulation.add<bench::Sink<QuadsTaken>>("taken", core).in, 1);
        }
        simulation.connect(tested.out, cluster->depth_tested[0], 1);
        simulation.connect(flush.out, cluster->flushes[0], 1);
        simulation.connect(cluster->depth_tests[0], asked.in, 1);
        simulation.connect(cluster->quads_blended[0], blended.in, 1);
        simulation.connect(cluster->flushed[0], flushed.in, 1);
        cluster->begin_frame();
    }
    void run() { run_frame(simulation, *cluster); }
    std::uint32_t told() const {
        std::uint32_t sum = 0;
        for (const auto& arrival : blended.arrivals) sum += arrival.message.count;
        return sum;
    }

    MachineParameters parameters;
    Scene scene;
    Workload workload{{1 << 30, Rendering::immediate, parameters.tiling}};
    engine::Simulation simulation;
    Cluster* cluster = nullptr;
    bench::Memory* memory = nullptr;
    std::vector<bench::Source<ShadeQuad>*> quads;
    bench::Source<DepthTested>& tested = simulation.add<bench::Source<DepthTested>>("tested");
    bench::Source<FlushPixels>& flush = simulation.add<bench::Source<FlushPixels>>("flush");
    bench::Sink<TestDepth>& asked = simulation.add<bench::Sink<TestDepth>>("asked");
    bench::Sink<QuadsBlended>& blended = simulation.add<bench::Sink<QuadsBlended>>("blended");
    bench::Sink<PixelsFlushed>& flushed = simulation.add<bench::Sink<PixelsFlushed>>("flushed");
};

TEST_F(BlendingClusterTest, BlendsTheQuadsOfAllItsCoresAndTellsOfThemTogether) {
    scene.quads(0, 8);
    build();
    for (std::uint32_t quad = 0; quad < 8; ++quad) quads[quad % 2]->send_at(1, {quad, 0});
    run();
    EXPECT_EQ(told(), 8U);
    EXPECT_LT(blended.arrivals.size(), 8U);
    EXPECT_EQ(cluster->pixel_stage()->quads_blended.value(), 8U);
    EXPECT_EQ(cluster->pixel_stage()->cache().accesses.value(), 8U);
    EXPECT_TRUE(flushed.arrivals.empty());
}

TEST_F(BlendingClusterTest, WritesBackWhenItIsAskedToAndAnswersWhenAllHasArrived) {
    scene.quads(0, 4);
    build();
    for (std::uint32_t quad = 0; quad < 4; ++quad) quads[0]->send_at(1, {quad, 0});
    flush.send_at(1000, {0});
    flush.send_at(2000, {0});  // nothing is left
    run();
    std::vector<engine::Time> written;
    for (const auto& [time, request] : memory->seen)
        if (request.operation == MemoryOperation::write_line) written.push_back(time);
    ASSERT_EQ(written.size(), 2U);  // lines of 2x2 quads
    EXPECT_GT(written[0], 1001);
    EXPECT_THAT(flushed.times(), testing::ElementsAre(written[1] + 100 + 1 + 2, 2001 + 2));
}

TEST_F(BlendingClusterTest, WaitsWithTheAnswerForLinesThatNoQuadWaitsFor) {
    scene.quads(0, 1);
    build();
    quads[0]->send_at(1, {0, 0});
    flush.send_at(180, {0});  // the instructions have come, the line of the quad has not
    run();
    ASSERT_EQ(flushed.arrivals.size(), 1U);
    ASSERT_EQ(memory->seen.back().second.operation, MemoryOperation::write_line);
    EXPECT_EQ(memory->seen.back().second.block, target);
    EXPECT_EQ(flushed.times()[0], memory->seen.back().first + 100 + 1 + 2);
}

TEST_F(BlendingClusterTest, HasDepthsTestedAfterShading) {
    scene.frame.draws[0].depth_test = true;
    scene.quads(0, 2);
    build();
    quads[0]->send_at(1, {0, 0});
    quads[0]->send_at(1, {1, 0});
    tested.send_at(1000, {1});
    tested.send_at(2000, {1});
    run();
    std::vector<std::uint32_t> order;
    for (const auto& arrival : asked.arrivals) order.push_back(arrival.message.quad);
    EXPECT_THAT(order, testing::ElementsAre(0, 1));
    ASSERT_EQ(blended.arrivals.size(), 2U);
    EXPECT_GT(blended.times()[0], 1001);
    EXPECT_LT(blended.times()[0], 1020);
    EXPECT_GT(blended.times()[1], 2001);
}

TEST_F(BlendingClusterTest, HasSoManyQuadsOfACoreInItsQueue) {
    scene.frame.draws[0].depth_test = true;
    scene.quads(0, 6);
    build(2);
    for (std::uint32_t quad = 0; quad < 6; ++quad) quads[0]->send_at(1, {quad, 0});
    for (engine::Time time = 1000; time < 7000; time += 1000) tested.send_at(time, {1});
    run();
    ASSERT_EQ(asked.arrivals.size(), 6U);
    for (std::size_t i = 2; i < 6; ++i) EXPECT_GT(asked.times()[i], static_cast<engine::Time>(i - 1) * 1000);
}

}  // namespace
}  // namespace models
