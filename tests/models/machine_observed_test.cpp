// What is observed of a machine changes nothing of what is simulated, agrees with the counters, and is the same on any
// number of threads and from a checkpoint.
#include <array>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/models/machine_bench.h"
#include "tests/models/synthetic_frame.h"

namespace models {
namespace {

using bench::total;
using bench::Way;
using bench::ways;

void observe_all(MachineParameters& parameters) {
    for (engine::Flag* flag : {&parameters.observe.latency, &parameters.observe.occupancy, &parameters.observe.reuse})
        flag->set("true");
    parameters.observe.census_every.set("500");
    parameters.observe.bandwidth_every.set("300");
    parameters.observe.pipeline_cores.set("2");
    parameters.observe.pipeline_from.set("1000");
    parameters.observe.pipeline_to.set("1000000");
}

// All that is no histogram nor declared by an observer: by owner and name.
std::map<std::string, std::uint64_t> plain_counters(const engine::Simulation& simulation) {
    std::map<std::string, std::uint64_t> all;
    for (const auto& process : simulation.processes())
        for (const engine::CounterInfo& info : process->counters().all())
            if (info.bins == nullptr && info.name != "reuse_first")
                all[info.owner.kind + std::to_string(info.owner.index) + info.name] = *info.value;
    return all;
}

std::uint64_t sum(const TimeSeries::Column& column) {
    std::uint64_t all = 0;
    for (const std::uint64_t value : column.values) all += value;
    return all;
}

TEST(MachineObserved, SimulatesTheSameAndAgreesWithItsCounters) {
    synthetic::Generator generator(synthetic::small_frame);
    const Frame frames[] = {generator.frame(0), generator.frame(1)};
    for (const char* model : {"timed", "flat"})
        for (const Way& way : ways) {
            SCOPED_TRACE(way.name() + ", " + model);
            MachineParameters plain_parameters, parameters;
            for (MachineParameters* each : {&plain_parameters, &parameters}) {
                way.set(*each);
                each->dram.model.set(model);
            }
            observe_all(parameters);
            engine::Simulation plain, observed;
            Machine plain_machine(plain, plain_parameters), machine(observed, parameters);
            bench::LawCheck plain_laws(plain, plain_machine), laws(observed, machine);
            std::uint64_t read = 0, written = 0, lookups = 0;
            engine::Time begin = 0;
            for (const Frame& frame : frames) {
                const std::uint64_t cycles = bench::play(plain, plain_machine, plain_laws, generator.trace(), frame);
                ASSERT_EQ(bench::play(observed, machine, laws, generator.trace(), frame), cycles);
                const Machine::Observations left = machine.take_observations(observed);
                const std::vector<TimeSeries>& series = left.series;
                ASSERT_EQ(series.size(), 2U);
                for (const TimeSeries& one : series) {
                    ASSERT_GT(one.intervals(), 2U);
                    EXPECT_EQ(one.edges.front(), begin);
                    EXPECT_EQ(one.edges.back(), observed.now());
                }
                EXPECT_EQ(series[0].edges[1] - begin, 300 * machine.clocks().gpu);
                EXPECT_EQ(series[1].edges[1] - begin, 500 * machine.clocks().gpu);
                begin = observed.now();
                read += sum(series[0].columns.at(0));
                written += sum(series[0].columns.at(1));
                lookups += sum(series[1].columns.at(1));
            }
            EXPECT_EQ(plain_counters(observed), plain_counters(plain));
            EXPECT_GT(read, 0U);
            EXPECT_EQ(read, total(observed, "dram_channel", "bytes_read"));
            EXPECT_EQ(written, total(observed, "dram_channel", "bytes_written"));
            EXPECT_EQ(lookups, total(observed, "texture_cache", "accesses"));
            EXPECT_EQ(total(observed, "texture_cache", "mshrs_used"), lookups);
            EXPECT_EQ(total(observed, "texture_cache", "fill_latency"), total(observed, "texture_cache", "fills"));
            EXPECT_EQ(total(observed, "cluster", "memory_latency_texture"),
                      total(observed, "cluster", "memory_reads_texture"));
            std::uint64_t dram_reads = 0;
            for (const std::string_view client : memory_client_names)
                dram_reads += total(observed, "dram_channel", "read_latency_" + std::string(client));
            EXPECT_EQ(dram_reads, total(observed, "dram_channel", "reads"));
            EXPECT_TRUE(plain.take_series()[0].values.empty());
        }
}

// Of every core that is observed, those of its instructions that were issued in the time given.
TEST(MachineObserved, RecordsInstructionsAndWhatProgramsCost) {
    synthetic::Generator generator(synthetic::small_frame);
    const Frame frames[] = {generator.frame(0), generator.frame(1)};
    for (const char* pipeline : {"in_order", "collector", "baseline", "squash"})
        for (const Way& way : ways) {
            SCOPED_TRACE(way.name() + ", " + pipeline);
            MachineParameters parameters;
            way.set(parameters);
            parameters.fragment_processor.pipeline.set(pipeline);
            parameters.observe.pipeline_cores.set("2");
            parameters.observe.pipeline_to.set("2000000");
            engine::Simulation simulation;
            Machine machine(simulation, parameters);
            bench::LawCheck laws(simulation, machine);
            std::uint64_t recorded = 0;
            for (const Frame& frame : frames) {
                const std::vector<std::uint64_t> before = laws.counters();
                bench::play(simulation, machine, laws, generator.trace(), frame);
                const Machine::Observations left = machine.take_observations(simulation);
                ASSERT_EQ(left.records.size(), 2U);
                EXPECT_EQ(left.records[0].name, "programs");
                EXPECT_GT(left.records[0].rows(), 0U);
                const Ledger ledger(simulation.processes(), laws.counters(), before);
                for (const Violation& violation : machine.check_programs(ledger, left.records[0]))
                    ADD_FAILURE() << violation.text();
                Records wrong = left.records[0];
                wrong.columns.back().values[0] += 1;
                EXPECT_EQ(machine.check_programs(ledger, wrong).size(), 1U);
                recorded += left.records[1].rows();
            }
            std::uint64_t issued = 0;
            for (const auto& process : simulation.processes())
                for (const engine::CounterInfo& info : process->counters().all())
                    if (info.name == "warp_instructions" && info.owner.index < 2) issued += *info.value;
            EXPECT_GT(recorded, 0U);
            EXPECT_EQ(recorded, issued);
        }
}

bool same(const std::vector<Records>& a, const std::vector<Records>& b) {
    bool equal = a.size() == b.size();
    for (std::size_t i = 0; equal && i < a.size(); ++i)
        for (std::size_t c = 0; equal && c < a[i].columns.size(); ++c)
            equal = a[i].columns[c].values == b[i].columns[c].values;
    return equal;
}

bool same(const std::vector<TimeSeries>& a, const std::vector<TimeSeries>& b) {
    bool equal = a.size() == b.size();
    for (std::size_t i = 0; equal && i < a.size(); ++i) {
        equal = a[i].edges == b[i].edges && a[i].columns.size() == b[i].columns.size();
        for (std::size_t c = 0; equal && c < a[i].columns.size(); ++c)
            equal = a[i].columns[c].values == b[i].columns[c].values;
    }
    return equal;
}

TEST(MachineObserved, GivesTheSameBitsOnThreadsAndFromACheckpoint) {
    synthetic::Generator generator(synthetic::small_frame);
    const Frame frame = generator.frame();
    MachineParameters parameters;
    observe_all(parameters);
    bench::OneFrame whole(parameters, generator.trace(), frame);
    const engine::Time end = whole.play();
    const Machine::Observations expected = whole.machine.take_observations(whole.simulation);
    for (const engine::Time part : {1, 3, 5, 7}) {
        bench::OneFrame first(parameters, generator.trace(), frame), second(parameters, generator.trace(), frame);
        EXPECT_EQ(second.go_on_from(first.play_until(end * part / 8, 3), 2), end) << part;
        EXPECT_EQ(second.simulation.collect_counters(), whole.simulation.collect_counters()) << part;
        const Machine::Observations found = second.machine.take_observations(second.simulation);
        EXPECT_TRUE(same(found.series, expected.series)) << part;
        EXPECT_TRUE(same(found.records, expected.records)) << part;
    }
}

// A core goes on by itself as long as nothing else happens to its cluster; a census happens to it.
TEST(MachineObserved, DoesNotDependOnWhereWindowsEnd) {
    synthetic::Generator generator(synthetic::small_frame);
    const Frame frame = generator.frame();
    MachineParameters parameters;
    observe_all(parameters);
    const auto observed = [&](engine::Time longest_window) {
        engine::Simulation simulation;
        simulation.limit_windows(longest_window);
        Machine machine(simulation, parameters);
        bench::LawCheck laws(simulation, machine);
        bench::play(simulation, machine, laws, generator.trace(), frame);
        return machine.take_observations(simulation);
    };
    const Machine::Observations expected = observed(engine::never);
    for (const engine::Time longest : {1, 5}) {
        const Machine::Observations found = observed(longest);
        EXPECT_TRUE(same(found.series, expected.series)) << longest;
        EXPECT_TRUE(same(found.records, expected.records)) << longest;
    }
}

TEST(MachineObserved, RefusesWhatCannotBe) {
    for (const auto& [name, value] : {std::pair{"census_every", "99"}, {"bandwidth_every", "1"}}) {
        MachineParameters parameters;
        (name == std::string("census_every") ? parameters.observe.census_every : parameters.observe.bandwidth_every)
            .set(value);
        EXPECT_THROW(parameters.check_all(), engine::ConfigError) << name;
    }
    for (const auto& [from, to, cores] :
         {std::array{"500", "500", "1"}, {"0", "5000001", "1"}, {"0", "200000", "32"}, {"0", "10", "33"}}) {
        MachineParameters parameters;
        parameters.observe.pipeline_from.set(from);
        parameters.observe.pipeline_to.set(to);
        EXPECT_EQ(parameters.without_effect().size(), *from == '0' ? 1U : 2U);
        EXPECT_NO_THROW(parameters.check_all());
        parameters.observe.pipeline_cores.set(cores);
        EXPECT_TRUE(parameters.without_effect().empty());
        EXPECT_THROW(parameters.check_all(), engine::ConfigError) << from << ' ' << to << ' ' << cores;
    }
    MachineParameters parameters;
    parameters.observe.reuse_sampling.set("24");
    EXPECT_THROW(parameters.check_all(), engine::ConfigError);
    EXPECT_EQ(parameters.without_effect().size(), 1U);
}

}  // namespace
}  // namespace models
