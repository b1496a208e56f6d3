#include "models/machine.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/checkpoint.h"
#include "models/processes/l2_slice.h"
#include "tests/models/synthetic_frame.h"

namespace models {
namespace {

using synthetic::Generator;
using synthetic::Options;

struct Outcome {
    std::vector<std::uint64_t> cycles;    // per frame
    std::vector<std::uint64_t> counters;  // at the end
};

// Counters of processes of a kind, summed.
std::uint64_t total(const engine::Simulation& simulation, const std::string& kind, const std::string& name) {
    std::uint64_t sum = 0;
    for (const auto& process : simulation.processes())
        for (const engine::CounterInfo& info : process->counters().all())
            if (info.owner.kind == kind && info.name == name) sum += *info.value;
    return sum;
}

// Every line of the L2 cache that became dirty is dirty, went back or was overwritten.
void expect_no_line_lost(const engine::Simulation& simulation) {
    std::uint64_t dirty = 0;
    for (const auto& process : simulation.processes())
        if (const auto* slice = dynamic_cast<const L2Slice*>(process.get())) dirty += slice->dirty_lines();
    EXPECT_EQ(total(simulation, "l2_slice", "dirtied"),
              total(simulation, "l2_slice", "write_backs") + total(simulation, "l2_slice", "overwritten") + dirty);
}

engine::Plan plan_of(const engine::Simulation& simulation, int threads, int shift) {
    engine::Plan plan;
    plan.threads = threads;
    for (std::size_t i = 0; i < simulation.processes().size(); ++i)
        plan.worker.push_back((static_cast<int>(i) / (shift + 1) + shift) % threads);
    return plan;
}

// The ways in which frames are rendered, with what each needs.
struct Way {
    const char *mode, *organisation, *distribution;
    void set(MachineParameters& parameters) const {
        parameters.rendering.mode.set(mode);
        parameters.rendering.organisation.set(organisation);
        parameters.raster.distribution.set(distribution);
    }
    std::string name() const { return std::string(mode) + ", " + organisation; }
};
constexpr Way ways[] = {{"immediate", "raster_per_gpu", "position"},
                        {"tiled", "raster_per_gpu", "round_robin"},
                        {"tiled", "tile_per_core", "round_robin"},
                        {"tiled_hidden_surface_removal", "raster_per_gpu", "round_robin"},
                        {"tiled_hidden_surface_removal", "tile_per_core", "round_robin"}};

// Runs frames on a machine and expects every law after each.
Outcome run(const MachineParameters& parameters, const Options& options, int frames = 1, int threads = 1,
            int shift = 0) {
    Generator generator(options);
    engine::Simulation simulation;
    Machine machine(simulation, parameters);
    const engine::Plan plan = plan_of(simulation, threads, shift);
    Outcome outcome;
    for (int f = 0; f < frames; ++f) {
        const Frame frame = generator.frame(static_cast<std::uint32_t>(f));
        machine.load_frame(generator.trace(), frame);
        machine.start();
        const engine::Time begin = simulation.now();
        const engine::RunReport report = simulation.run(plan);
        machine.end_frame();
        outcome.cycles.push_back(machine.cycles(report.end - begin));
        const auto counters = simulation.collect_counters();
        const Ledger since(simulation.processes(), counters, outcome.counters);
        for (const Violation& violation : since.violations(machine.laws())) ADD_FAILURE() << violation.text();
        for (const Violation& violation : machine.check_work(since, generator.trace()))
            ADD_FAILURE() << violation.text();
        for (const Violation& violation : since.violations(machine.laws(), begin, report.end))
            ADD_FAILURE() << violation.text();
        outcome.counters = counters;
    }
    for (const Violation& violation : Ledger(simulation.processes(), outcome.counters).violations(machine.laws()))
        ADD_FAILURE() << violation.text();
    expect_no_line_lost(simulation);
    return outcome;
}

void set(engine::ParameterGroup& root, const std::string& group, const std::string& name, const std::string& value) {
    for (engine::ParameterGroup* each : root.groups())
        if (each->name() == group)
            for (engine::ParameterBase* parameter : each->parameters())
                if (parameter->name() == name) {
                    parameter->set(value);
                    return;
                }
    FAIL() << group << "." << name;
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
            Options options;
            options.passes = 2;
            options.load = true;
            Generator generator(options);
            const Frame frame = generator.frame();
            const auto start = [&](engine::Simulation& simulation, Machine& machine) {
                machine.load_frame(generator.trace(), frame);
                machine.start();
                return plan_of(simulation, 1, 0);
            };
            engine::Simulation whole;
            Machine whole_machine(whole, parameters);
            const engine::Time end = whole.run(start(whole, whole_machine)).end;
            whole_machine.end_frame();

            for (const engine::Time part : {1, 2, 3, 5, 8}) {
                engine::Simulation first;
                Machine first_machine(first, parameters);
                engine::RunOptions until;
                until.until = end * part / 9;
                first.run(start(first, first_machine), until);
                const std::vector<std::byte> bytes = engine::Checkpoint::write(first);

                engine::Simulation second;
                Machine second_machine(second, parameters);
                second_machine.load_frame(generator.trace(), frame);
                engine::Checkpoint::read(second, bytes);
                const engine::RunReport report = second.run(plan_of(second, 2, 1));
                second_machine.end_frame();
                EXPECT_EQ(report.end, end) << part;
                EXPECT_EQ(second.collect_counters(), whole.collect_counters()) << part;
                expect_no_line_lost(second);
            }
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
        machine.load_frame(generator.trace(), frame);
        machine.start();
        return machine.cycles(simulation.run({}).end);
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
        for (int again = 0; again < 2; ++again) {
            machine.load_frame(generator.trace(), frame);
            machine.start();
            simulation.run({});
            machine.end_frame();
        }
        const Ledger ledger(simulation.processes(), simulation.collect_counters());
        EXPECT_TRUE(ledger.violations(machine.laws()).empty());
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
        machine.load_frame(generator.trace(), frame);
        machine.start();
        simulation.run({});
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

TEST(Machine, DoesNotLockUpWithQueuesOfOneEntry) {
    for (const Way& way : ways) {
        SCOPED_TRACE(way.name());
        MachineParameters parameters;
        way.set(parameters);
        set(parameters, "geometry", "vertex_queue", "4");
        set(parameters, "geometry", "index_lines", "1");
        set(parameters, "geometry", "index_queue", "8");
        set(parameters, "geometry", "triangle_queue", "1");
        set(parameters, "tiling", "triangle_queue", "2");
        set(parameters, "tiling", "write_buffer", "1");
        set(parameters, "raster", "early_depth_quads", "1");
        set(parameters, "raster", "fragment_queue", "32");
        set(parameters, "colour", "queue", "32");
        set(parameters, "colour", "tile_buffers", "1");
        set(parameters, "vertex_processor", "warps", "1");
        set(parameters, "fragment_processor", "warps", "1");
        set(parameters, "texture_unit", "accesses", "4");
        set(parameters, "texture_unit", "blocks_per_cycle", "1");
        for (const char* cache :
             {"vertex_cache", "tile_cache", "texture_cache", "instruction_cache", "depth_cache", "pixel_cache"}) {
            set(parameters, cache, "mshrs", "1");
            set(parameters, cache, "merges", "1");
        }
        set(parameters, "l2", "mshrs", "1");
        set(parameters, "l2", "merges", "1");
        set(parameters, "l2", "requests_per_port", "1");
        set(parameters, "dram", "queue", "16");
        Options options;
        options.passes = 2;
        options.load = true;
        run(parameters, options, 2);
    }
}

TEST(Machine, ObeysTheLawsOnSmallAndOddMachines) {
    const std::vector<std::vector<std::vector<std::string>>> machines = {
        {{"fragment_processor", "count", "1"}, {"vertex_processor", "count", "1"}, {"l2", "slices", "1"}},
        {{"fragment_processor", "count", "3"}, {"raster", "distribution", "position"}, {"dram", "channels", "1"}},
        {{"fragment_processor", "groups_per_warp", "4"}, {"raster", "fragment_queue", "512"}},
        {{"fragment_processor", "issue_policy", "round_robin"}, {"raster", "distribution", "least_loaded"}},
        {{"fragment_processor", "vector_width", "1"}, {"fragment_processor", "special_interval", "4"}},
        {{"raster", "quads_per_cycle", "4"}, {"colour", "quads_per_cycle", "4"}, {"colour", "tile_buffers", "4"}},
        {{"tiling", "tile_order", "morton"},
         {"tiling", "list_entry", "64 B"},
         {"geometry", "post_transform_entries", "0"}},
        {{"network", "link_width", "16 B"}, {"network", "pipeline_latency", "1"}, {"network", "request_latency", "1"}},
        {{"l2", "capacity", "16 KiB"}, {"texture_cache", "capacity", "256 B"}, {"texture_cache", "ways", "4"}},
        {{"dram", "frequency", "933 MHz"}, {"dram", "interleave", "4096 B"}},
        {{"rendering", "mode", "tiled"}, {"colour", "flush", "l2"}, {"tiling", "binning", "exact"}},
        {{"cluster", "cores", "4"}, {"raster", "distribution", "tile"}, {"l2", "write_buffer", "1"}},
        {{"vertex_processor", "count", "0"},
         {"fragment_processor", "groups_per_warp", "4"},
         {"raster", "fragment_queue", "128"}},
        {{"vertex_processor", "count", "0"},
         {"cluster", "cores", "4"},
         {"fragment_processor", "count", "16"},
         {"fragment_processor", "groups_per_warp", "8"},
         {"raster", "fragment_queue", "128"},
         {"fragment_processor", "export_warps", "0"},
         {"raster", "distribution", "position"}},
        {{"raster", "interpolation", "per_quad"},
         {"raster", "hidden_surface_quads_per_cycle", "4"},
         {"colour", "late_depth", "5"},
         {"colour", "latency", "3"}},
        {{"network", "hop", "1"}, {"network", "credit_patience", "0"}, {"network", "injection_latency", "1"}},
        {{"fragment_processor", "groups_per_warp", "4"},
         {"raster", "fragment_queue", "128"},
         {"raster", "warp_timeout", "0"},
         {"raster", "distribution", "least_loaded"}},
        {{"rendering", "organisation", "tile_per_core"}},
        {{"rendering", "organisation", "tile_per_core"},
         {"rendering", "mode", "tiled"},
         {"cluster", "cores", "4"},
         {"vertex_processor", "count", "0"},
         {"fragment_processor", "groups_per_warp", "4"},
         {"raster", "fragment_queue", "128"}},
        {{"dram", "bandwidth_of", "all_channels"}, {"dram", "data_edges", "one"}},
        {{"rendering", "mode", "immediate"},
         {"raster", "distribution", "position"},
         {"cluster", "cores", "4"},
         {"vertex_processor", "count", "0"},
         {"fragment_processor", "groups_per_warp", "4"},
         {"raster", "fragment_queue", "128"}},
        {{"rendering", "mode", "immediate"},
         {"raster", "distribution", "position"},
         {"fragment_processor", "count", "3"},
         {"pixel_cache", "capacity", "64 B"},
         {"pixel_cache", "ways", "1"},
         {"depth_cache", "capacity", "64 B"},
         {"depth_cache", "ways", "1"}},
        {{"colour", "blend", "2"}, {"colour", "samples_per_cycle", "1"}, {"colour", "resolve", "memory"}},
        {{"colour", "transaction_elimination", "true"}, {"rendering", "mode", "tiled"}},
    };
    Options options;
    options.passes = 2;
    options.load = true;
    options.draws = 4;
    for (const auto& settings : machines) {
        MachineParameters parameters;
        std::string what;
        for (const auto& setting : settings) {
            set(parameters, setting[0], setting[1], setting[2]);
            what += setting[0] + "." + setting[1] + "=" + setting[2] + " ";
        }
        SCOPED_TRACE(what);
        run(parameters, options, 2);
    }
}

TEST(Machine, UsesEveryEntryThatIsSharedOut) {
    Options options;
    options.passes = 2;
    options.load = true;
    options.width = options.height = 128;
    std::vector<std::vector<std::uint64_t>> cycles;
    for (const char* entries : {"33", "64", "65"}) {
        MachineParameters parameters;
        set(parameters, "fragment_processor", "count", "33");
        set(parameters, "raster", "fragment_queue", entries);
        set(parameters, "colour", "queue", entries);
        cycles.push_back(run(parameters, options).cycles);
    }
    EXPECT_NE(cycles[0], cycles[1]);
    EXPECT_NE(cycles[1], cycles[2]);
    MachineParameters parameters;
    set(parameters, "raster", "fragment_queue", "95");
    set(parameters, "colour", "queue", "95");
    set(parameters, "dram", "queue", "33");
    run(parameters, options, 2);
}

TEST(Machine, RunsOnAsManyProcessorsAsItMayHave) {
    Options options;
    options.draws = 4;
    for (const auto& [kind, count] : {std::pair{"vertex_processor", "256"}, {"fragment_processor", "256"}}) {
        MachineParameters parameters;
        set(parameters, kind, "count", count);
        set(parameters, "raster", "fragment_queue", "512");
        set(parameters, "colour", "queue", "512");
        run(parameters, options);
    }
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
    machine.load_frame(generator.trace(), frame);
    machine.start();
    simulation.run({});
    const Primitive& primitive = frame.primitives[0];
    const std::uint64_t tiles = std::uint64_t{primitive.tile_x1} - primitive.tile_x0 + 1;
    const std::uint64_t rows = std::uint64_t{primitive.tile_y1} - primitive.tile_y0 + 1;
    EXPECT_EQ(total(simulation, "raster", "tiles"), tiles * rows);
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

TEST(Machine, RefusesAMachineThatCannotWork) {
    const auto refused = [](const char* group, const char* name, const char* value) {
        MachineParameters parameters;
        set(parameters, group, name, value);
        engine::Simulation simulation;
        EXPECT_THROW(Machine(simulation, parameters), engine::ConfigError) << group << "." << name << " = " << value;
    };
    refused("texture_cache", "capacity", "20000 B");
    refused("texture_cache", "ways", "3");
    refused("raster", "fragment_queue", "31");
    refused("colour", "queue", "31");
    refused("dram", "queue", "15");
    refused("dram", "row_miss_latency", "49");
    refused("dram", "row_hit_latency", "8");
    refused("l2", "tag_latency", "18");
    refused("tiling", "list_entry", "24 B");
    refused("geometry", "vertex_queue", "3");
    refused("cluster", "cores", "5");
    refused("dram", "bytes_per_cycle", "3");
}

}  // namespace
}  // namespace models
