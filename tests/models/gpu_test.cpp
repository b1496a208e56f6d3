#include "models/gpu.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "models/conservation.h"
#include "models/l2_slice.h"
#include "tests/models/synthetic_frame.h"

namespace models {
namespace {

using synthetic::Generator;
using synthetic::Options;

struct Outcome {
    std::vector<std::uint64_t> cycles;    // per frame
    std::vector<std::uint64_t> counters;  // at the end
    std::uint64_t dirty_lines = 0;
};

// Runs frames on a machine and expects every law after each.
Outcome run(const MachineParameters& parameters, const Options& options, int frames = 1, int threads = 1,
            int shift = 0) {
    Generator generator(options);
    engine::Simulation simulation;
    Gpu gpu(simulation, parameters);
    engine::Plan plan;
    plan.threads = threads;
    for (std::size_t i = 0; i < simulation.processes().size(); ++i)
        plan.worker.push_back((static_cast<int>(i) / (shift + 1) + shift) % threads);
    Outcome outcome;
    for (int f = 0; f < frames; ++f) {
        const Frame frame = generator.frame(static_cast<std::uint32_t>(f));
        gpu.load_frame(generator.trace(), frame);
        gpu.start();
        const engine::Time begin = simulation.now();
        const engine::RunReport report = simulation.run(plan);
        outcome.cycles.push_back(gpu.cycles(report.end - begin));
        const auto counters = simulation.collect_counters();
        const Ledger since(simulation.processes(), counters, outcome.counters);
        for (const Violation& violation : check_conservation(since)) ADD_FAILURE() << violation.text();
        for (const Violation& violation :
             check_work(since, generator.trace(), frame, parameters.fragment_processor.groups_per_warp()))
            ADD_FAILURE() << violation.text();
        outcome.counters = counters;
    }
    for (const Violation& violation : check_conservation(Ledger(simulation.processes(), outcome.counters)))
        ADD_FAILURE() << violation.text();
    for (const auto& process : simulation.processes())
        if (const auto* slice = dynamic_cast<const L2Slice*>(process.get()))
            outcome.dirty_lines += slice->dirty_lines();
    const Ledger ledger(simulation.processes(), outcome.counters);
    EXPECT_EQ(ledger.sum("l2_slice", "dirtied"), ledger.sum("l2_slice", "write_backs") + outcome.dirty_lines);
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

TEST(Gpu, ObeysTheLawsOverSeveralFramesAndPasses) {
    const MachineParameters parameters;
    Options options;
    options.passes = 3;
    options.load = true;
    const Outcome outcome = run(parameters, options, 3);
    for (const std::uint64_t cycles : outcome.cycles) EXPECT_GT(cycles, 0U);
}

TEST(Gpu, GivesTheSameBitsForEveryNumberOfThreadsAndPartition) {
    const MachineParameters parameters;
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

TEST(Gpu, ShadesWhatTheEarlyDepthTestLeavesAndNothingElse) {
    const MachineParameters parameters;
    Options options;
    options.killed_per_16 = 16;
    run(parameters, options);
    options.killed_per_16 = 0;
    run(parameters, options);
}

TEST(Gpu, DoesNotLockUpWithQueuesOfOneEntry) {
    MachineParameters parameters;
    set(parameters, "geometry", "vertex_queue", "4");
    set(parameters, "geometry", "index_lines", "1");
    set(parameters, "geometry", "index_queue", "8");
    set(parameters, "geometry", "triangle_queue", "1");
    set(parameters, "tiling", "triangle_queue", "2");
    set(parameters, "tiling", "write_buffer", "1");
    set(parameters, "raster", "early_depth_quads", "1");
    set(parameters, "raster", "fragment_queue", "32");
    set(parameters, "blending", "colour_queue", "32");
    set(parameters, "blending", "tile_buffers", "1");
    set(parameters, "vertex_processor", "warps", "1");
    set(parameters, "fragment_processor", "warps", "1");
    set(parameters, "texture_unit", "accesses", "4");
    set(parameters, "texture_unit", "blocks_per_cycle", "1");
    for (const char* cache : {"vertex_cache", "tile_cache", "texture_cache", "instruction_cache"}) {
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

TEST(Gpu, ObeysTheLawsOnSmallAndOddMachines) {
    const std::vector<std::vector<std::vector<std::string>>> machines = {
        {{"fragment_processor", "count", "1"}, {"vertex_processor", "count", "1"}, {"l2", "slices", "1"}},
        {{"fragment_processor", "count", "3"}, {"raster", "distribution", "position"}, {"dram", "channels", "1"}},
        {{"fragment_processor", "groups_per_warp", "4"}, {"raster", "fragment_queue", "512"}},
        {{"fragment_processor", "issue_policy", "round_robin"}, {"raster", "distribution", "least_loaded"}},
        {{"fragment_processor", "vector_width", "1"}, {"fragment_processor", "special_interval", "4"}},
        {{"raster", "quads_per_cycle", "4"}, {"blending", "quads_per_cycle", "4"}, {"blending", "tile_buffers", "4"}},
        {{"tiling", "tile_order", "morton"},
         {"tiling", "list_entry", "64 B"},
         {"geometry", "post_transform_entries", "0"}},
        {{"network", "link_width", "16 B"}, {"network", "pipeline_latency", "1"}, {"network", "request_latency", "1"}},
        {{"l2", "capacity", "16 KiB"}, {"texture_cache", "capacity", "256 B"}, {"texture_cache", "ways", "4"}},
        {{"dram", "frequency", "933 MHz"}, {"dram", "interleave", "4096 B"}},
    };
    Options options;
    options.passes = 2;
    options.load = true;
    options.draws = 4;
    for (const auto& machine : machines) {
        MachineParameters parameters;
        std::string what;
        for (const auto& setting : machine) {
            set(parameters, setting[0], setting[1], setting[2]);
            what += setting[0] + "." + setting[1] + "=" + setting[2] + " ";
        }
        SCOPED_TRACE(what);
        run(parameters, options, 2);
    }
}

TEST(Gpu, UsesEveryEntryThatIsSharedOut) {
    Options options;
    options.passes = 2;
    options.load = true;
    options.width = options.height = 128;
    std::vector<std::vector<std::uint64_t>> cycles;
    for (const char* entries : {"33", "64", "65"}) {
        MachineParameters parameters;
        set(parameters, "fragment_processor", "count", "33");
        set(parameters, "raster", "fragment_queue", entries);
        set(parameters, "blending", "colour_queue", entries);
        cycles.push_back(run(parameters, options).cycles);
    }
    EXPECT_NE(cycles[0], cycles[1]);
    EXPECT_NE(cycles[1], cycles[2]);
    MachineParameters parameters;
    set(parameters, "raster", "fragment_queue", "95");
    set(parameters, "blending", "colour_queue", "95");
    set(parameters, "dram", "queue", "33");
    run(parameters, options, 2);
}

TEST(Gpu, RunsOnAsManyProcessorsAsItMayHave) {
    Options options;
    options.draws = 4;
    for (const auto& [kind, count] : {std::pair{"vertex_processor", "127"}, {"fragment_processor", "256"}}) {
        MachineParameters parameters;
        set(parameters, kind, "count", count);
        set(parameters, "raster", "fragment_queue", "512");
        set(parameters, "blending", "colour_queue", "512");
        run(parameters, options);
    }
}

TEST(Gpu, LeavesTilesAloneThatAreNeitherDrawnToNorCleared) {
    const MachineParameters parameters;
    Options options;
    options.clear = false;
    options.draws = 1;
    options.primitives = 1;
    Generator generator(options);
    const Frame frame = generator.frame();
    engine::Simulation simulation;
    Gpu gpu(simulation, parameters);
    gpu.load_frame(generator.trace(), frame);
    gpu.start();
    simulation.run({});
    const Primitive& primitive = frame.primitives[0];
    const std::uint64_t tiles = std::uint64_t{primitive.tile_x1} - primitive.tile_x0 + 1;
    const std::uint64_t rows = std::uint64_t{primitive.tile_y1} - primitive.tile_y0 + 1;
    EXPECT_EQ(Ledger(simulation.processes(), simulation.collect_counters()).sum("raster", "tiles"), tiles * rows);
}

TEST(Gpu, RefusesAFrameThatNamesWhatIsNotThere) {
    const MachineParameters parameters;
    Generator generator({});
    engine::Simulation simulation;
    Gpu gpu(simulation, parameters);
    const auto refused = [&](auto&& damage) {
        Frame frame = generator.frame();
        damage(frame);
        EXPECT_THROW(gpu.load_frame(generator.trace(), frame), engine::InputError);
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
    EXPECT_NO_THROW(gpu.load_frame(generator.trace(), generator.frame()));
}

TEST(Gpu, RefusesAMachineThatCannotWork) {
    const auto refused = [](const char* group, const char* name, const char* value) {
        MachineParameters parameters;
        set(parameters, group, name, value);
        engine::Simulation simulation;
        EXPECT_THROW(Gpu(simulation, parameters), engine::ConfigError) << group << "." << name << " = " << value;
    };
    refused("texture_cache", "capacity", "20000 B");
    refused("texture_cache", "ways", "3");
    refused("raster", "fragment_queue", "31");
    refused("blending", "colour_queue", "31");
    refused("dram", "queue", "15");
    refused("dram", "row_miss_latency", "49");
    refused("dram", "row_hit_latency", "32");
    refused("l2", "tag_latency", "18");
    refused("tiling", "list_entry", "24 B");
    refused("geometry", "vertex_queue", "3");
}

}  // namespace
}  // namespace models
