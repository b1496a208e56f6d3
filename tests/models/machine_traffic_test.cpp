// What the ways of rendering move and shade of one frame: where they have to differ, and by which closed form.
#include <bit>
#include <string>

#include <gtest/gtest.h>

#include "tests/models/machine_bench.h"
#include "tests/models/synthetic_frame.h"

namespace models {
namespace {

// Two passes with depths, each cleared and drawn over several times.
synthetic::Options options() {
    synthetic::Options options;
    options.passes = 2;
    options.draws = 8;
    options.primitives = 20;
    return options;
}

struct Traffic {
    Traffic(const char* mode, const char* organisation = "raster_per_gpu") {
        parameters.rendering.mode.set(mode);
        parameters.rendering.organisation.set(organisation);
        parameters.l2.capacity.set("16 KiB");  // less than the targets
        if (parameters.is_immediate()) parameters.raster.distribution.set("position");
        for (Draw& draw : frame.draws) {
            if (draw.kind != DrawKind::clear) continue;
            draw.colour_targets = 1;
            draw.colour_mask = 15;
            draw.depth_write = true;
        }
        engine::Simulation simulation;
        Machine machine(simulation, parameters);
        bench::LawCheck laws(simulation, machine);
        bench::play(simulation, machine, laws, generator.trace(), frame);
        for (const auto& process : simulation.processes())
            for (const engine::CounterInfo& info : process->counters().all()) add(info);
    }
    void add(const engine::CounterInfo& info) {
        if (info.name == "memory_reads_colour" || info.name == "memory_writes_colour") colours += *info.value;
        if (info.name == "memory_reads_depth" || info.name == "memory_writes_depth") depths += *info.value;
        if (info.name == "memory_writes_colour") colours_written += *info.value;
        if (info.name == "bytes_colour" || info.name == "bytes_depth") dram += *info.value;
        if (info.name == "threads" && info.owner.kind == "fragment_processor") threads += *info.value;
    }
    std::uint64_t target_lines() const {
        std::uint64_t lines = 0;
        for (const Pass& pass : frame.passes)
            for (const Surface& surface : pass.colour) lines += SurfaceBlocks(surface).count();
        return lines;
    }

    MachineParameters parameters;
    synthetic::Generator generator{options()};
    Frame frame = generator.frame();
    std::uint64_t colours = 0, colours_written = 0, depths = 0;  // lines to and from the L2 cache
    std::uint64_t dram = 0;                                      // bytes of both to and from memory
    std::uint64_t threads = 0;                                   // of fragments
};

TEST(MachineTraffic, OfImmediateRenderingIsMoreColoursAndDepthsThanOfTiles) {
    const Traffic immediate("immediate"), tiled("tiled");
    EXPECT_GT(immediate.colours, 2 * tiled.colours);
    EXPECT_GT(immediate.depths, 2 * tiled.depths + immediate.target_lines());
    EXPECT_EQ(tiled.depths, 0U);  // no pass loads or stores them
    EXPECT_EQ(immediate.threads, tiled.threads);
}

TEST(MachineTraffic, OfImmediateRenderingIsMoreToAndFromMemory) {
    const Traffic immediate("immediate"), tiled("tiled");
    EXPECT_GT(immediate.dram, tiled.dram);
    EXPECT_EQ(tiled.dram, tiled.target_lines() * block_bytes);
}

TEST(MachineTraffic, OfTilesIsEveryLineOfATargetOnce) {
    for (const char* mode : {"tiled", "tiled_hidden_surface_removal"})
        for (const char* organisation : {"raster_per_gpu", "tile_per_core"}) {
            const Traffic tiles(mode, organisation);
            EXPECT_EQ(tiles.colours_written, tiles.target_lines()) << mode << ", " << organisation;
            EXPECT_EQ(tiles.colours, tiles.target_lines()) << mode << ", " << organisation;
        }
}

TEST(MachineTraffic, OfThreadsIsWhatIsVisibleWhereHiddenSurfacesAreRemoved) {
    const Traffic all("tiled"), removed("tiled_hidden_surface_removal");
    std::uint64_t visible = 0, passed = 0;
    for (const Quad& quad : all.frame.quads) {
        const Draw& draw = all.frame.draws[all.frame.primitives[quad.primitive].draw];
        if (draw.early_depth && draw.colour_mask == 0) continue;  // depths alone are not shaded
        visible += static_cast<std::uint64_t>(std::popcount(quad.visible));
        passed += static_cast<std::uint64_t>(std::popcount(quad.shaded));
    }
    EXPECT_EQ(removed.threads, visible);
    EXPECT_EQ(all.threads, passed);
    EXPECT_LT(visible, passed);
}

}  // namespace
}  // namespace models
