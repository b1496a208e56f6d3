// Machines whose texture caches are one, by every policy and in every way of rendering: frames end under the worst
// settings, and every law holds.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/memory/home/home_policy.h"
#include "models/processes/cluster.h"
#include "tests/models/extra_steps.h"
#include "tests/models/two_frames.h"

namespace models {
namespace {

class MachineHome : public testing::TestWithParam<std::string_view> {
  protected:
    struct HomeMachine : MachineParameters {
        explicit HomeMachine(std::string_view policy, const bench::Way& way = bench::ways[3]) {
            way.set(*this);
            home.policy.set(std::string(policy));
        }
    };
    // Returns how many lines cores sent to each other.
    static std::uint64_t run(const MachineParameters& parameters) {
        return bench::TwoFrames(parameters).total("cluster", "home_served");
    }
};

TEST_P(MachineHome, ObeysTheLawsInAllWaysOfRendering) {
    for (const bench::Way& way : bench::ways) {
        SCOPED_TRACE(way.name());
        HomeMachine parameters(GetParam(), way);
        parameters.home.epoch_accesses.set("200");
        EXPECT_EQ(run(parameters) > 0, GetParam() != "private");
    }
}

TEST_P(MachineHome, IsNotChangedByStepsThatNobodyNeeds) {
    for (const char* banks : {"1", "4"}) {
        HomeMachine parameters(GetParam());
        parameters.home.epoch_accesses.set("200");
        parameters.texture_cache.banks.set(banks);
        parameters.texture_cache.ports.set("1");
        parameters.texture_cache.mshrs.set("4");
        bench::expect_that_extra_steps_change_nothing(parameters, {.width = 64, .height = 48});
    }
}

// One MSHR of each use, one place to wait, one credit, one bucket, buffers of one flit, and 64 cores.
TEST_P(MachineHome, EndsUnderTheWorstSettings) {
    for (const bench::Way& way : bench::ways) {
        SCOPED_TRACE(way.name());
        HomeMachine parameters(GetParam(), way);
        parameters.fragment_processor.count.set("64");
        parameters.raster.fragment_queue.set("64");
        parameters.colour.queue.set("64");
        parameters.texture_cache.mshrs.set("2");
        parameters.texture_cache.targets.set("1");
        parameters.texture_cache.banks.set("1");
        parameters.texture_cache.capacity.set("256 B");
        parameters.home.reserved_mshrs.set("1");
        parameters.home.owner_bits.set("6");
        parameters.home.buckets.set("1");
        // Claims of 64 cores to all others take the mesh longer than so few accesses.
        parameters.home.epoch_accesses.set(GetParam() == "dtm_nuca_distributed" ? "1000" : "7");
        parameters.home.note_accesses.set("1");
        parameters.home.directory_entries.set("64");
        parameters.home.directory_ways.set("1");
        parameters.mesh.buffer.set("1");
        parameters.mesh.columns.set("2");
        parameters.mesh.rows.set("2");
        parameters.l2.requests_per_port.set("1");
        parameters.l2.mshrs.set("2");
        parameters.l2.miss_queue.set("1");
        run(parameters);
    }
}

TEST_P(MachineHome, ObeysTheLawsWithVirtualMemoryClustersAndUnifiedCores) {
    HomeMachine parameters(GetParam());
    parameters.cluster.cores.set("4");
    parameters.vertex_processor.count.set("0");
    if (GetParam() != "d_nuca") parameters.address_space.placement.set("random");
    parameters.address_space.translation.set("tlb");
    parameters.l2.line.set("128 B");
    parameters.dram.interleave.set("128 B");
    parameters.network.kind.set("mesh");
    parameters.texture_cache.index.set("folded");
    run(parameters);
}

TEST_P(MachineHome, GivesTheSameCountersOnThreadsAndFromACheckpoint) {
    for (const bench::Way& way : bench::ways) {
        SCOPED_TRACE(way.name());
        HomeMachine parameters(GetParam(), way);
        parameters.home.epoch_accesses.set("200");
        bench::expect_same_from_a_checkpoint(parameters);
    }
}

// With one texture cache there is no other to ask.
TEST_P(MachineHome, WithOneCoreIsThatOfPrivateCaches) {
    const auto counters_with = [](std::string_view policy) {
        HomeMachine parameters(policy);
        parameters.fragment_processor.count.set("1");
        return bench::TwoFrames(parameters).simulation.collect_counters();
    };
    EXPECT_EQ(counters_with(GetParam()), counters_with("private"));
}

INSTANTIATE_TEST_SUITE_P(All, MachineHome, testing::ValuesIn(HomePolicy::names),
                         [](const auto& test) { return std::string(test.param); });

// What of a line is in several caches after a frame.
std::uint64_t replicated_lines(const engine::Simulation& simulation) {
    std::vector<LineNumber> lines;
    for (const auto& process : simulation.processes())
        if (const auto* cluster = dynamic_cast<const Cluster*>(process.get()); cluster != nullptr && cluster->home())
            cluster->texture_cache().array().for_each(
                [&](const CacheArray::Line& line) { lines.push_back(line.number); });
    std::sort(lines.begin(), lines.end());
    std::uint64_t count = 0;
    for (std::size_t i = 1; i < lines.size(); ++i) count += lines[i] == lines[i - 1] ? 1 : 0;
    EXPECT_GT(lines.size(), 0U);
    return count;
}

TEST(MachineReplication, StaticAndDirectoryKeepALineInOneCache) {
    for (const char* policy : {"s_nuca", "d_nuca"})
        for (const char* entries : {"16384", "64"}) {
            SCOPED_TRACE(std::string(policy) + " " + entries);
            MachineParameters parameters;
            parameters.home.policy.set(policy);
            parameters.home.directory_entries.set(entries);
            parameters.home.directory_ways.set("1");
            parameters.texture_cache.capacity.set("1 KiB");
            synthetic::Generator generator(synthetic::small_frame);
            engine::Simulation simulation;
            Machine machine(simulation, parameters);
            bench::LawCheck laws(simulation, machine);
            for (std::uint32_t frame = 0; frame < 3; ++frame) {
                bench::play(simulation, machine, laws, generator.trace(), generator.frame(frame));
                EXPECT_EQ(replicated_lines(simulation), 0U);
            }
        }
}

// Counters by process, owner and name.
std::map<std::string, std::uint64_t> named_counters(const engine::Simulation& simulation) {
    std::map<std::string, std::uint64_t> all;
    for (const auto& process : simulation.processes())
        for (const engine::CounterInfo& info : process->counters().all())
            all[process->name() + " " + info.owner.kind + " " + std::to_string(info.owner.index) + " " + info.name] +=
                *info.value;
    return all;
}

// Every core owns all until the first epoch ends. So without epochs every access is local, and the machine is that of
// private caches but for the tables: MSHRs for other cores come on top of as many.
TEST(MachineLocal, IsThatOfPrivateCachesButForTheTables) {
    for (const bench::Way& way : bench::ways) {
        SCOPED_TRACE(way.name());
        std::array<std::map<std::string, std::uint64_t>, 2> counters;
        std::array<std::uint64_t, 2> cycles{};
        for (const bool is_local : {false, true}) {
            MachineParameters parameters;
            way.set(parameters);
            parameters.texture_cache.capacity.set("1 KiB");
            if (is_local) {
                parameters.home.policy.set("dtm_nuca_distributed");
                parameters.home.epoch_accesses.set("1000000000");
                parameters.texture_cache.mshrs.set("18");
            }
            const bench::TwoFrames frames(parameters);
            cycles[is_local] = frames.cycles;
            counters[is_local] = named_counters(frames.simulation);
        }
        EXPECT_EQ(cycles[0], cycles[1]);
        for (const auto& [name, value] : counters[0]) EXPECT_EQ(counters[1].at(name), value) << name;
    }
}

// The rows of two frames of short epochs. `counted`: the counter that says how often owners were noted.
std::size_t expect_owners(const char* policy, const char* kind, const char* counted, std::size_t rows_each) {
    MachineParameters parameters;
    parameters.home.policy.set(policy);
    parameters.home.epoch_accesses.set("100");
    parameters.observe.owners.set("true");
    bench::TwoFrames frames(parameters);
    const std::vector<Records> records = frames.machine.take_observations(frames.simulation).records;
    EXPECT_EQ(records.front().name, "programs");
    EXPECT_EQ(records.back().name, "bucket_owners");
    EXPECT_EQ(records.back().rows(), rows_each * frames.total(kind, counted));
    return records.back().rows();
}

TEST(MachineOwners, NotesWhoOwnsEveryBucketAtTheEndOfEpochs) {
    EXPECT_GT(expect_owners("dtm_nuca", "home_mesh", "epochs", 32), 0U);
}

TEST(MachineOwners, NotesWhatEveryCoreClaimsAtTheEndOfEpochs) {
    EXPECT_GT(expect_owners("dtm_nuca_distributed", "cluster", "home_claims", 1), 0U);
}

}  // namespace
}  // namespace models
