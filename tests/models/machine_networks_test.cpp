// Machines with every network: frames are played, laws hold, the work is the same, and so are the bits.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "models/network/interconnect.h"
#include "tests/models/machine_bench.h"
#include "tests/models/synthetic_frame.h"

namespace models {
namespace {

using bench::total;
using bench::Way;
using bench::ways;
using synthetic::Generator;

TEST(MachineNetworks, DoTheWorkOfAFrameHoweverItIsRendered) {
    Generator generator(synthetic::small_frame);
    const Frame frames[] = {generator.frame(0), generator.frame(1)};
    for (const Way& way : ways) {
        std::vector<std::vector<std::uint64_t>> work;
        for (const std::string_view kind : Interconnect::names) {
            SCOPED_TRACE(way.name() + ", " + std::string(kind));
            MachineParameters parameters;
            way.set(parameters);
            parameters.network.kind.set(kind);
            EXPECT_TRUE(parameters.without_effect().empty());
            engine::Simulation simulation;
            Machine machine(simulation, parameters);
            bench::LawCheck laws(simulation, machine);
            EXPECT_EQ(simulation.window_length(), 13 * machine.clocks().gpu);
            for (const Frame& frame : frames) bench::play(simulation, machine, laws, generator.trace(), frame);
            const std::string request = "request_" + std::string(kind), response = "response_" + std::string(kind);
            EXPECT_GT(total(simulation, request, "messages_in"), 1000U);
            EXPECT_EQ(total(simulation, request, "messages_out"), total(simulation, response, "messages_in"));
            work.push_back({});
            for (const auto& [unit, counter] : {std::pair{"fragment_processor", "threads"},
                                                {"fragment_processor", "thread_instructions"},
                                                {"fragment_processor_texture_unit", "accesses"},
                                                {"geometry", "primitives"}})
                work.back().push_back(total(simulation, unit, counter));
            EXPECT_GT(work.back().front(), 0U);
            EXPECT_EQ(work.back(), work.front());
        }
    }
}

TEST(MachineNetworks, ObeyTheLawsInAllShapes) {
    Generator generator(synthetic::small_frame);
    const Frame frame = generator.frame();
    const std::vector<std::vector<std::vector<std::string>>> machines = {
        {{"network", "kind", "bus"}, {"bus", "width", "1 B"}},
        {{"network", "kind", "bus"}, {"network", "delivery_latency", "1"}, {"network", "response_latency", "30"}},
        {{"network", "kind", "crossbar"}, {"network", "link_width", "7 B"}, {"l2", "slices", "2"}},
        {{"network", "kind", "mesh"}, {"mesh", "columns", "1"}, {"mesh", "rows", "1"}, {"mesh", "buffer", "1"}},
        {{"network", "kind", "mesh"}, {"mesh", "columns", "64"}, {"mesh", "rows", "3"}, {"mesh", "buffer", "1"}},
        {{"network", "kind", "mesh"}, {"mesh", "link_width", "1 B"}, {"mesh", "placement", "edge"}},
        {{"network", "kind", "mesh"}, {"mesh", "link_width", "128 B"}, {"l2", "requests_per_port", "1"}},
        {{"network", "kind", "mesh"}, {"dram", "device", "lpddr4x-4266"}, {"fragment_processor", "count", "3"}},
        {{"network", "kind", "crossbar"}, {"dram", "device", "lpddr4x-4266"}},
        {{"network", "kind", "bus"}, {"dram", "device", "lpddr4x-4266"}, {"l2", "slices", "64"}},
    };
    for (const auto& settings : machines) {
        MachineParameters parameters;
        std::string text;
        for (const auto& setting : settings) {
            bench::set(parameters, setting[0], setting[1], setting[2]);
            text += setting[0] + "." + setting[1] + " = " + setting[2] + " ";
        }
        SCOPED_TRACE(text);
        engine::Simulation simulation;
        Machine machine(simulation, parameters);
        bench::LawCheck laws(simulation, machine);
        bench::play(simulation, machine, laws, generator.trace(), frame);
    }
}

TEST(MachineNetworks, BoundAFrameIfTheyAreNarrow) {
    Generator generator(synthetic::small_frame);
    const Frame frame = generator.frame();
    std::vector<std::uint64_t> cycles;
    for (const char* width : {"64 B", "1 B"}) {
        MachineParameters parameters;
        parameters.bus.width.set(width);
        engine::Simulation simulation;
        Machine machine(simulation, parameters);
        bench::LawCheck laws(simulation, machine);
        cycles.push_back(bench::play(simulation, machine, laws, generator.trace(), frame));
        const std::uint64_t busy = total(simulation, "response_bus", "cycles_transfer");
        if (cycles.size() == 1)
            EXPECT_LT(busy, cycles[0] / 2);
        else
            EXPECT_GT(busy, cycles[1] * 8 / 10);
    }
    EXPECT_GT(cycles[1], 4 * cycles[0]);
}

TEST(MachineNetworks, GiveTheSameBitsOnThreadsAndFromACheckpoint) {
    Generator generator(synthetic::small_frame);
    const Frame frame = generator.frame();
    for (const std::string_view kind : Interconnect::names) {
        SCOPED_TRACE(kind);
        MachineParameters parameters;
        parameters.network.kind.set(kind);
        bench::OneFrame whole(parameters, generator.trace(), frame);
        const engine::Time end = whole.play();
        for (const engine::Time part : {1, 2, 3, 4, 5, 6, 7}) {
            bench::OneFrame first(parameters, generator.trace(), frame), second(parameters, generator.trace(), frame);
            EXPECT_EQ(second.go_on_from(first.play_until(end * part / 8, 3), 2), end) << part;
            EXPECT_EQ(second.simulation.collect_counters(), whole.simulation.collect_counters()) << part;
        }
    }
}

TEST(MachineNetworks, SayWhichOfTheirParametersHaveNoEffect) {
    for (const auto& [kind, expected] : {std::pair{"bus", 1U}, {"crossbar", 2U}, {"mesh", 1U}}) {
        MachineParameters parameters;
        parameters.network.kind.set(kind);
        parameters.bus.width.set("32 B");
        parameters.mesh.buffer.set("2");
        EXPECT_EQ(parameters.without_effect().size(), expected) << kind;
    }
}

}  // namespace
}  // namespace models
