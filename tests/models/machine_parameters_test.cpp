#include "models/machine_parameters.h"

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/machine_bench.h"

namespace models {
namespace {

using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::UnorderedElementsAre;

// The "key = value" lines of a TOML file by "table.key".
std::map<std::string, std::string> read_lines(const std::filesystem::path& path) {
    std::map<std::string, std::string> values;
    std::ifstream file(path);
    std::string line, table;
    while (std::getline(file, line)) {
        if (line.starts_with("[")) table = line.substr(1, line.find(']') - 1);
        const std::size_t equals = line.find(" = ");
        if (line.starts_with("#") || equals == std::string::npos) continue;
        const std::string value = line.substr(equals + 3);
        values[table + "." + line.substr(0, equals)] = value.substr(0, value.find("  #"));
    }
    return values;
}

// All parameters below a group, with the path of their own.
using Named = std::pair<std::string, const engine::ParameterBase*>;
std::vector<Named> all_of(const engine::ParameterGroup& root, const std::string& path = "") {
    std::vector<Named> all;
    for (const engine::ParameterBase* parameter : root.parameters()) all.emplace_back(path, parameter);
    for (const engine::ParameterGroup* group : root.groups())
        for (const Named& each : all_of(*group, path.empty() ? group->name() : path + "." + group->name()))
            all.push_back(each);
    return all;
}

TEST(MachineParameters, DefaultsAreThePresetBifrost32) {
    const auto preset =
        read_lines(std::filesystem::path(__FILE__).parent_path() / "../../experiments/machines/bifrost32.toml");
    const MachineParameters parameters;
    std::size_t count = 0;
    for (const auto& [group, parameter] : all_of(parameters)) {
        const std::string name = group + "." + parameter->name();
        const std::string value =
            parameter->bare() ? parameter->default_text() : "\"" + parameter->default_text() + "\"";
        const auto found = preset.find(name);
        if (found == preset.end())
            ADD_FAILURE() << name << " is missing";
        else
            EXPECT_EQ(found->second, value) << name;
        ++count;
    }
    EXPECT_EQ(preset.size(), count);
}

TEST(MachineParameters, SayWhatTheyMeanAndWhereTheyComeFrom) {
    const MachineParameters parameters;
    for (const engine::ParameterGroup* group : parameters.groups()) EXPECT_FALSE(group->doc().empty()) << group->name();
    for (const auto& [group, parameter] : all_of(parameters)) {
        EXPECT_FALSE(parameter->doc().empty()) << group << "." << parameter->name();
        EXPECT_FALSE(parameter->source().empty()) << group << "." << parameter->name();
    }
}

TEST(MachineParameters, AreSoundAsTheyAre) {
    EXPECT_NO_THROW(MachineParameters().check_all());
}

std::string error_of(const MachineParameters& parameters) {
    try {
        parameters.check_all();
    } catch (const engine::ConfigError& error) {
        return error.what();
    }
    return "";
}

TEST(MachineParameters, VerticesWaitInWholeWarps) {
    MachineParameters parameters;
    parameters.geometry.vertex_queue.set("18");
    EXPECT_EQ(
        error_of(parameters),
        "geometry.vertex_queue: expected a multiple of the vertices of a warp (4), found 18; the nearest are 16 and "
        "20");
}

TEST(MachineParameters, TellTheSlicesOfACacheThatDoesNotFit) {
    MachineParameters parameters;
    parameters.l2.slices.set("3");
    EXPECT_EQ(error_of(parameters),
              "l2: expected capacity / (ways x line x slices) to be a power of two (the number of sets), found 1048576 "
              "B, 8 ways of 64 B and 3 slices");
}

TEST(MachineParameters, FetchAheadIntoPrivateCachesOnly) {
    MachineParameters parameters;
    parameters.access_execute.enabled.set("true");
    parameters.home.policy.set("s_nuca");
    EXPECT_THROW(parameters.check_all(), engine::ConfigError);
    parameters.home.policy.set("private");
    EXPECT_NO_THROW(parameters.check_all());
}

TEST(MachineParameters, HaveWholeClusters) {
    MachineParameters parameters;
    parameters.cluster.cores.set("3");
    EXPECT_EQ(error_of(parameters), "fragment_processor.count: expected a multiple of cluster.cores (3), found 32");
}

TEST(MachineParameters, CheckTheQueuesOfVerticesAgainstTheCoresThatShadeThem) {
    MachineParameters parameters;
    parameters.vertex_processor.count.set("0");
    parameters.fragment_processor.groups_per_warp.set("8");
    parameters.raster.fragment_queue.set("256");
    parameters.geometry.vertex_queue.set("12");
    EXPECT_EQ(error_of(parameters), "geometry.vertex_queue: expected at least 16, the vertices of a warp, found 12");
    parameters.geometry.vertex_queue.set("16");
    EXPECT_EQ(error_of(parameters), "");
    parameters.texture_unit.accesses.set("15");
    EXPECT_EQ(error_of(parameters), "texture_unit.accesses: expected at least 16, those of one warp, found 15");
}

TEST(MachineParameters, TellWhichPrefetchersNoCacheHas) {
    MachineParameters parameters;
    parameters.prefetch.queue.set("8");
    parameters.prefetch.stride_degree.set("4");
    EXPECT_THAT(parameters.without_effect(),
                ElementsAre("prefetch.queue = 8 has no effect: no cache has a prefetcher",
                            "prefetch.stride_degree = 4 has no effect: no cache has a prefetcher"));
    parameters.texture_cache.prefetcher.set("history");
    EXPECT_THAT(parameters.without_effect(),
                ElementsAre("prefetch.stride_degree = 4 has no effect: no cache has prefetcher = \"stride\""));
    parameters.l2.prefetcher.set("stride");
    EXPECT_TRUE(parameters.without_effect().empty());
}

TEST(MachineParameters, RefuseThresholdsOfThePrefetchThrottleThatAreTheWrongWayRound) {
    MachineParameters parameters;
    parameters.prefetch.thread_aware_early_low.set("30");
    EXPECT_EQ(error_of(parameters),
              "prefetch.thread_aware_early_low: expected at most prefetch.thread_aware_early_high (20), found 30");
}

TEST(MachineParameters, TellWhichOfThemHaveNoEffect) {
    MachineParameters parameters;
    EXPECT_TRUE(parameters.without_effect().empty());
    parameters.pixel_cache.ways.set("2");
    parameters.tile_cache.ways.set("4");
    EXPECT_THAT(parameters.without_effect(),
                ElementsAre("pixel_cache.ways = 2 has no effect: rendering.mode is tiled_hidden_surface_removal"));
    parameters.rendering.mode.set("immediate");
    parameters.tiling.triangle_queue.set("8");
    parameters.tiling.write_buffer.set("8");
    EXPECT_THAT(parameters.without_effect(),
                ElementsAre("tiling.write_buffer = 8 has no effect: rendering.mode is immediate",
                            "tile_cache.ways = 4 has no effect: rendering.mode is immediate"));
    parameters.colour.resolve.set("memory");
    EXPECT_EQ(parameters.without_effect().back(), "colour.resolve = memory has no effect: rendering.mode is immediate");
    EXPECT_EQ(parameters.without_effect().size(), 3U);
    parameters.colour.resolve.set("on_chip");
    parameters.vertex_processor.warps.set("2");
    EXPECT_EQ(parameters.without_effect().size(), 2U);
    parameters.vertex_processor.count.set("0");
    parameters.vertex_processor.special.latency.set("20");
    EXPECT_THAT(parameters.without_effect(),
                IsSupersetOf({"vertex_processor.warps = 2 has no effect: vertex_processor.count is 0",
                              "vertex_processor.special.latency = 20 has no effect: vertex_processor.count is 0"}));
}

TEST(MachineParameters, TellWhichQueuesNobodyUses) {
    MachineParameters parameters;
    parameters.geometry.triangle_queue.set("8");
    parameters.geometry.command_lines.set("8");
    parameters.mesh.placement.set("edge");
    parameters.home.policy.set("d_nuca");
    EXPECT_TRUE(parameters.without_effect().empty());
    parameters.rendering.mode.set("immediate");
    parameters.geometry.command_bytes.set("0 B");
    parameters.home.policy.set("s_nuca");
    EXPECT_THAT(parameters.without_effect(),
                IsSupersetOf({"geometry.triangle_queue = 8 has no effect: rendering.mode is immediate",
                              "geometry.command_lines = 8 has no effect: geometry.command_bytes is 0: commands are "
                              "not read",
                              "mesh.placement = edge has no effect: only slices of the L2 cache are placed, and they "
                              "are on a bus"}));
}

TEST(MachineParameters, TellThatCreditsOfShortQueuesAreNotCollected) {
    MachineParameters parameters;
    parameters.network.credit_patience.set("20");
    const auto expect_none = [&] {
        EXPECT_THAT(parameters.without_effect(),
                    ElementsAre("network.credit_patience = 20 has no effect: no core has 4 entries of "
                                "raster.fragment_queue or of colour.queue, so each goes back at once"));
    };
    expect_none();
    for (engine::ParameterBase* const queue :
         std::initializer_list<engine::ParameterBase*>{&parameters.raster.fragment_queue, &parameters.colour.queue}) {
        queue->set("96");  // 3 of each core
        expect_none();
        queue->set("97");  // one has a fourth
        EXPECT_TRUE(parameters.without_effect().empty());
        queue->set("64");
    }
    parameters.access_execute.enabled.set("true");
    EXPECT_TRUE(parameters.without_effect().empty());
    parameters.access_execute.enabled.set("false");
    parameters.colour.queue.set("128");
    parameters.rendering.organisation.set("tile_per_core");  // colours stay where they are
    expect_none();
}

TEST(MachineParameters, RefuseLinesOfHalfABlockWithRoomForOneRequest) {
    MachineParameters parameters;
    parameters.l2.requests_per_port.set("1");
    EXPECT_EQ(error_of(parameters), "");
    parameters.texture_cache.line.set("32 B");
    EXPECT_EQ(error_of(parameters),
              "l2.requests_per_port: expected at least 2, the lines of a block of texture_cache, whose lines are of 32 "
              "B, found 1");
}

TEST(MachineParameters, RefuseRandomPlacesForAPartOfAPage) {
    MachineParameters parameters;
    parameters.dram.size.set("134218240 B");
    EXPECT_EQ(error_of(parameters), "");
    parameters.address_space.placement.set("random");
    EXPECT_EQ(error_of(parameters),
              "dram.size: expected whole pages of 4 KiB with address_space.placement = \"random\", found 134218240 B");
}

TEST(MachineParameters, RefuseRowsOfFlatMemoryThatAreNotWholeLines) {
    MachineParameters parameters;
    parameters.dram.model.set("flat");
    parameters.l2.line.set("128 B");
    parameters.dram.interleave.set("384 B");
    parameters.dram.flat.row.set("192 B");
    EXPECT_EQ(error_of(parameters), "dram.flat.row: expected a multiple of l2.line (128 B), found 192 B");
    parameters.dram.flat.row.set("384 B");
    EXPECT_EQ(error_of(parameters), "");
}

TEST(MachineParameters, TellWhatCachesThatAreOnlyReadDoNotLookAt) {
    MachineParameters parameters;
    for (CacheParameters* cache : std::initializer_list<CacheParameters*>{&parameters.texture_cache, &parameters.l2}) {
        cache->write_policy.set("write_through");
        cache->eviction_buffer.set("9");
    }
    EXPECT_THAT(parameters.without_effect(),
                ElementsAre("texture_cache.eviction_buffer = 9 has no effect: nothing writes to this cache",
                            "texture_cache.write_policy = write_through has no effect: nothing writes to this cache"));
    parameters.texture_cache.perfect.set("true");  // one reason is enough
    EXPECT_THAT(parameters.without_effect(),
                UnorderedElementsAre(
                    "texture_cache.eviction_buffer = 9 has no effect: nothing writes to this cache",
                    "texture_cache.write_policy = write_through has no effect: texture_cache.perfect is true"));
}

TEST(MachineParameters, TellWhichSectorsNobodyAsksForAlone) {
    MachineParameters parameters;
    for (CacheParameters* cache : std::initializer_list<CacheParameters*>{
             &parameters.texture_cache, &parameters.instruction_cache, &parameters.vertex_cache, &parameters.l2})
        cache->sector.set("32 B");
    EXPECT_THAT(
        parameters.without_effect(),
        ElementsAre("texture_cache.sector = 32 B has no effect: this cache is asked for blocks of 64 bytes, not "
                    "for parts of them",
                    "instruction_cache.sector = 32 B has no effect: this cache is asked for whole lines"));
    parameters.texture_cache.line.set("128 B");  // two blocks, of which one may be fetched alone
    parameters.l2.line.set("128 B");
    EXPECT_EQ(parameters.without_effect().size(), 1U);
}

TEST(MachineParameters, TellWhatHasNoChoiceToMake) {
    MachineParameters parameters;
    parameters.raster.warp_timeout.set("3");
    parameters.raster.distribution.set("tile");
    EXPECT_THAT(
        parameters.without_effect(),
        ElementsAre("raster.warp_timeout = 3 has no effect: fragment_processor.groups_per_warp is 1: every warp "
                    "is full"));
    parameters.fragment_processor.groups_per_warp.set("2");
    parameters.rendering.organisation.set("tile_per_core");
    EXPECT_THAT(parameters.without_effect(),
                ElementsAre("raster.distribution = tile has no effect: a core shades the tiles that it rasterises"));
    parameters.cluster.cores.set("2");
    EXPECT_TRUE(parameters.without_effect().empty());
}

TEST(MachineParameters, TellWhichTimingsOfMainMemoryHaveNoEffect) {
    MachineParameters parameters;
    bench::set(parameters, "dram.timing", "wtr_s", "1");
    bench::set(parameters, "dram.timing", "wtr_l", "9");
    bench::set(parameters, "dram.timing", "pb_act", "1");
    bench::set(parameters, "dram.timing", "rp_ab", "20");
    EXPECT_THAT(parameters.without_effect(),
                ElementsAre("dram.timing.pb_act = 1 has no effect: dram.refresh is all_banks",
                            "dram.timing.wtr_s = 1 has no effect: the device has no bank groups"));
    parameters.dram.refresh.set("per_bank");
    parameters.dram.device.set("lpddr5-6400");
    EXPECT_THAT(parameters.without_effect(),
                ElementsAre("dram.timing.rp_ab = 20 has no effect: dram.refresh is per_bank"));
    parameters.dram.refresh.set("off");
    EXPECT_EQ(parameters.without_effect().size(), 2U);
}

TEST(MachineParameters, TellWhatTheOtherModelOfMainMemoryWouldLookAt) {
    MachineParameters parameters;
    parameters.dram.flat.banks.set("4");
    EXPECT_THAT(parameters.without_effect(), ElementsAre("dram.flat.banks = 4 has no effect: dram.model is timed"));
    parameters.dram.model.set("flat");
    parameters.dram.channels.set("4");
    parameters.dram.device.set("lpddr5-6400");
    parameters.dram.timing.parameters().front()->set("7");
    EXPECT_THAT(parameters.without_effect(), ElementsAre("dram.device = lpddr5-6400 has no effect: dram.model is flat",
                                                         "dram.timing.rl = 7 has no effect: dram.model is flat"));
}

TEST(MachineParameters, HaveNoMoreMemoryThanTheirDevices) {
    MachineParameters parameters;
    parameters.dram.device.set("lpddr4-3200");
    EXPECT_EQ(error_of(parameters), "");
    parameters.dram.channels.set("1");
    EXPECT_EQ(error_of(parameters),
              "dram.size: expected at most the 512 MiB of 1 channels of lpddr4-3200, found 1024 MiB");
}

TEST(MachineParameters, LeaveMemoryBesideTheParameterBuffers) {
    MachineParameters parameters;
    parameters.tiling.parameter_buffer.set("512 MiB");
    EXPECT_EQ(error_of(parameters),
              "tiling.parameter_buffer: expected at most a quarter of dram.size, found 536870912 B");
}

}  // namespace
}  // namespace models
