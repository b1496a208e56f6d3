// Machines of all shapes: the least queues, odd counts, every organisation.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/models/machine_bench.h"
#include "tests/models/synthetic_frame.h"

namespace models {
namespace {

using bench::set;
using bench::Way;
using bench::ways;
using synthetic::Options;

// Runs frames on a machine and expects every law after each. Returns the cycles of each.
std::vector<std::uint64_t> run(const MachineParameters& parameters, const Options& options, std::uint32_t frames = 1) {
    synthetic::Generator generator(options);
    engine::Simulation simulation;
    Machine machine(simulation, parameters);
    bench::LawCheck laws(simulation, machine);
    std::vector<std::uint64_t> cycles;
    for (std::uint32_t f = 0; f < frames; ++f)
        cycles.push_back(bench::play(simulation, machine, laws, generator.trace(), generator.frame(f)));
    return cycles;
}

TEST(MachineShapes, DoNotLockUpWithQueuesOfOneEntry) {
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
            set(parameters, cache, "targets", "1");
        }
        set(parameters, "l2", "mshrs", "1");
        set(parameters, "l2", "targets", "1");
        set(parameters, "l2", "requests_per_port", "1");
        for (const char* queue : {"slice_queue", "read_queue", "write_queue", "write_high"})
            set(parameters, "dram", queue, "1");
        set(parameters, "dram", "write_low", "0");
        Options options;
        options.passes = 2;
        options.load = true;
        run(parameters, options, 2);
    }
}

TEST(MachineShapes, ObeyTheLawsEvenIfTheyAreSmallOrOdd) {
    const std::vector<std::vector<std::vector<std::string>>> machines = {
        {{"fragment_processor", "count", "1"}, {"vertex_processor", "count", "1"}, {"l2", "slices", "1"}},
        {{"fragment_processor", "count", "3"}, {"raster", "distribution", "position"}, {"dram", "channels", "1"}},
        {{"fragment_processor", "groups_per_warp", "4"}, {"raster", "fragment_queue", "512"}},
        {{"fragment_processor", "issue_scheduler", "loose_round_robin"}, {"raster", "distribution", "least_loaded"}},
        {{"fragment_processor", "groups_per_warp", "4"},
         {"raster", "fragment_queue", "512"},
         {"raster", "distribution", "quad_round_robin"}},
        {{"fragment_processor", "vector_width", "1"}, {"fragment_processor.special", "interval", "4"}},
        {{"raster", "quads_per_cycle", "4"}, {"colour", "quads_per_cycle", "4"}, {"colour", "tile_buffers", "4"}},
        {{"tiling", "tile_order", "morton"},
         {"tiling", "list_entry", "64 B"},
         {"geometry", "post_transform_entries", "0"}},
        {{"network", "link_width", "16 B"}, {"network", "pipeline_latency", "1"}, {"network", "request_latency", "1"}},
        {{"l2", "capacity", "16 KiB"}, {"texture_cache", "capacity", "256 B"}, {"texture_cache", "ways", "4"}},
        {{"dram", "device", "lpddr4x-4266"}, {"dram", "interleave", "4096 B"}},
        {{"dram", "device", "lpddr5-6400"},
         {"dram", "page", "closed"},
         {"dram", "refresh", "per_bank"},
         {"dram", "mapping", "row_xor_bank"}},
        {{"dram", "model", "flat"}, {"dram.flat", "frequency", "933 MHz"}, {"dram", "interleave", "4096 B"}},
        {{"dram", "model", "flat"}, {"dram.flat", "queue", "16"}, {"l2", "mshrs", "1"}},
        {{"rendering", "mode", "tiled"}, {"colour", "flush", "l2"}, {"tiling", "binning", "exact"}},
        {{"cluster", "cores", "4"}, {"raster", "distribution", "tile"}, {"l2", "eviction_buffer", "2"}},
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
        {{"dram", "model", "flat"}, {"dram.flat", "bandwidth_of", "all_channels"}, {"dram.flat", "data_edges", "one"}},
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

TEST(MachineShapes, UseEveryEntryThatIsSharedOut) {
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
        cycles.push_back(run(parameters, options));
    }
    EXPECT_NE(cycles[0], cycles[1]);
    EXPECT_NE(cycles[1], cycles[2]);
    MachineParameters parameters;
    set(parameters, "raster", "fragment_queue", "95");
    set(parameters, "colour", "queue", "95");
    set(parameters, "dram", "model", "flat");
    set(parameters, "dram.flat", "queue", "33");
    run(parameters, options, 2);
}

TEST(MachineShapes, RunWithAsManyProcessorsAsTheyMayHave) {
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

TEST(MachineShapes, AreRefusedIfTheyCannotWork) {
    const auto refused = [](const char* group, const char* name, const char* value) {
        MachineParameters parameters;
        if (std::string(group) == "dram.flat") set(parameters, "dram", "model", "flat");
        set(parameters, group, name, value);
        engine::Simulation simulation;
        EXPECT_THROW(Machine(simulation, parameters), engine::ConfigError) << group << "." << name << " = " << value;
    };
    refused("texture_cache", "capacity", "20000 B");
    refused("texture_cache", "ways", "3");
    refused("raster", "fragment_queue", "31");
    refused("colour", "queue", "31");
    refused("dram.flat", "queue", "15");
    refused("dram.flat", "row_miss_latency", "49");
    refused("dram.flat", "row_hit_latency", "8");
    refused("dram", "bus_bits", "48");
    refused("dram", "write_low", "24");
    refused("dram", "size", "4096 MiB");
    refused("dram.timing", "rc", "24");
    refused("l2", "tag_latency", "18");
    refused("tiling", "list_entry", "24 B");
    refused("geometry", "vertex_queue", "3");
    refused("cluster", "cores", "5");
    refused("dram.flat", "bytes_per_cycle", "3");
}

}  // namespace
}  // namespace models
