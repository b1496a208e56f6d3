// The machine-shaped load: the kernel's model against the plain loops.
#include <gtest/gtest.h>

#include "partitions/partitions.h"
#include "tests/engine/benchmarks/machine_shape_floor.h"
#include "tests/engine/benchmarks/machine_shape_model.h"

namespace engine::benchmarks {
namespace {

MachineShape small(Time window) {
    MachineShape shape;
    shape.window = window;
    shape.cycles = 1000;
    shape.work_ns = 4;
    return shape;
}

MachineOutcome on_kernel(const MachineShape& shape, int threads, std::string_view partition) {
    MachineModel model(shape);
    return model.outcome(model.simulation.run(partitions::make_plan(partition, model.simulation.graph(), 1, threads)));
}

class MachineShapeWindow : public testing::TestWithParam<Time> {};
INSTANTIATE_TEST_SUITE_P(Windows, MachineShapeWindow, testing::Values(1, 2, 4, 7, 16, 32, 50));

TEST_P(MachineShapeWindow, TheKernelDoesTheWorkOfTheFloor) {
    const MachineShape shape = small(GetParam());
    const MachineOutcome floor = run_machine_floor(shape, FloorOrder::block_major);
    const MachineOutcome kernel = on_kernel(shape, 1, "single");
    EXPECT_EQ(kernel.digest, floor.digest);
    EXPECT_EQ(kernel.events, floor.events);
}

TEST_P(MachineShapeWindow, WithoutDramAndRasterTheKernelDoesTheWorkOfTheFloor) {
    MachineShape shape = small(GetParam());
    const std::uint64_t whole = run_machine_floor(shape, FloorOrder::block_major).digest;
    shape.dram_channels = 0;
    shape.raster = false;
    const MachineOutcome floor = run_machine_floor(shape, FloorOrder::block_major);
    const MachineOutcome kernel = on_kernel(shape, 1, "single");
    EXPECT_EQ(kernel.digest, floor.digest);
    EXPECT_EQ(kernel.events, floor.events);
    EXPECT_NE(floor.digest, whole);
}

TEST_P(MachineShapeWindow, BothOrdersOfTheFloorDoTheSame) {
    const MachineShape shape = small(GetParam());
    const MachineOutcome blocks = run_machine_floor(shape, FloorOrder::block_major);
    const MachineOutcome cycles = run_machine_floor(shape, FloorOrder::cycle_major);
    EXPECT_EQ(blocks.digest, cycles.digest);
    EXPECT_EQ(blocks.events, cycles.events);
}

TEST_P(MachineShapeWindow, ItsLeastLookaheadIsTheWindow) {
    MachineModel model(small(GetParam()));
    Time least = never;
    for (const Graph::Channel& channel : model.simulation.graph().channels) least = std::min(least, channel.lookahead);
    EXPECT_EQ(least, GetParam());
}

TEST(MachineShape, OneDigestWhateverTheThreadsAndThePartition) {
    const MachineOutcome single = on_kernel(small(4), 1, "single");
    for (const int threads : {1, 2, 3})
        for (const char* partition : {"block", "round_robin"}) {
            const MachineOutcome outcome = on_kernel(small(4), threads, partition);
            EXPECT_EQ(outcome.digest, single.digest) << partition << " on " << threads << " threads";
            EXPECT_EQ(outcome.events, single.events) << partition << " on " << threads << " threads";
        }
}

// Far more processes than a GPU has, and far more workers than this machine has cores.
TEST(MachineShape, OneDigestOf512ProcessorsOn64Threads) {
    MachineShape shape = small(8);
    shape.processors = 512;
    shape.slices = 64;
    shape.dram_channels = 16;
    shape.cycles = 100;
    const MachineOutcome floor = run_machine_floor(shape, FloorOrder::block_major);
    const MachineOutcome kernel = on_kernel(shape, 64, "block");
    EXPECT_EQ(kernel.digest, floor.digest);
    EXPECT_EQ(kernel.events, floor.events);
}

TEST(MachineShape, AnotherSeedOrOtherWorkIsAnotherDigest) {
    MachineShape shape = small(4);
    const std::uint64_t digest = run_machine_floor(shape, FloorOrder::block_major).digest;
    shape.seed = 2;
    EXPECT_NE(run_machine_floor(shape, FloorOrder::block_major).digest, digest);
    shape.seed = 1;
    shape.work_ns = 8;
    EXPECT_NE(run_machine_floor(shape, FloorOrder::block_major).digest, digest);
}

// A request and its answer of every processor about every 10 cycles, one of eight by way of DRAM, and the tiles.
TEST(MachineShape, CarriesTheTrafficOfTheLoad) {
    MachineShape shape = small(4);
    shape.cycles = 10'000;
    const double requests = 32 * 10'000 / 10.0, tiles = 32 * 10'000 / 96.0;
    const double expected = requests * (2 + 2.0 / 8) + tiles * 2;
    EXPECT_NEAR(static_cast<double>(run_machine_floor(shape, FloorOrder::block_major).events), expected,
                0.05 * expected);
}

}  // namespace
}  // namespace engine::benchmarks
