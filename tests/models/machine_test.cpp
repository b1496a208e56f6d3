#include "models/machine.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/models/extra_steps.h"
#include "tests/models/machine_bench.h"
#include "tests/models/synthetic_frame.h"

namespace models {
namespace {

using bench::expect_no_line_lost;
using bench::LawCheck;
using bench::plan_of;
using bench::play;
using bench::total;
using bench::Way;
using bench::ways;
using synthetic::Generator;
using synthetic::Options;

struct Outcome {
    std::vector<std::uint64_t> cycles;    // per frame
    std::vector<std::uint64_t> counters;  // at the end
};

// Runs frames on a machine and expects every law after each.
Outcome run(const MachineParameters& parameters, const Options& options, int frames = 1, int threads = 1,
            int shift = 0) {
    Generator generator(options);
    engine::Simulation simulation;
    Machine machine(simulation, parameters);
    LawCheck laws(simulation, machine);
    Outcome outcome;
    for (int f = 0; f < frames; ++f)
        outcome.cycles.push_back(play(simulation, machine, laws, generator.trace(),
                                      generator.frame(static_cast<std::uint32_t>(f)),
                                      plan_of(simulation, threads, shift)));
    outcome.counters = laws.counters();
    return outcome;
}

// Four samples of four floats: a quad's are in several lines, a tile's colours in a thousand.
TEST(Machine, ObeysTheLawsWithTheLargestTexels) {
    for (const Way& way : ways) {
        SCOPED_TRACE(way.name());
        MachineParameters parameters;
        way.set(parameters);
        Generator generator(synthetic::small_frame);
        Frame frame = generator.frame();
        for (Pass& pass : frame.passes)
            for (Surface& surface : pass.colour) surface.bytes_per_texel = most_texel_bytes;
        engine::Simulation simulation;
        Machine machine(simulation, parameters);
        LawCheck laws(simulation, machine);
        EXPECT_GT(play(simulation, machine, laws, generator.trace(), frame, plan_of(simulation, 1, 0)), 0U);
    }
}

TEST(Machine, ObeysTheLawsOverSeveralFramesAndPasses) {
    for (const Way& way : ways) {
        SCOPED_TRACE(way.name());
        MachineParameters parameters;
        way.set(parameters);
        Options options;
        options.passes = 3;
        options.load = true;
        const Outcome outcome = run(parameters, options, 3);
        for (const std::uint64_t cycles : outcome.cycles) EXPECT_GT(cycles, 0U);
    }
}

TEST(Machine, GivesTheSameBitsForEveryNumberOfThreadsAndPartition) {
    for (const Way& way : ways) {
        SCOPED_TRACE(way.name());
        MachineParameters parameters;
        way.set(parameters);
        Options options;
        options.passes = 2;
        options.width = options.height = 64;
        const Outcome reference = run(parameters, options, 2);
        for (const auto& [threads, shift] : {std::pair{1, 1}, {2, 0}, {2, 7}, {3, 0}, {4, 1}}) {
            const Outcome outcome = run(parameters, options, 2, threads, shift);
            EXPECT_EQ(outcome.cycles, reference.cycles) << threads << " threads, partition " << shift;
            EXPECT_EQ(outcome.counters, reference.counters) << threads << " threads, partition " << shift;
        }
    }
}

// Saved in the middle of a frame and read by another machine, on other threads.
TEST(Machine, GoesOnFromACheckpointToTheSameEnd) {
    for (const Way& way : ways)
        for (const char* vertex_processors : {"4", "0"}) {
            SCOPED_TRACE(way.name() + ", vertex processors: " + vertex_processors);
            MachineParameters parameters;
            way.set(parameters);
            parameters.vertex_processor.count.set(vertex_processors);
            Generator generator(synthetic::small_frame);
            const Frame frame = generator.frame();
            bench::OneFrame whole(parameters, generator.trace(), frame);
            const engine::Time end = whole.play();
            for (const engine::Time part : {1, 3, 8}) {
                bench::OneFrame first(parameters, generator.trace(), frame);
                bench::OneFrame second(parameters, generator.trace(), frame);
                EXPECT_EQ(second.go_on_from(first.play_until(end * part / 9, 1), 2, 1), end) << part;
                EXPECT_EQ(second.simulation.collect_counters(), whole.simulation.collect_counters()) << part;
                expect_no_line_lost(second.simulation);
            }
        }
}

TEST(Machine, StepsThatNobodyNeedsChangeNothing) {
    for (const Way& way : ways) {
        SCOPED_TRACE(way.name());
        MachineParameters parameters;
        way.set(parameters);
        parameters.texture_unit.accesses.set("4");
        parameters.texture_cache.mshrs.set("2");
        bench::expect_that_extra_steps_change_nothing(parameters, synthetic::small_frame);
    }
}

// A pass that nothing before it has to do with begins while that is still stored; one that reads it does not.
TEST(Machine, OverlapsPassesThatShareNothing) {
    Options options;
    options.passes = 4;
    options.width = options.height = 32;
    options.clear = true;
    const MachineParameters parameters;
    const auto cycles_of = [&](const std::function<void(Frame&)>& change) {
        Generator generator(options);
        Frame frame = generator.frame();
        change(frame);
        engine::Simulation simulation;
        Machine machine(simulation, parameters);
        LawCheck laws(simulation, machine);
        return play(simulation, machine, laws, generator.trace(), frame);
    };
    const std::uint64_t apart = cycles_of([](Frame&) {});
    const std::uint64_t one_target = cycles_of([](Frame& frame) {
        for (Pass& pass : frame.passes) pass.colour = frame.passes[0].colour;
    });
    EXPECT_LT(apart, one_target);
}

// A pass without anything between others that use all tile buffers.
TEST(Machine, KeepsTheOrderOfPassesOfWhichSomeRenderNothing) {
    Options options;
    options.passes = 6;
    options.clear = false;
    options.width = options.height = 64;
    Generator generator(options);
    Frame frame = generator.frame();
    for (const std::size_t empty : {1U, 3U, 4U}) {
        Pass& pass = frame.passes[empty];
        for (std::uint32_t t = 0; t < pass.tiles_x * pass.tiles_y; ++t) frame.tiles[pass.first_tile + t].quad_count = 0;
        for (std::uint32_t d = 0; d < pass.draw_count; ++d) {
            frame.draws[pass.first_draw + d].primitive_count = 0;
            frame.draws[pass.first_draw + d].assembled_primitives = 0;
        }
    }
    frame.passes[5].colour = frame.passes[4].colour;  // waits for the one that renders nothing
    frame.passes[2].colour = frame.passes[1].colour;
    for (const Way& way : ways) {
        SCOPED_TRACE(way.name());
        MachineParameters parameters;
        way.set(parameters);
        parameters.colour.tile_buffers.set("1");
        engine::Simulation simulation;
        Machine machine(simulation, parameters);
        LawCheck laws(simulation, machine);
        for (int again = 0; again < 2; ++again) play(simulation, machine, laws, generator.trace(), frame);
        EXPECT_EQ(total(simulation, "raster", "passes") + total(simulation, "tile_dispatcher", "passes"), 12U);
    }
}

TEST(Machine, ShadesLessWithHiddenSurfaceRemovalAndRendersAsManyQuads) {
    Options options;
    options.primitives = 30;
    options.killed_per_16 = 0;
    Generator generator(options);
    const Frame frame = generator.frame();
    std::vector<std::uint64_t> shaded, rasterised;
    for (const char* mode : {"tiled", "tiled_hidden_surface_removal"}) {
        MachineParameters parameters;
        parameters.rendering.mode.set(mode);
        engine::Simulation simulation;
        Machine machine(simulation, parameters);
        LawCheck laws(simulation, machine);
        play(simulation, machine, laws, generator.trace(), frame);
        shaded.push_back(total(simulation, "raster", "quads_shaded"));
        rasterised.push_back(total(simulation, "raster", "quads"));
    }
    EXPECT_LT(shaded[1], shaded[0]);
    EXPECT_EQ(rasterised[1], rasterised[0]);
}

TEST(Machine, ShadesWhatTheEarlyDepthTestLeavesAndNothingElse) {
    const MachineParameters parameters;
    Options options;
    options.killed_per_16 = 16;
    run(parameters, options);
    options.mixed = false;  // all are blended without a depth test
    run(parameters, options);
    options.mixed = true;
    options.killed_per_16 = 0;
    run(parameters, options);
}

TEST(Machine, LeavesTilesAloneThatAreNeitherDrawnToNorCleared) {
    const MachineParameters parameters;
    Options options;
    options.clear = false;
    options.draws = 1;
    options.primitives = 1;
    Generator generator(options);
    const Frame frame = generator.frame();
    engine::Simulation simulation;
    Machine machine(simulation, parameters);
    LawCheck laws(simulation, machine);
    play(simulation, machine, laws, generator.trace(), frame);
    const Primitive& primitive = frame.primitives[0];
    const std::uint64_t tiles = std::uint64_t{primitive.tile_x1} - primitive.tile_x0 + 1;
    const std::uint64_t rows = std::uint64_t{primitive.tile_y1} - primitive.tile_y0 + 1;
    EXPECT_EQ(total(simulation, "raster", "tiles"), tiles * rows);
}

// Bands of quads and of tiles, which threads take in any order.
TEST(Machine, LooksThroughFramesInAnyOrder) {
    int most = 0;
    const ForEach backwards = [&](int items, const std::function<void(int)>& work) {
        most = std::max(most, items);
        for (int item = items; item-- > 0;) work(item);
    };
    Generator generator({.width = 512, .height = 288, .passes = 2});
    const Frame frame = generator.frame();
    const auto counters = [&](const ForEach& for_each) {
        const MachineParameters parameters;
        engine::Simulation simulation;
        Machine machine(simulation, parameters);
        machine.load_frame(generator.trace(), frame, for_each);
        machine.start();
        simulation.run({});
        machine.end_frame();
        std::vector<std::uint64_t> all = simulation.collect_counters();
        EXPECT_TRUE(machine.check_work(Ledger(simulation.processes(), all), generator.trace(), for_each).empty());
        return all;
    };
    const std::vector<std::uint64_t> in_order = counters(in_turn);
    EXPECT_EQ(most, 0);
    EXPECT_EQ(counters(backwards), in_order);
    EXPECT_GT(most, 1);
}

TEST(Machine, RefusesAFrameThatNamesWhatIsNotThere) {
    const MachineParameters parameters;
    Generator generator({});
    engine::Simulation simulation;
    Machine machine(simulation, parameters);
    const auto refused = [&](auto&& damage) {
        Frame frame = generator.frame();
        damage(frame);
        EXPECT_THROW(machine.load_frame(generator.trace(), frame), engine::InputError);
    };
    refused([](Frame& frame) { frame.quads[5].primitive = 1 << 20; });
    refused([](Frame& frame) { frame.quads[0].early_pass = 1, frame.quads[0].path = 99; });
    refused([](Frame& frame) { frame.draws[1].fragment_program = 77; });
    refused([](Frame& frame) { frame.tiles.back().quad_count += 1; });
    refused([](Frame& frame) { frame.accesses[0].first_block = 1 << 30; });
    refused([](Frame& frame) { frame.fetches[0] = 5000; });
    refused([](Frame& frame) { frame.primitives[0].tile_x1 = 200; });
    refused([](Frame& frame) {
        frame.primitives[0].tile_x1 = frame.primitives[0].tile_x0 = 0;
        frame.quads.front().primitive = 0;
        frame.tiles.pop_back();
    });
    refused([](Frame& frame) { frame.blocks[0] = 0x7fffffff; });
    refused([](Frame& frame) { frame.accesses.pop_back(); });
    EXPECT_NO_THROW(machine.load_frame(generator.trace(), generator.frame()));
}

}  // namespace
}  // namespace models
