// Machines of every kind with perfect caches: nothing is fetched and nothing lost, and they are no slower than others.
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/models/two_frames.h"

namespace models {
namespace {

constexpr std::array<const char*, 8> caches{"vertex_cache",      "tile_cache",     "depth_cache", "texture_cache",
                                            "instruction_cache", "constant_cache", "pixel_cache", "l2"};

TEST(PerfectCaches, NeverMissInMachinesOfAnyKind) {
    for (const bench::Way& way : bench::ways) {
        SCOPED_TRACE(way.name());
        MachineParameters plain, perfect;
        way.set(plain);
        way.set(perfect);
        for (const char* cache : caches) bench::set(perfect, cache, "perfect", "true");
        const bench::TwoFrames with(perfect);
        EXPECT_EQ(with.total("misses"), 0U);
        EXPECT_EQ(with.total("dram_channel", "reads"), 0U);
        EXPECT_LT(with.cycles, bench::TwoFrames(plain).cycles);
    }
}

TEST(PerfectCaches, StandBesideOnesThatAreNot) {
    for (const char* cache : caches)
        for (const bench::Way& way : bench::ways) {
            SCOPED_TRACE(cache + (", " + way.name()));
            MachineParameters parameters;
            way.set(parameters);
            bench::set(parameters, cache, "perfect", "true");
            EXPECT_GT(bench::TwoFrames(parameters).total("misses"), 0U);
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
    EXPECT_NE(lines[0].find("texture_cache.perfect is true"), std::string::npos) << lines[0];
}

}  // namespace
}  // namespace models
