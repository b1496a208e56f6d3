// The laws of a machine bind what they are to bind: of every event one too many is noticed.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "models/machine.h"
#include "tests/models/synthetic_frame.h"

namespace models {
namespace {

// A machine that has run one frame.
struct OneFrame {
    explicit OneFrame(const char* mode, const char* network = "bus", bool unified = false) {
        if (unified) parameters.vertex_processor.count.set("0");
        parameters.rendering.mode.set(mode);
        parameters.network.kind.set(network);
        if (parameters.is_immediate()) parameters.raster.distribution.set("position");
        machine.emplace(simulation, parameters);
        machine->load_frame(generator.trace(), frame);
        machine->start();
        simulation.run({});
        machine->end_frame();
        counters = simulation.collect_counters();
    }
    static synthetic::Options options() {
        synthetic::Options options;
        options.load = true;
        return options;
    }
    std::vector<Violation> verdict() const {
        const Ledger ledger(simulation.processes(), counters);
        std::vector<Violation> all = ledger.violations(machine->laws());
        for (Violation& violation : machine->check_work(ledger, generator.trace())) all.push_back(violation);
        for (Violation& violation : ledger.violations(machine->laws(), 0, simulation.now())) all.push_back(violation);
        return all;
    }
    MachineParameters parameters;
    synthetic::Generator generator{options()};
    Frame frame = generator.frame();
    engine::Simulation simulation;
    std::optional<Machine> machine;
    std::vector<std::uint64_t> counters;
};

TEST(MachineLaws, FindNothingInASoundRun) {
    for (const char* mode : {"immediate", "tiled", "tiled_hidden_surface_removal"}) {
        OneFrame run(mode);
        for (const Violation& violation : run.verdict()) ADD_FAILURE() << violation.text();
    }
}

// What happened is bounded by laws: one more of it is noticed. Stalls, occupancies and these are not.
void expect_that_one_too_many_is_noticed(const char* mode, const char* network) {
    OneFrame run(mode, network);
    const std::vector<std::string> free = {".latency_cycles",
                                           ".queueing_cycles",
                                           ".queue_",
                                           ".forwarded",
                                           ".commands_precharge",
                                           ".commands_refresh",
                                           ".refusals",
                                           ".invalidations",
                                           ".bank_conflicts",
                                           ".queue_cycles",
                                           ".put_off",
                                           ".prefetches_early",
                                           ".prefetches_polluting",
                                           ".blocked",
                                           ".waits_for_core",
                                           ".list_chunks",
                                           ".constant_loads",
                                           ".constant_cycles",
                                           ".hidden_surface_",
                                           ".warps",
                                           ".dirtied",
                                           ".overwritten",
                                           ".quads_early_depth",
                                           "colour.quads_late_depth",
                                           ".flushes",
                                           ".assembled_primitives",
                                           ".culled_primitives",
                                           "_cache.write_backs",
                                           "_cache.written_",
                                           "l2_slice.requests_",
                                           "l2_slice.misses_",
                                           "vertex_processor.warp_instructions",
                                           "vertex_processor.thread_instructions",
                                           "vertex_processor_texture_unit.accesses",
                                           "vertex_processor_texture_unit.samples",
                                           "vertex_processor_texture_unit.filter_cycles"};
    std::size_t i = 0;
    for (const auto& process : run.simulation.processes())
        for (const auto& counter : process->counters().all()) {
            const std::string name = counter.owner.kind + "." + counter.name;
            const bool is_bound = std::none_of(free.begin(), free.end(), [&](const std::string& word) {
                return name.find(word) != std::string::npos;
            });
            if (process->index() <= 0 && is_bound) {  // the others are like the first of their kind
                ++run.counters[i];
                EXPECT_FALSE(run.verdict().empty()) << name;
                --run.counters[i];
            }
            ++i;
        }
    EXPECT_TRUE(run.verdict().empty());
}

// They count vertices, too, some of which are shaded again: no less than the fragments ask for.
TEST(MachineLaws, BindTheWorkOfUnifiedCores) {
    OneFrame run("tiled", "bus", true);
    for (const Violation& violation : run.verdict()) ADD_FAILURE() << violation.text();
    for (const std::string bound :
         {"fragment_processor_texture_unit.filter_cycles", "fragment_processor_texture_unit.accesses",
          "fragment_processor.thread_instructions"}) {
        const std::vector<std::uint64_t> counted = run.counters;
        std::size_t i = 0;
        for (const auto& process : run.simulation.processes())
            for (const auto& counter : process->counters().all()) {
                if (counter.owner.kind + "." + counter.name == bound) run.counters[i] = 0;
                ++i;
            }
        EXPECT_NE(run.counters, counted);
        const std::vector<Violation> found = run.verdict();
        EXPECT_TRUE(std::any_of(found.begin(), found.end(), [](const Violation& each) {
            return each.text().find("of the frame") != std::string::npos ||
                   each.text().find("that the frame takes") != std::string::npos;
        })) << bound;
        run.counters = counted;
    }
}

// They have two caches: attributes come through the one, textures through the other.
TEST(MachineLaws, BindTheAttributesOfUnifiedCores) {
    OneFrame run("tiled", "bus", true);
    std::size_t i = 0;
    std::uint64_t lines = 0;
    for (const auto& process : run.simulation.processes())
        for (const auto& counter : process->counters().all()) {
            if (counter.owner.kind == "cluster" && counter.name == "attribute_lines") {
                lines += run.counters[i];
                ++run.counters[i];
                EXPECT_FALSE(run.verdict().empty());
                --run.counters[i];
            }
            ++i;
        }
    EXPECT_GT(lines, 0U);
    EXPECT_TRUE(run.verdict().empty());
}

TEST(MachineLaws, NoticeOneEventTooManyInEveryCounterThatTheyBind) {
    for (const auto& [mode, network] : {std::pair{"immediate", "bus"},
                                        {"tiled_hidden_surface_removal", "bus"},
                                        {"tiled", "crossbar"},
                                        {"tiled", "mesh"}}) {
        SCOPED_TRACE(std::string(mode) + ", " + network);
        expect_that_one_too_many_is_noticed(mode, network);
    }
}

}  // namespace
}  // namespace models
