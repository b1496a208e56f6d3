// Decoupled access/execute in machines of every kind that have one raster: frames end, every law holds, and the bits
// are the same however they are computed.
#include <string>

#include <gtest/gtest.h>

#include "tests/models/extra_steps.h"
#include "tests/models/two_frames.h"

namespace models {
namespace {

template <class Act>
void for_each_way(const Act& act) {
    for (const bench::Way& way : bench::ways) {
        if (std::string(way.organisation) != "raster_per_gpu") continue;
        SCOPED_TRACE(way.name());
        MachineParameters parameters;
        way.set(parameters);
        act(parameters);
    }
}

struct Played {
    std::uint64_t cycles = 0, sent = 0, fetched = 0, prefetched = 0, misses = 0;
};

Played play(const MachineParameters& parameters) {
    const bench::TwoFrames frames(parameters);
    Played played;
    played.cycles = frames.cycles;
    played.sent = frames.total("access_processor", "addresses_sent");
    played.fetched = frames.total("snoop_port", "fetched");
    for (const char* cache : {"texture_cache", "pixel_cache"}) {
        played.prefetched += frames.total(cache, "prefetches");
        played.misses += frames.total(cache, "misses");
    }
    return played;
}

TEST(AccessExecute, FetchesAheadInMachinesOfEveryKind) {
    for_each_way([](MachineParameters& parameters) {
        const Played without = play(parameters);
        parameters.access_execute.enabled.set("true");
        const Played with = play(parameters);
        EXPECT_EQ(without.sent, 0U);
        EXPECT_GT(with.sent, 0U);
        EXPECT_GT(with.fetched, 0U);
        EXPECT_EQ(with.fetched, with.prefetched);
        EXPECT_LT(with.misses, without.misses);
    });
}

TEST(AccessExecute, AsksOtherCachesWithRemoteL1) {
    for_each_way([](MachineParameters& parameters) {
        parameters.access_execute.enabled.set("true");
        const bench::TwoFrames without(parameters);
        parameters.access_execute.remote_l1.set("true");
        const bench::TwoFrames with(parameters);
        EXPECT_EQ(without.total("snoop_port", "redirected"), 0U);
        EXPECT_GT(with.total("snoop_port", "redirected"), 0U);
        EXPECT_EQ(with.total("snoop_port", "redirected"), with.total("snoop_port", "fetched_with_source"));
        EXPECT_EQ(with.total("snoop_port", "redirected"), with.total("snoop_port", "peer_requests"));
        EXPECT_GT(with.total("snoop_port", "peer_hits") + with.total("snoop_port", "peer_merged"), 0U);
    });
}

TEST(AccessExecute, IsNotChangedByStepsThatNobodyNeeds) {
    for_each_way([](MachineParameters& parameters) {
        parameters.access_execute.enabled.set("true");
        parameters.access_execute.remote_l1.set("true");
        parameters.texture_cache.mshrs.set("2");
        bench::expect_that_extra_steps_change_nothing(parameters, {.width = 64, .height = 48});
    });
}

TEST(AccessExecute, EndsWithTheLeastRoom) {
    for_each_way([](MachineParameters& parameters) {
        parameters.access_execute.enabled.set("true");
        parameters.access_execute.remote_l1.set("true");
        parameters.access_execute.queue.set("1");
        parameters.texture_cache.mshrs.set("2");
        parameters.pixel_cache.mshrs.set("2");
        parameters.l2.requests_per_port.set("1");
        play(parameters);
    });
}

TEST(AccessExecute, StandsBesidePrefetchersClustersOfCoresAndVirtualMemory) {
    for_each_way([](MachineParameters& parameters) {
        parameters.access_execute.enabled.set("true");
        parameters.cluster.cores.set("4");
        parameters.fragment_processor.groups_per_warp.set("2");
        parameters.raster.fragment_queue.set("128");
        parameters.address_space.placement.set("random");
        parameters.address_space.translation.set("tlb");
        parameters.texture_cache.prefetcher.set("history");
        parameters.pixel_cache.prefetcher.set("stride");
        parameters.texture_cache.line.set("32 B");
        play(parameters);
        parameters.texture_cache.line.set("64 B");
        parameters.access_execute.remote_l1.set("true");
        for (const char* network : {"crossbar", "mesh"}) {
            parameters.network.kind.set(network);
            play(parameters);
        }
    });
}

TEST(AccessExecute, HasUnifiedCores) {
    for_each_way([](MachineParameters& parameters) {
        parameters.access_execute.enabled.set("true");
        parameters.vertex_processor.count.set("0");
        play(parameters);
    });
}

TEST(AccessExecute, ChangesNothingWithPerfectCaches) {
    for_each_way([](MachineParameters& parameters) {
        parameters.texture_cache.perfect.set("true");
        parameters.pixel_cache.perfect.set("true");
        const Played without = play(parameters);
        parameters.access_execute.enabled.set("true");
        const Played with = play(parameters);
        EXPECT_EQ(with.cycles, without.cycles);
        EXPECT_EQ(with.fetched, 0U);
    });
}

TEST(AccessExecute, GivesTheSameCountersOnThreadsAndFromACheckpoint) {
    for_each_way([](MachineParameters& parameters) {
        parameters.access_execute.enabled.set("true");
        parameters.access_execute.remote_l1.set("true");
        bench::expect_same_from_a_checkpoint(parameters);
    });
}

TEST(AccessExecute, NeedsTheOneRaster) {
    MachineParameters parameters;
    parameters.access_execute.enabled.set("true");
    parameters.rendering.organisation.set("tile_per_core");
    try {
        parameters.check_all();
        FAIL();
    } catch (const engine::ConfigError& error) {
        EXPECT_EQ(
            std::string(error.what()),
            "rendering.organisation: expected \"raster_per_gpu\" with access_execute.enabled, whose queue is that "
            "of the one raster, found \"tile_per_core\"");
    }
}

TEST(AccessExecute, AsksOtherCachesForLinesOf64BytesOnly) {
    MachineParameters parameters;
    parameters.access_execute.remote_l1.set("true");
    parameters.texture_cache.line.set("128 B");
    parameters.l2.line.set("128 B");
    parameters.dram.interleave.set("128 B");
    EXPECT_NO_THROW(parameters.check_all());  // nothing is fetched ahead
    parameters.access_execute.enabled.set("true");
    try {
        parameters.check_all();
        FAIL();
    } catch (const engine::ConfigError& error) {
        EXPECT_EQ(std::string(error.what()),
                  "texture_cache.line: expected 64 B with access_execute.remote_l1, as lines go from cache to cache, "
                  "found 128 B");
    }
}

TEST(AccessExecute, SaysWhatHasNoEffectWithoutIt) {
    MachineParameters parameters;
    parameters.access_execute.queue.set("3");
    ASSERT_EQ(parameters.without_effect().size(), 1U);
    EXPECT_EQ(parameters.without_effect()[0],
              "access_execute.queue = 3 has no effect: access_execute.enabled is false");
}

}  // namespace
}  // namespace models
