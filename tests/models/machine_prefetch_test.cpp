// Every prefetcher in all caches of machines of every kind: frames end, and every law holds.
#include <string>

#include <gtest/gtest.h>

#include "models/prefetch/prefetcher.h"
#include "tests/models/two_frames.h"

namespace models {
namespace {

using bench::set;

constexpr std::array<const char*, 8> caches{"vertex_cache",      "tile_cache",     "depth_cache", "texture_cache",
                                            "instruction_cache", "constant_cache", "pixel_cache", "l2"};

class MachinePrefetch : public testing::TestWithParam<std::string_view> {
  protected:
    static void set_all(MachineParameters& parameters, const char* parameter, std::string_view value) {
        for (const char* cache : caches) set(parameters, cache, parameter, std::string(value).c_str());
    }
    // Returns how many lines were prefetched.
    static std::uint64_t run(const MachineParameters& parameters) {
        return bench::TwoFrames(parameters).total("prefetches");
    }
};

TEST_P(MachinePrefetch, ObeysTheLawsInAllCaches) {
    for (const bench::Way& way : bench::ways) {
        SCOPED_TRACE(way.name());
        MachineParameters parameters;
        way.set(parameters);
        set_all(parameters, "prefetcher", GetParam());
        EXPECT_EQ(run(parameters) > 0, GetParam() != "none");
    }
}

TEST_P(MachinePrefetch, EndsWithTheLeastRoom) {
    for (const bench::Way& way : bench::ways) {
        SCOPED_TRACE(way.name());
        MachineParameters parameters;
        way.set(parameters);
        set_all(parameters, "prefetcher", GetParam());
        set_all(parameters, "mshrs", "2");
        set_all(parameters, "targets", "1");
        parameters.l2.requests_per_port.set("1");
        parameters.prefetch.queue.set("1");
        run(parameters);
    }
}

TEST_P(MachinePrefetch, ObeysTheLawsWithVirtualMemoryClustersAndOtherLines) {
    MachineParameters parameters;
    parameters.rendering.mode.set("immediate");
    parameters.raster.distribution.set("position");
    parameters.cluster.cores.set("4");
    parameters.address_space.placement.set("random");
    parameters.address_space.translation.set("tlb");
    parameters.l2.line.set("128 B");
    parameters.dram.interleave.set("128 B");
    parameters.l2.sector.set("32 B");
    parameters.texture_cache.line.set("32 B");
    parameters.pixel_cache.sector.set("32 B");
    set_all(parameters, "prefetcher", GetParam());
    run(parameters);
}

TEST_P(MachinePrefetch, GivesTheSameCountersOnThreadsAndFromACheckpoint) {
    for (const bench::Way& way : bench::ways) {
        SCOPED_TRACE(way.name());
        MachineParameters parameters;
        way.set(parameters);
        set_all(parameters, "prefetcher", GetParam());
        bench::expect_same_from_a_checkpoint(parameters);
    }
}

INSTANTIATE_TEST_SUITE_P(All, MachinePrefetch, testing::ValuesIn(Prefetcher::names),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace models
