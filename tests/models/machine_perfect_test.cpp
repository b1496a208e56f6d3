// Machines of every kind with perfect caches: nothing is fetched and nothing lost, and they are no slower than others.
#include <string>

#include <gtest/gtest.h>

#include "tests/models/machine_bench.h"
#include "tests/models/synthetic_frame.h"

namespace models {
namespace {

constexpr std::array<const char*, 8> caches{"vertex_cache",      "tile_cache",     "depth_cache", "texture_cache",
                                            "instruction_cache", "constant_cache", "pixel_cache", "l2"};

struct Played {
    std::uint64_t cycles = 0, misses = 0, reads_of_memory = 0;
};

// Frames, of which every law is expected after each.
Played play(const MachineParameters& parameters) {
    synthetic::Options options;
    options.passes = 2;
    options.load = true;
    synthetic::Generator generator(options);
    engine::Simulation simulation;
    Machine machine(simulation, parameters);
    bench::LawCheck laws(simulation, machine);
    Played played;
    for (std::uint32_t frame = 0; frame < 2; ++frame)
        played.cycles += bench::play(simulation, machine, laws, generator.trace(), generator.frame(frame));
    for (const auto& process : simulation.processes())
        for (const engine::CounterInfo& info : process->counters().all())
            if (info.name == "misses") played.misses += *info.value;
    played.reads_of_memory = bench::total(simulation, "dram_channel", "reads");
    return played;
}

TEST(PerfectCaches, NeverMissInMachinesOfAnyKind) {
    for (const bench::Way& way : bench::ways) {
        SCOPED_TRACE(way.name());
        MachineParameters plain, perfect;
        way.set(plain);
        way.set(perfect);
        for (const char* cache : caches) bench::set(perfect, cache, "perfect", "true");
        const Played with = play(perfect);
        EXPECT_EQ(with.misses, 0U);
        EXPECT_EQ(with.reads_of_memory, 0U);
        EXPECT_LT(with.cycles, play(plain).cycles);
    }
}

TEST(PerfectCaches, StandBesideOnesThatAreNot) {
    for (const char* cache : caches)
        for (const bench::Way& way : bench::ways) {
            SCOPED_TRACE(cache + (", " + way.name()));
            MachineParameters parameters;
            way.set(parameters);
            bench::set(parameters, cache, "perfect", "true");
            EXPECT_GT(play(parameters).misses, 0U);
        }
}

TEST(PerfectCaches, SayWhatHasNoEffectOnThem) {
    MachineParameters parameters;
    parameters.texture_cache.perfect.set("true");
    parameters.texture_cache.mshrs.set("3");
    parameters.texture_cache.prefetcher.set("stride");
    parameters.prefetch.stride_degree.set("3");
    const std::vector<std::string> lines = parameters.without_effect();
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0].find("texture_cache.perfect is true") != std::string::npos, true) << lines[0];
}

}  // namespace
}  // namespace models
